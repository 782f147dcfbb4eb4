//! A plain page of what is known: live numbers and our own pictures, no framework and nothing from elsewhere.

mod map;

use reticent_chart::numbers::{count, number};
use reticent_chart::page::{Page, Table};
use reticent_chart::plot::{Axis, ForestChart, ForestRow};
use reticent_privacy::Loss;
use reticent_schema::Experiment;
use serde_json::Value;

/// The empty page: public, because it holds nothing. Its script takes a key from the address's fragment, which browsers
/// never send, and asks for what the key may see every two seconds.
pub(crate) const SHELL: &str = include_str!("page.html");
pub(crate) const SCRIPT: &str = include_str!("page.js");

/// What is known of these experiments, as their insights say it.
pub(crate) fn page(known: &[(Experiment, Value)]) -> String {
    let lead = "What the service has learned, from randomised reports and from what its curator released.";
    let mark = "Nobody's record is on this page";
    let mut page = Page::new("Reticent", lead, mark);
    page.table(&overview(known));
    for (experiment, insight) in known {
        page.section(text(insight, "name"));
        page.paragraph(&about(insight));
        for warning in insight["warnings"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            page.paragraph(&format!("Warning: {warning}"));
        }
        page.paragraph(&spent(insight));
        if let Some(chart) = picture(experiment, insight) {
            page.chart(&chart.svg());
        }
        if let Some(chart) = map::picture(experiment, insight) {
            page.chart(&chart.svg());
        }
    }
    page.finish("Made by reticent serve. Intervals have a confidence of 95 %; those of a bandit hold at all times together.")
}

fn text<'a>(insight: &'a Value, name: &str) -> &'a str {
    insight[name].as_str().unwrap_or_default()
}

fn overview(known: &[(Experiment, Value)]) -> Table {
    let head = ["experiment", "kind", "phase", "people", "guarantee", "policy"];
    let row = |insight: &Value| {
        let policy = match (insight["policy"]["version"].as_u64(), insight["policy_age_seconds"].as_u64()) {
            (Some(version), Some(age)) => format!("version {version}, {age} s old"),
            _ => "–".into(),
        };
        let cells = [
            text(insight, "name").into(),
            text(insight, "kind").into(),
            text(insight, "phase").into(),
            insight["people"].as_u64().map_or("–".into(), count),
            words(&insight["guarantee"]),
            policy,
        ];
        (cells.to_vec(), false)
    };
    Table {
        head: head.map(String::from).to_vec(),
        rows: known.iter().map(|(_, insight)| row(insight)).collect(),
    }
}

/// The guarantee as everywhere else; it is read from the insight, and not made up here.
fn words(guarantee: &Value) -> String {
    serde_json::from_value::<reticent_privacy::Guarantee>(guarantee.clone())
        .map_or_else(|_| "–".into(), |guarantee| guarantee.to_string())
}

/// What is known, in a sentence.
fn about(insight: &Value) -> String {
    let people = insight["people"].as_u64().map_or("–".into(), count);
    match text(insight, "kind") {
        "bandit" | "contextual" => {
            let share = insight["undecided"].as_f64().unwrap_or(1.0);
            format!(
                "{people} reports count. For {:.0} % of people no arm is best with a probability of 0.9.{}{}",
                100.0 * share,
                refused(insight),
                forged(&insight["robustness"])
            )
        }
        "pricing" => format!(
            "{people} reports are collected. Learn prices from the log (GET .../log) with reticent price fit.{}",
            refused(insight)
        ),
        "trial" if insight["analysis"].is_null() => {
            format!(
                "{people} people are enrolled. Nothing was published yet: effects come when a table is closed."
            )
        }
        "trial" => format!("{people} people are enrolled."),
        "tuning" if insight["release"].is_null() => "No function was released yet.".into(),
        "tuning" => "A function is released: ask for predictions.".into(),
        other => format!("An experiment of kind {other}."),
    }
}

/// Reports that did not count, with why.
fn refused(insight: &Value) -> String {
    let of = |name: &str| insight[name].as_object().into_iter().flatten();
    let counts = of("refused_on_arrival").chain(of("refused"));
    let told: Vec<String> = counts
        .filter_map(|(reason, count)| Some((reason, count.as_u64()?)))
        .filter(|(_, number)| *number > 0)
        .map(|(reason, number)| format!("{} {}", count(number), reason.replace('-', " ")))
        .collect();
    if told.is_empty() { String::new() } else { format!(" Not taken: {}.", told.join(", ")) }
}

