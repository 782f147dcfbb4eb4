//! Environments from a TOML file. Whatever is wrong, the error names the line and the field.

use std::ops::Range;
use std::path::Path;

use reticent_protocol::mab::MAX_ARMS;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{EnvError, Environment, Reward};
use reticent_store::files;

/// What is wrong in a spec file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}: {message}")]
pub struct SpecFileError {
    file: String,
    line: usize,
    message: String,
}

type Field<'a> = (&'a str, &'a Spanned<DeValue<'a>>);

/// Where in the text something is, and what is wrong with it.
#[derive(Debug)]
struct Fault(Range<usize>, String);

const EXAMPLE: &str = "kind = \"bernoulli\"\n  mean = 0.3";

pub(super) fn read(name: &str, path: &Path) -> Result<Environment, EnvError> {
    let text = files::read_text(path)?;
    let file = path.display().to_string();
    parse(name, &text).map_err(|Fault(span, message)| {
        let line = 1 + text.as_bytes().iter().take(span.start).filter(|&&b| b == b'\n').count();
        EnvError::Spec(SpecFileError { file, line, message })
    })
}

fn parse(name: &str, text: &str) -> Result<Environment, Fault> {
    let root = DeTable::parse(text)
        .map_err(|e| Fault(e.span().unwrap_or(0..0), format!("not valid TOML: {}", e.message())))?;
    let mut arms = Vec::new();
    let mut labels = Vec::new();
    let whole = 0..0;
    for (key, value) in root.get_ref() {
        if key.get_ref() != "arm" {
            return Err(Fault(
                key.span(),
                format!("unknown field `{}`: only [[arm]] tables belong here", key.get_ref()),
            ));
        }
        let list = value.get_ref().as_array().ok_or_else(|| {
            Fault(value.span(), "`arm` must be a list of tables: write [[arm]], not [arm]".to_string())
        })?;
        for item in list {
            add_arm(item, &mut arms, &mut labels)?;
        }
    }
    if arms.is_empty() {
        return Err(Fault(whole, format!("no arms: write at least one, such as\n  [[arm]]\n  {EXAMPLE}")));
    }
    Ok(Environment::new(name.to_string(), arms, labels))
}

fn add_arm(
    item: &Spanned<DeValue<'_>>,
    arms: &mut Vec<Reward>,
    labels: &mut Vec<String>,
) -> Result<(), Fault> {
    let table = Arm::new(item)?;
    let reward = table.reward()?;
    let count = table.count()?;
    let total = arms.len() as u64 + count;
    if total > u64::from(MAX_ARMS) {
        let span = table.field("count").map_or(table.span.clone(), |(_, value)| value.span());
        return Err(Fault(
            span,
            format!("`count`: {total} arms are too many, at most {MAX_ARMS} can be compared"),
        ));
    }
    for _ in 0..count {
        labels.push(table.label(arms.len())?);
        arms.push(reward);
    }
    Ok(())
}

/// One [[arm]] table.
struct Arm<'a> {
    span: Range<usize>,
    fields: Vec<Field<'a>>,
    kind: &'a str,
}

