//! Where people went: who was enrolled, who has an outcome, who has none, who is analysed. Every count is one
//! that the release has, or a sum of such; how exact it is stands beside it.

use reticent_curate::trial::{Release, Table};
use serde::{Deserialize, Serialize};

use super::Document;
use super::digits::people;
use reticent_chart::page::{self, Page};
use reticent_chart::plot::{FlowBox, FlowChart};

/// So many people, up to noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// How many: may be negative through the noise.
    pub people: f64,
    /// One standard deviation of the noise; 0 if the count is exact.
    pub noise: f64,
}

/// What became of an arm's people.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowArm {
    /// The arm.
    pub arm: String,
    /// Who was assigned to it. Exact where one coin is for all; none before the end of a trial whose chances
    /// follow its tables, because whose outcome is still to come is in no table.
    pub assigned: Option<Counted>,
    /// Whose outcome came in time for their table.
    pub in_time: Option<Counted>,
    /// Whose outcome came later; none in a trial with one table, which closes at the end.
    pub late: Option<Counted>,
    /// Who has no outcome: it never came, came after the end, or consent was withdrawn.
    pub without: Option<Counted>,
    /// Who is analysed.
    pub analysed: Option<Counted>,
}

/// Where people went.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Flow {
    /// People enrolled, exactly.
    pub enrolled: u64,
    /// People of the epochs whose table is published, exactly.
    pub tabled: u64,
    /// Each arm.
    pub arms: Vec<FlowArm>,
}

impl Counted {
    fn exact(people: u64) -> Counted {
        Counted { people: people as f64, noise: 0.0 }
    }

    fn plus(self, other: Counted) -> Counted {
        Counted { people: self.people + other.people, noise: self.noise.hypot(other.noise) }
    }

    fn words(self) -> String {
        if self.noise == 0.0 {
            return people(self.people);
        }
        format!("about {} (± {})", people(self.people), people(self.noise.max(1.0)))
    }
}

impl Flow {
    pub(super) fn of(release: &Release) -> Flow {
        let (spec, schedule) = (release.spec(), release.schedule());
        let closed = release.tables().len();
        let tabled = match release.is_stopped() {
            true => release.enrolled(),
            false if closed == 0 => 0,
            false => schedule.end(closed - 1).min(release.enrolled()),
        };
        let arms = (0..spec.arms()).map(|arm| match release.whole() {
            Some(_) => of_one_table(release, arm),
            None => of_epochs(release, arm),
        });
        Flow { enrolled: release.enrolled(), tabled, arms: arms.collect() }
    }
}

/// The noise of one published sum, in people.
pub(super) fn noise_of_sum(release: &Release) -> f64 {
    let pure = release.spec().epsilon().filter(|_| release.spec().draft().adjust.is_none());
    match (release.whole(), pure) {
        (Some(whole), Some(epsilon)) => std::f64::consts::SQRT_2 * whole.form.sensitivity() / epsilon.value(),
        _ => release.spec().noise_in_a_count(),
    }
}

/// Arms are public, so that they are counted exactly; missing outcomes with noise.
fn of_one_table(release: &Release, arm: usize) -> FlowArm {
    let name = release.spec().draft().arms[arm].clone();
    let Some(whole) = release.whole() else { return nothing(name) };
    let units = f64::from(reticent_curate::trial::STEPS) * whole.form.missing;
    let without = Counted {
        people: whole.missing[arm] as f64 / units,
        noise: noise_of_sum(release) / whole.form.missing,
    };
    let assigned = Counted::exact(whole.people[arm]);
    let seen = Counted { people: assigned.people - without.people, noise: without.noise };
    FlowArm {
        arm: name,
        assigned: Some(assigned),
        in_time: Some(seen),
        late: None,
        without: Some(without),
        analysed: Some(seen),
    }
}

fn nothing(arm: String) -> FlowArm {
    FlowArm { arm, assigned: None, in_time: None, late: None, without: None, analysed: None }
}

