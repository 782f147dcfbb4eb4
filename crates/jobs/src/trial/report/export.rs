//! What a release says, as tables for other programs: a row for each effect, count, arm and check, and a
//! dictionary that says what every column means. Statisticians read these into R or Stata.

use std::path::{Path, PathBuf};

use reticent_curate::trial::Interval;
use reticent_store::files::{self, FileError};

use super::Document;
use super::document::EffectRow;
use super::flow::Counted;

/// What [`write_tables`] makes in its folder.
pub const TABLES: [&str; 5] = ["effects.csv", "counts.csv", "flow.csv", "checks.csv", "dictionary.csv"];

/// A column: its table, name, type and unit, and what it means.
type Column = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// In the order of the tables' columns.
const DICTIONARY: [Column; 31] = [
    ("effects", "arm", "text", "", "the arm whose effect it is"),
    ("effects", "against", "text", "", "the control: the plan's first arm"),
    ("effects", "stratum", "text", "", "for whom; everyone if it is the average over all strata"),
    (
        "effects",
        "interval",
        "text",
        "",
        "planned: at the planned end alone; simultaneous: holds together with those of the other arms, and of strata with those of all strata; anytime: holds whenever one looks",
    ),
    ("effects", "estimator", "text", "", "augmented is the one chosen beforehand"),
    ("effects", "estimate", "number", "outcome", "difference in mean outcome, arm less control"),
    ("effects", "low", "number", "outcome", "lower end of the interval, privacy noise included"),
    ("effects", "high", "number", "outcome", "upper end of the interval, privacy noise included"),
    ("effects", "confidence", "number", "share", "how often such intervals contain the truth"),
    ("effects", "better", "text", "", "which outcomes are good ones: higher or lower"),
    ("counts", "epoch", "integer", "", "epoch, from 1: people assigned with the same chances"),
    ("counts", "from", "integer", "people", "enrolments before the epoch, exactly"),
    ("counts", "to", "integer", "people", "enrolments by its end, exactly"),
    ("counts", "stratum", "text", "", "stratum"),
    ("counts", "arm", "text", "", "arm"),
    (
        "counts",
        "chance",
        "number",
        "share",
        "chance of the arm for the people of this epoch and stratum: public",
    ),
    (
        "counts",
        "people",
        "number",
        "people",
        "people with an outcome in time, with privacy noise; may be negative; empty before the table is published",
    ),
    ("counts", "missing", "number", "people", "people without one, likewise"),
    ("flow", "arm", "text", "", "arm"),
    (
        "flow",
        "stage",
        "text",
        "",
        "assigned, in-time, late, without (never came, too late, or withdrawn), analysed",
    ),
    ("flow", "people", "number", "people", "how many; empty if it is not published"),
    ("flow", "noise_sd", "number", "people", "standard deviation of the privacy noise in it; 0 if exact"),
    ("checks", "check", "text", "", "attrition, balance, level-drift, effect-drift, strata"),
    (
        "checks",
        "deviations",
        "number",
        "sd",
        "how far off, in standard deviations of chance and noise; empty if these tables cannot tell",
    ),
    ("checks", "rings", "boolean", "", "whether that is more than chance and noise explain (beyond 3)"),
    ("checks", "told", "text", "", "what it means"),
    ("dictionary", "table", "text", "", "file, without .csv"),
    ("dictionary", "column", "text", "", "column"),
    ("dictionary", "type", "text", "", "text, number, integer or boolean"),
    ("dictionary", "unit", "text", "", "outcome: the unit of the plan's outcome"),
    ("dictionary", "meaning", "text", "", "what it means"),
];

/// Writes [`TABLES`], and tells where.
pub fn write_tables(out: &Path, document: &Document) -> Result<Vec<PathBuf>, FileError> {
    let rows = [effects(document), counts(document), flow(document), checks(document), dictionary()];
    let mut written = Vec::new();
    for (name, rows) in TABLES.into_iter().zip(rows) {
        let path = out.join(name);
        let table = name.trim_end_matches(".csv");
        let head = DICTIONARY.iter().filter(|column| column.0 == table).map(|column| column.1.to_string());
        let text = csv(std::iter::once(head.collect()).chain(rows))
            .map_err(|error| FileError::new("cannot write", &path, error))?;
        files::write_whole(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

fn csv(rows: impl Iterator<Item = Vec<String>>) -> std::io::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        table.write_record(row)?;
    }
    table.into_inner().map_err(|error| std::io::Error::other(error.to_string()))
}

fn effects(document: &Document) -> Vec<Vec<String>> {
    let plan = document.spec.draft();
    let rows = document.effects.iter().flat_map(|row| intervals(row).into_iter().map(move |one| (row, one)));
    let cells = rows.map(|(row, (kind, estimator, interval))| {
        let stratum = row.stratum.clone().unwrap_or_else(|| "everyone".into());
        let Interval { estimate, low, high } = interval;
        let mut cells = vec![row.arm.clone(), row.against.clone(), stratum, kind.into(), estimator.into()];
        cells.extend([estimate, low, high, plan.confidence].map(|one| one.to_string()));
        cells.push(document.spec.better().word().into());
        cells
    });
    cells.collect()
}

fn intervals(row: &EffectRow) -> Vec<(&'static str, &'static str, Interval)> {
    let mut all = Vec::new();
    if let Some(planned) = &row.planned {
        all.push(("planned", "augmented", planned.augmented));
        all.push(("planned", "inverse-propensity", planned.inverse_propensity));
        all.extend(planned.difference_in_means.map(|one| ("planned", "difference-in-means", one)));
    }
    all.extend(row.simultaneous.map(|one| ("simultaneous", "augmented", one)));
    all.push(("anytime", "augmented", row.anytime));
    all
}

fn counts(document: &Document) -> Vec<Vec<String>> {
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut rows = Vec::new();
    for (place, epoch) in document.epochs.iter().enumerate() {
        for cell in &epoch.cells {
            let mut cells = [place as u64 + 1, epoch.start, epoch.end].map(|one| one.to_string()).to_vec();
            cells.extend([cell.stratum.clone(), cell.arm.clone(), cell.chance.to_string()]);
            cells.extend([number(cell.people), number(cell.missing)]);
            rows.push(cells);
        }
    }
    rows
}

fn flow(document: &Document) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for arm in &document.flow.arms {
        let stages = [
            ("assigned", arm.assigned),
            ("in-time", arm.in_time),
            ("late", arm.late),
            ("without", arm.without),
            ("analysed", arm.analysed),
        ];
        for (stage, count) in stages {
            let number = |of: fn(Counted) -> f64| count.map_or(String::new(), |one| of(one).to_string());
            rows.push(vec![arm.arm.clone(), stage.into(), number(|one| one.people), number(|one| one.noise)]);
        }
    }
    rows
}

fn checks(document: &Document) -> Vec<Vec<String>> {
    let row = |one: &super::Check| {
        let z = one.z.map_or(String::new(), |z| z.to_string());
        vec![one.name.clone(), z, one.rings.to_string(), one.told.clone()]
    };
    document.checks.iter().map(row).collect()
}

fn dictionary() -> Vec<Vec<String>> {
    let row = |&(table, column, kind, unit, meaning): &Column| {
        [table, column, kind, unit, meaning].map(String::from)
    };
    DICTIONARY.iter().map(|column| row(column).to_vec()).collect()
}