impl<'a> Arm<'a> {
    fn new(item: &'a Spanned<DeValue<'a>>) -> Result<Arm<'a>, Fault> {
        let table =
            item.get_ref().as_table().ok_or_else(|| Fault(item.span(), "an arm must be a table".into()))?;
        let fields: Vec<Field<'a>> =
            table.iter().map(|(key, value)| (key.get_ref().as_ref(), value)).collect();
        let keys: Vec<(&str, Range<usize>)> =
            table.iter().map(|(k, _)| (k.get_ref().as_ref(), k.span())).collect();
        let kind = fields
            .iter()
            .find(|(key, _)| *key == "kind")
            .ok_or_else(|| Fault(item.span(), format!("the arm has no `kind`; for example\n  {EXAMPLE}")))?;
        let name =
            kind.1.get_ref().as_str().ok_or_else(|| Fault(kind.1.span(), "`kind` must be a text".into()))?;
        let known = parameters(name).ok_or_else(|| {
            Fault(
                kind.1.span(),
                format!(
                    "unknown `kind` {name:?}: use bernoulli, beta, uniform, two-point, gaussian or constant"
                ),
            )
        })?;
        let belongs = |key: &str| known.contains(&key) || ["kind", "name", "count"].contains(&key);
        if let Some((key, span)) = keys.iter().find(|(key, _)| !belongs(key)) {
            let known = known.join(", ");
            return Err(Fault(
                span.clone(),
                format!("unknown field `{key}`: a {name} arm has {known} (and name, count)"),
            ));
        }
        Ok(Arm { span: item.span(), fields, kind: name })
    }

    fn reward(&self) -> Result<Reward, Fault> {
        let number = |key| self.number(key);
        Ok(match self.kind {
            "bernoulli" => Reward::Bernoulli { mean: self.within("mean", 0.0, 1.0)? },
            "beta" => Reward::Beta {
                alpha: self.within("alpha", 1e-3, 1e6)?,
                beta: self.within("beta", 1e-3, 1e6)?,
            },
            "uniform" => {
                let (low, high) = self.ordered("low", "high")?;
                Reward::Uniform { low, high }
            }
            "two-point" => {
                let (low, high) = self.ordered("low", "high")?;
                Reward::TwoPoint { low, high, high_probability: self.within("high_probability", 0.0, 1.0)? }
            }
            "gaussian" => Reward::Gaussian { mean: number("mean")?, sd: self.within("sd", 0.0, 1e12)? },
            _ => Reward::Constant { value: number("value")? },
        })
    }

    fn count(&self) -> Result<u64, Fault> {
        let Some((_, value)) = self.field("count") else { return Ok(1) };
        let count = value.get_ref().as_integer().and_then(|i| i.as_str().parse::<u64>().ok());
        count
            .filter(|&c| c > 0)
            .ok_or_else(|| Fault(value.span(), "`count` must be a positive whole number".into()))
    }

    fn label(&self, index: usize) -> Result<String, Fault> {
        let Some((_, value)) = self.field("name") else { return Ok(format!("arm {index}")) };
        let name =
            value.get_ref().as_str().ok_or_else(|| Fault(value.span(), "`name` must be a text".into()))?;
        Ok(name.to_string())
    }

    fn field(&self, key: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|(k, _)| *k == key)
    }

    fn number(&self, key: &str) -> Result<f64, Fault> {
        let (_, value) = self
            .field(key)
            .ok_or_else(|| Fault(self.span.clone(), format!("the {} arm has no `{key}`", self.kind)))?;
        let text = match value.get_ref() {
            DeValue::Float(float) => Some(float.as_str()),
            DeValue::Integer(integer) => Some(integer.as_str()),
            _ => None,
        };
        let number = text.and_then(|t| t.replace('_', "").parse::<f64>().ok());
        // A magnitude that a device could squash without overflow.
        number
            .filter(|x| x.abs() <= 1e12)
            .ok_or_else(|| Fault(value.span(), format!("`{key}` must be a finite number of at most 1e12")))
    }

    fn within(&self, key: &str, low: f64, high: f64) -> Result<f64, Fault> {
        let number = self.number(key)?;
        let span = self.field(key).map_or(self.span.clone(), |(_, value)| value.span());
        let inside = (low..=high).contains(&number);
        inside
            .then_some(number)
            .ok_or_else(|| Fault(span, format!("`{key}` must be between {low} and {high}, got {number}")))
    }

    fn ordered(&self, low: &str, high: &str) -> Result<(f64, f64), Fault> {
        let (a, b) = (self.number(low)?, self.number(high)?);
        let span = self.field(high).map_or(self.span.clone(), |(_, value)| value.span());
        (a <= b)
            .then_some((a, b))
            .ok_or_else(|| Fault(span, format!("`{high}` must not be below `{low}`, got {b} and {a}")))
    }
}

