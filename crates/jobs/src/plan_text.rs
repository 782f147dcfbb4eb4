//! A plan's file in TOML: the sections that say how a table is read, the rest, and what is wrong with it. A
//! plan is public and may be quoted; a table that is taken for a plan must not be.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, ValueDeserializer};

use crate::columns::TableFormat;

/// What stands for something that a person must declare.
pub const BLANK: &str = "?";

/// Lines that plans have and tables do not.
const SECTIONS: [&str; 8] =
    ["[price]", "[outcome]", "[[context]]", "[[action]]", "[reward]", "[kernel]", "[[feature]]", "[replay]"];

/// What is wrong, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct PlanFault {
    /// The line, if it is known.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

/// A plan that is TOML.
pub(crate) struct PlanText<'a> {
    text: &'a str,
    root: Spanned<DeTable<'a>>,
}

impl<'a> PlanText<'a> {
    /// The sections of a text without blanks.
    pub(crate) fn parse(text: &'a str) -> Result<PlanText<'a>, PlanFault> {
        let root = DeTable::parse(text).map_err(|error| fault(text, &error))?;
        let plan = PlanText { text, root };
        let mut blanks = Vec::new();
        blanks_of(plan.root.get_ref(), &mut blanks);
        blanks.sort_unstable();
        match blanks.first() {
            Some(&(start, _)) => {
                Err(PlanFault { line: Some(line(text, start)), message: told(text, &blanks) })
            }
            None => Ok(plan),
        }
    }

    /// Whether there is a section or key of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.root.get_ref().contains_key(name)
    }

    /// Takes a section out of it.
    pub(crate) fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, PlanFault> {
        let Some(section) = self.root.get_mut().remove(name) else { return Ok(None) };
        let read = T::deserialize(ValueDeserializer::from(section));
        read.map(Some).map_err(|error| fault(self.text, &error))
    }

    /// Takes out how a table is written.
    pub(crate) fn table(&mut self) -> Result<TableFormat, PlanFault> {
        Ok(self.take("table")?.unwrap_or_default())
    }

    /// All that is left.
    pub(crate) fn rest<T: DeserializeOwned>(self) -> Result<T, PlanFault> {
        T::deserialize(Deserializer::from(self.root)).map_err(|error| fault(self.text, &error))
    }
}

/// How a plan's text says that tables are written, whatever else it says.
pub fn table_format(text: &str) -> Result<TableFormat, PlanFault> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.trim_start().starts_with('{') {
        return PlanText::parse(text)?.table();
    }
    let whole: serde_json::Value = serde_json::from_str(text).map_err(|error| json_fault(&error))?;
    match whole.get("table") {
        None => Ok(TableFormat::default()),
        Some(table) => serde_json::from_value(table.clone()).map_err(|error| PlanFault {
            line: None,
            message: format!("table: {}", shown(&error.to_string())),
        }),
    }
}

/// Whether this is a plan that somebody wrote, sound or not.
pub fn is_plan(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.split('#').next().unwrap_or_default().trim();
        SECTIONS.contains(&line) || line.starts_with("[problem") || line.starts_with("[table")
    })
}

pub(crate) fn json_fault(error: &serde_json::Error) -> PlanFault {
    PlanFault { line: Some(error.line()), message: "not an experiment in JSON".into() }
}

/// The library's words about a document that is public.
pub(crate) fn quoted(error: &serde_json::Error) -> PlanFault {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or_default();
    PlanFault { line: Some(error.line()).filter(|line| *line > 0), message: shown(message) }
}

/// The words of the library, for a plan alone: they quote it.
pub(crate) fn fault(text: &str, error: &toml::de::Error) -> PlanFault {
    let line = error.span().map(|span| line(text, span.start));
    let message = if is_plan(text) { shown(error.message()) } else { "this is no plan in TOML".into() };
    PlanFault { line, message }
}

