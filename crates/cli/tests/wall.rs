//! No report has a form for a raw record. Whoever gives one a new field, or makes a new type that could be a
//! report, is stopped here.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::Path;

use reticent_privacy::oracle;
use reticent_protocol::{Answer, Report, pricing};
use reticent_schema::Prefix;

/// Patterns without `..`: a new field or variant does not compile, and whoever adds it has to look at the wall.
#[test]
fn reports_carry_bits_and_symbols_alone() {
    let answer = Answer::Bit { arm: 0, bit: true };
    let prefix = Prefix::from_bytes([0; 4]);
    let report = Report { experiment: prefix, policy: 0, source: None, question: 0, answer };
    let Report { experiment, policy, source, question, answer } = report;
    let _: (Prefix, u64, Option<u32>, u32) = (experiment, policy, source, question);
    let _: (u32, bool, Vec<u64>) = match answer {
        Answer::Bit { arm, bit } => (arm, bit, Vec::new()),
        Answer::Symbol(oracle::Report::Index(index)) => (index, false, Vec::new()),
        Answer::Symbol(oracle::Report::Set(words)) => (0, false, words),
    };

    let pricing::Report { question, output } = pricing::Report { question: 0, output: 0 };
    let _: (u32, u32) = (question, output);
}

/// What could be a report by its name, in the crates on either side of the wall.
const REPORT_LIKE: [&str; 7] = ["Report", "Record", "Response", "Answer", "Channel", "Open", "Raw"];

/// Each was looked at. `Record` on the device is what a report is made of and has no stored form; `Raw` types
/// are the unchecked forms of specs and policies; channels say how a symbol is randomised.
const LOOKED_AT: [&str; 17] = [
    "device/contextual/privatiser.rs: Record",
    "device/contextual/record.rs: Record",
    "device/device.rs: Record",
    "device/mab/privatiser.rs: Record",
    "device/pricing/privatiser.rs: Record",
    "learn/contextual/mod.rs: Open",
    "learn/contextual/tests/posterior.rs: Answer",
    "learn/pricing/answers.rs: Answers",
    "protocol/contextual/question.rs: Channel",
    "protocol/delivery.rs: ReportId",
    "protocol/mab/spec.rs: Channel",
    "protocol/report.rs: Answer",
    "protocol/report.rs: Report",
    "protocol/pricing/channel.rs: Channel",
    "protocol/pricing/report.rs: Report",
    "protocol/pricing/report.rs: ReportError",
    "protocol/pricing/log/tests.rs: Reports",
];

fn declared(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            declared(&path, &name, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for line in text.lines() {
                let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let at = words.iter().position(|word| ["struct", "enum", "type"].contains(word));
                let declared =
                    at.and_then(|at| words.get(at + 1)).filter(|_| !line.trim_start().starts_with("//"));
                if let Some(declared) = declared
                    && REPORT_LIKE.iter().any(|like| declared.starts_with(like))
                    && *declared != "Raw"
                    && *declared != "RawAxis"
                {
                    found.insert(format!("{name}: {declared}"));
                }
            }
        }
    }
}

#[test]
fn whatever_could_be_a_report_was_looked_at() {
    let mut found = BTreeSet::new();
    for name in ["protocol", "device", "learn"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        declared(&folder, name, &mut found);
    }
    let known: BTreeSet<String> = LOOKED_AT.map(String::from).into();
    let new: Vec<&String> = found.difference(&known).collect();
    assert!(new.is_empty(), "look at these, then list them here: {new:?}");
    assert!(found.len() >= 6, "the search finds nothing: {found:?}");
}