/// The parameters of each law.
fn parameters(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "bernoulli" => &["mean"],
        "beta" => &["alpha", "beta"],
        "uniform" => &["low", "high"],
        "two-point" => &["low", "high", "high_probability"],
        "gaussian" => &["mean", "sd"],
        "constant" => &["value"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> (usize, String) {
        let Fault(span, message) = parse("file:x", text).unwrap_err();
        (1 + text[..span.start.min(text.len())].matches('\n').count(), message)
    }

    #[test]
    fn a_good_file_is_read() {
        let text = "[[arm]]\nkind = \"bernoulli\"\nmean = 0.5\ncount = 3\n\n[[arm]]\nname = \"dose 2\"\nkind = \"gaussian\"\nmean = 1\nsd = 2.5\n\
                    [[arm]]\nkind = \"two-point\"\nlow = 0\nhigh = 1\nhigh_probability = 0.25\n[[arm]]\nkind=\"beta\"\nalpha=4\nbeta=1\n\
                    [[arm]]\nkind=\"uniform\"\nlow=-1\nhigh=1_000\n[[arm]]\nkind=\"constant\"\nvalue=0.5\n";
        let env = parse("file:x", text).unwrap();
        assert_eq!(env.arms(), 8);
        assert_eq!(env.labels()[3], "dose 2");
        assert_eq!(env.rewards()[3], Reward::Gaussian { mean: 1.0, sd: 2.5 });
        assert_eq!(env.rewards()[6], Reward::Uniform { low: -1.0, high: 1000.0 });
    }

    #[test]
    fn errors_name_the_line_and_the_field() {
        let cases = [
            ("", 1, "no arms"),
            ("[[arm]]\nkind = \"bernoulli\"\nmean = 1.5\n", 3, "`mean` must be between 0 and 1, got 1.5"),
            ("[[arm]]\nkind = \"bernoulli\"\nmean = nan\n", 3, "`mean` must be a finite number"),
            ("[[arm]]\nkind = \"bernoulli\"\nmena = 0.5\n", 3, "unknown field `mena`"),
            ("[[arm]]\nkind = \"bernoulli\"\n", 1, "has no `mean`"),
            ("[[arm]]\nmean = 0.5\n", 1, "no `kind`"),
            ("\n[[arm]]\nkind = \"coin\"\n", 3, "unknown `kind` \"coin\""),
            ("[[arm]]\nkind = \"uniform\"\nlow = 2\nhigh = 1\n", 4, "`high` must not be below `low`"),
            ("[[arm]]\nkind = \"gaussian\"\nmean = inf\nsd = 1\n", 3, "`mean` must be a finite number"),
            ("[[arm]]\nkind = \"gaussian\"\nmean = 0\nsd = -1\n", 4, "`sd` must be between"),
            ("[[arm]]\nkind = \"constant\"\nvalue = \"x\"\n", 3, "`value` must be a finite number"),
            ("[[arm]]\nkind = \"constant\"\nvalue = 1\ncount = 0\n", 4, "`count` must be a positive"),
            ("[[arm]]\nkind = \"constant\"\nvalue = 1\ncount = 1000000\n", 4, "1000000 arms are too many"),
            ("[[arm]]\nkind = \"constant\"\nvalue = = 1\n", 3, "not valid TOML"),
            ("[arm]\nkind = \"constant\"\n", 1, "write [[arm]]"),
            ("arms = 3\n", 1, "unknown field `arms`"),
        ];
        for (text, line, message) in cases {
            let (got_line, got) = fails(text);
            assert!(got.contains(message), "{text:?}: {got}");
            assert_eq!(got_line, line, "{text:?}: {got}");
        }
    }
}