/// Without what could move a terminal.
fn shown(message: &str) -> String {
    message.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

fn line(text: &str, start: usize) -> usize {
    1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count()
}

fn blanks_of<'t>(table: &'t DeTable<'_>, blanks: &mut Vec<(usize, &'t str)>) {
    for (key, value) in table {
        blanks_in(key.get_ref(), value, blanks);
    }
}

fn blanks_in<'t>(key: &'t str, value: &'t Spanned<DeValue<'_>>, blanks: &mut Vec<(usize, &'t str)>) {
    match value.get_ref() {
        DeValue::String(text) if text.trim() == BLANK => blanks.push((value.span().start, key)),
        DeValue::Array(values) => values.iter().for_each(|value| blanks_in(key, value, blanks)),
        DeValue::Table(table) => blanks_of(table, blanks),
        _ => {}
    }
}

/// Which blanks there are: in the order of their lines, each line once.
fn told(text: &str, blanks: &[(usize, &str)]) -> String {
    let mut places: Vec<(usize, &str)> =
        blanks.iter().map(|&(start, key)| (line(text, start), key)).collect();
    places.sort_unstable();
    places.dedup();
    let shown: Vec<String> = places.iter().map(|(line, key)| format!("`{key}` in line {line}")).collect();
    let (are, them) = if shown.len() == 1 { ("a blank is", "it") } else { ("blanks are", "them") };
    format!(
        "{are} left to fill in: {}. Declare {them} from what you knew before you saw the data: a range that is read off the data tells about the people in it",
        shown.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    const PLAN: &str = "[price]\ncolumn = \"p\"\nlow = \"?\"\nhigh = 9\n[outcome]\nkind = \"?\"\n";

    fn parsed(text: &str) -> Result<toml::Table, PlanFault> {
        PlanText::parse(text)?.rest()
    }

    #[test]
    fn blanks_are_named_with_their_lines() {
        let fault = parsed(PLAN).unwrap_err();
        assert_eq!(fault.line, Some(3));
        assert!(fault.message.contains("`low` in line 3, `kind` in line 6"), "{fault}");
        let list = parsed("[[context]]\nlevels = [\"?\", \"?\"]\n").unwrap_err();
        assert!(list.message.starts_with("a blank is left to fill in: `levels` in line 2."), "{list}");
    }

    #[test]
    fn a_table_that_is_taken_for_a_plan_is_not_quoted() {
        for text in [
            "person-7;52000;9.99;ill\nperson-8;1;2;3\n",
            "secret = \"77123\"\nsecret = 2\n",
            "name = 77123",
            "\u{1b}[2Jsecret,77123\n",
            "{\"secret\": 77123",
        ] {
            let fault = PlanText::parse(text).and_then(PlanText::rest::<Known>).map(|_| ()).unwrap_err();
            let told = fault.to_string();
            assert!(!["secret", "77123", "52000", "\u{1b}"].iter().any(|word| told.contains(word)), "{told}");
        }
        let own = PlanText::parse("[price]\n\"lo\\u001bw\" = 5\n").and_then(PlanText::rest::<Known>);
        let own = own.map(|_| ()).unwrap_err().to_string();
        assert!(own.contains("price") && !own.contains('\u{1b}'), "{own}");
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Known {
        #[allow(dead_code, reason = "its absence is the test")]
        known: u32,
    }

    #[test]
    fn sections_about_tables_are_taken_out() {
        let text = "[price]\nlow = 1\n[table]\ndelimiter = \";\"\n[table.columns.p]\nmissing = \"middle\"\n";
        let mut plan = PlanText::parse(text).unwrap();
        assert_ne!(plan.table().unwrap(), TableFormat::default());
        assert!(plan.has("price") && !plan.has("table"));
        let wrong = table_format(&text.replace("delimiter", "delimeter")).unwrap_err().to_string();
        assert!(wrong.contains("delimeter"), "{wrong}");
        let json = table_format("{\"problem\": 1, \"table\": {\"delimiter\": \";\"}}").unwrap();
        assert_ne!(json, TableFormat::default());
    }
}