fn of_epochs(release: &Release, arm: usize) -> FlowArm {
    let spec = release.spec();
    let name = spec.draft().arms[arm].clone();
    if release.tables().is_empty() {
        return nothing(name);
    }
    let noise = spec.noise_in_a_count();
    // People with an outcome are the sum of two or three counts.
    let parts = if spec.draft().outcome.binary { 2.0_f64 } else { 3.0 };
    let sum = |tables: &[Table]| {
        let cells = (tables.len() * spec.strata()) as f64;
        let (mut with, mut without) = (0.0, 0.0);
        for table in tables {
            for stratum in 0..spec.strata() {
                let cell = table.cell(stratum * spec.arms() + arm);
                (with, without) = (with + cell.people(), without + cell.missing);
            }
        }
        let of = |people: f64, counts: f64| Counted { people, noise: noise * counts.sqrt() };
        (of(with, cells * parts), of(without, cells))
    };
    let (in_time, mut without) = sum(release.tables());
    let late = release.is_stopped().then(|| sum(release.late()));
    let mut analysed = in_time;
    if let Some((with, more)) = late {
        (analysed, without) = (analysed.plus(with), without.plus(more));
    }
    FlowArm {
        arm: name,
        assigned: late.map(|_| analysed.plus(without)),
        in_time: Some(in_time),
        late: late.map(|(with, _)| with),
        without: Some(without),
        analysed: Some(analysed),
    }
}

/// More columns cannot be read.
const MOST_COLUMNS: usize = 5;

pub(super) fn section(page: &mut Page, document: &Document) {
    let flow = &document.flow;
    page.section("Flow of people");
    let exact = if document.spec.has_one_table() {
        "How many were enrolled, and how many of them were assigned to each arm, is exact: it is public, and tells nothing about anybody."
    } else {
        "How many were enrolled is exact and public. Who was assigned to which arm depends on strata here, and is counted with noise."
    };
    page.paragraph(&format!(
        "{exact} Counts marked \u{201c}about\u{201d} have noise; ± is one standard deviation of it. Whoever has no outcome, because it never came, came after the end, \
         or because they withdrew their consent before their table was published, is in one count: a count for each reason would need noise of its own. \
         Whoever withdrew later is in the table that was published before."
    ));
    if flow.arms.len() <= MOST_COLUMNS {
        page.chart(&chart(document).svg());
    }
    page.table(&table(flow));
}

fn chart(document: &Document) -> FlowChart {
    let flow = &document.flow;
    let planned = document.spec.draft().people;
    let mut lines = vec![format!("{} of {} planned", people(flow.enrolled as f64), people(planned as f64))];
    if !document.stopped && !document.spec.has_one_table() {
        lines.push(format!("{} in epochs whose table is published", people(flow.tabled as f64)));
    }
    FlowChart {
        top: FlowBox { title: "Enrolled and randomised".into(), lines },
        columns: flow.arms.iter().map(column).collect(),
        ..FlowChart::default()
    }
}

fn column(arm: &FlowArm) -> Vec<FlowBox> {
    let words = |count: Option<Counted>| count.map_or("not known yet".into(), Counted::words);
    let one = |title: &str, lines: Vec<String>| FlowBox { title: title.into(), lines };
    let mut known = vec![words(arm.in_time)];
    if let Some(late) = arm.late {
        known = vec![format!("in time: {}", words(arm.in_time)), format!("late: {}", late.words())];
    }
    vec![
        one(&format!("Assigned to {}", arm.arm), vec![words(arm.assigned)]),
        one("Outcome known", known),
        one("No outcome: lost, too late, or withdrawn", vec![words(arm.without)]),
        one("Analysed", vec![words(arm.analysed)]),
    ]
}

fn table(flow: &Flow) -> page::Table {
    let head = ["arm", "assigned", "outcome in time", "late", "no outcome", "analysed"];
    let words = |count: Option<Counted>| count.map_or("–".into(), Counted::words);
    let rows = flow.arms.iter().map(|arm| {
        let counts = [arm.assigned, arm.in_time, arm.late, arm.without, arm.analysed].map(words);
        (std::iter::once(arm.arm.clone()).chain(counts).collect(), false)
    });
    page::Table { head: head.map(String::from).to_vec(), rows: rows.collect() }
}