/// What it cost people so far.
fn spent(insight: &Value) -> String {
    let (each, all) = (&insight["spent"]["each_report"], &insight["spent"]["all_people"]);
    match (loss(each), loss(all)) {
        (Some(loss), _) => format!("Privacy: each report costs who sends it {loss}."),
        (None, Some(loss)) => format!("Privacy: all releases together cost each person {loss}."),
        (None, None) => "Privacy: nothing was released, and nothing is spent.".into(),
    }
}

fn loss(value: &Value) -> Option<String> {
    Some(match serde_json::from_value(value.clone()).ok()? {
        Loss::Pure { epsilon } => format!("an epsilon of {epsilon}"),
        Loss::Approximate { epsilon, delta } => format!("an epsilon of {epsilon} and a delta of {delta}"),
        Loss::Concentrated { rho } => format!("a rho of {rho}"),
        Loss::Unbounded => "without a bound".into(),
    })
}

/// What forged reports could have changed.
fn forged(robustness: &Value) -> String {
    let percent = |share: f64| format!("{} %", number(100.0 * share));
    if let (Some(winner), Some(up_to)) = (robustness["winner"].as_str(), robustness["stays_up_to"].as_f64()) {
        return format!(
            " {winner} stays the winner if fewer than {} of the reports are forged.",
            percent(up_to)
        );
    }
    let told = robustness["moved"].as_array().into_iter().flatten();
    let told = told.filter_map(|moved| Some((moved["share"].as_f64()?, moved["people"].as_f64()?)));
    // What more forgers can do is no news once fewer can do it to everybody.
    let all = told.clone().position(|(_, people)| people > 0.9995).unwrap_or(usize::MAX);
    let told: Vec<String> = told
        .take(all.saturating_add(1))
        .map(|(share, people)| {
            format!("{} of reports to groups with {} of people", percent(share), percent(people))
        })
        .collect();
    if told.is_empty() {
        return String::new();
    }
    format!(" Forgers who all aim at one group could have given it another arm: {}.", told.join(", "))
}

/// Each arm with its interval; each effect of a trial.
fn picture(experiment: &Experiment, insight: &Value) -> Option<ForestChart> {
    let (title, axis, rows) = if let Some(arms) = insight["arms"].as_array() {
        ("What is known of each arm", "mean reward", arms.iter().map(arm).collect::<Vec<_>>())
    } else {
        let effects = insight["analysis"]["effects"].as_array()?;
        ("Effects for everyone", "effect", effects.iter().filter_map(|one| effect(experiment, one)).collect())
    };
    (!rows.is_empty()).then(|| ForestChart {
        title: title.into(),
        x: Axis::linear(axis),
        rows,
        note_name: "estimate".into(),
        ..ForestChart::default()
    })
}

fn pair(interval: &Value) -> Option<(f64, f64)> {
    Some((interval[0].as_f64()?, interval[1].as_f64()?))
}

fn arm(one: &Value) -> ForestRow {
    let best = one["probability_of_best"].as_f64().unwrap_or(0.0);
    let estimate = one["mean"].as_f64();
    ForestRow {
        name: text(one, "name").into(),
        estimate,
        interval: pair(&one["interval"]),
        note: format!("{}, best with {:.0} %", estimate.map_or("–".into(), number), 100.0 * best),
        ..ForestRow::default()
    }
}

/// Everyone's effect of an arm against the first.
fn effect(experiment: &Experiment, one: &Value) -> Option<ForestRow> {
    let arms = experiment.problem().arms();
    let arm = arms.get(usize::try_from(one["arm"].as_u64()?).ok()?)?;
    let (interval, end) = (&one["simultaneous"], |name: &str| one["simultaneous"][name].as_f64());
    one["stratum"].is_null().then_some(())?;
    Some(ForestRow {
        name: format!("{arm} against {}", arms.first()?),
        estimate: interval["estimate"].as_f64(),
        interval: end("low").zip(end("high")),
        note: end("estimate").map_or("–".into(), number),
        ..ForestRow::default()
    })
}
