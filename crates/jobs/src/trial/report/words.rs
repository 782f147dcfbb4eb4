//! The report in sentences.

use reticent_curate::trial::{Better, Interval};

use reticent_privacy::Epsilon;

use super::Document;
use super::digits::{decimals_of, ends, people, plain, short};
use super::document::EffectRow;

/// The interval that a row may be read by: the planned one at the planned end, and before it the one that
/// holds at any time.
pub(super) fn shown(row: &EffectRow) -> Interval {
    row.planned.map_or(row.anytime, |planned| planned.augmented)
}

pub(super) fn percent(confidence: f64) -> String {
    let text = format!("{:.1}", 100.0 * confidence);
    format!("{} %", text.trim_end_matches(".0"))
}

/// The result in one sentence: of the only treatment, or of all of them.
pub(super) fn headline(document: &Document) -> String {
    let everyone: Vec<&EffectRow> = document.effects.iter().filter(|row| row.stratum.is_none()).collect();
    match everyone[..] {
        [] => String::new(),
        [only] => of_one(document, only),
        _ => of_several(document, &everyone),
    }
}

/// Whether a change is for the better, in words.
fn verdict(document: &Document, raised: bool) -> &'static str {
    let good = raised == (document.spec.better() == Better::Higher);
    if good { "for the better" } else { "for the worse" }
}

/// What an interval shows: `raised`, `lowered`, or nothing.
fn shows(interval: &Interval) -> Option<(&'static str, bool)> {
    match (interval.low > 0.0, interval.high < 0.0) {
        (true, _) => Some(("raised", true)),
        (_, true) => Some(("lowered", false)),
        _ => None,
    }
}

fn of_one(document: &Document, row: &EffectRow) -> String {
    let interval = shown(row);
    let decimals = decimals_of([interval].iter());
    let plan = document.spec.draft();
    let (confidence, between) = (percent(plan.confidence), ends(&interval, decimals));
    let so_far = if document.complete { "" } else { "So far, " };
    let (arm, control, outcome) = (&row.arm, &row.against, &plan.outcome.column);
    let on_average = if document.strata.len() > 1 { " on average" } else { "" };
    if let Some((word, raised)) = shows(&interval) {
        let change = plain(interval.estimate.abs(), decimals);
        let verdict = verdict(document, raised);
        return format!(
            "{so_far}{arm} rather than {control} {word} the mean of {outcome} by {change}{on_average}, {verdict} ({confidence} interval {between})."
        );
    }
    let both = if document.complete { "This trial does not" } else { "So far, this trial does not" };
    format!(
        "{both} show whether {arm} or {control} is better{on_average}: the difference in mean {outcome} may be anything from {between} ({confidence} interval)."
    )
}

/// Every arm that differs from the control, by intervals that hold together; and those that may not.
fn of_several(document: &Document, rows: &[&EffectRow]) -> String {
    let all: Vec<Interval> = rows.iter().map(|row| together(row)).collect();
    let decimals = decimals_of(all.iter());
    let plan = document.spec.draft();
    let (control, outcome) = (&rows[0].against, &plan.outcome.column);
    let clear = rows.iter().zip(&all).filter_map(|(row, interval)| {
        let (word, raised) = shows(interval)?;
        let (change, verdict) = (plain(interval.estimate.abs(), decimals), verdict(document, raised));
        Some(format!("{} {word} it by {change}, {verdict} ({})", row.arm, ends(interval, decimals)))
    });
    let clear: Vec<String> = clear.collect();
    let open = rows.iter().zip(&all).filter(|(_, interval)| shows(interval).is_none());
    let open: Vec<String> =
        open.map(|(row, interval)| format!("{} ({})", row.arm, ends(interval, decimals))).collect();
    let on_average = if document.strata.len() > 1 { ", on average" } else { "" };
    let so_far = if document.complete { "Against" } else { "So far, against" };
    let mut parts = clear;
    if !open.is_empty() {
        parts.push(format!("whether better or worse is not shown for {}", open.join(" and ")));
    }
    format!(
        "{so_far} {control}, and by the mean of {outcome}{on_average}: {}. These intervals hold together with {}.",
        parts.join("; "),
        percent(plan.confidence)
    )
}

/// Which outcomes are good ones, in words.
pub(super) fn direction(document: &Document) -> String {
    let (plan, better) = (document.spec.draft(), document.spec.better());
    let (column, word) = (&plan.outcome.column, better.word());
    let old =
        if document.spec.is_old() { " The plan does not say so: it is from before plans did." } else { "" };
    format!("A {word} {column} is taken to be better.{old}")
}

/// The interval that a headline may rest on: one that holds together with all others.
fn together(row: &EffectRow) -> Interval {
    row.simultaneous.unwrap_or_else(|| shown(row))
}

/// For whom an arm is better or worse than the control, which an average can hide.
pub(super) fn by_stratum(document: &Document) -> Vec<String> {
    if document.strata.len() < 2 {
        return Vec::new();
    }
    let sentence = |arm: &String| {
        let rows: Vec<&EffectRow> =
            document.effects.iter().filter(|row| row.arm == *arm && row.stratum.is_some()).collect();
        let names = |clear: &dyn Fn(Interval) -> bool| -> Vec<&str> {
            rows.iter().filter(|row| clear(together(row))).filter_map(|row| row.stratum.as_deref()).collect()
        };
        let (raised, lowered) = (names(&|one| one.low > 0.0), names(&|one| one.high < 0.0));
        let (better, worse) = match document.spec.better() {
            Better::Higher => (raised, lowered),
            Better::Lower => (lowered, raised),
        };
        let open = rows.len() - better.len() - worse.len();
        format!(
            "By stratum, {arm} is better than {} for {}, worse for {}, and undecided for {open} of {}. {} of trials without any effect name no stratum here.",
            document.arms()[0],
            listed(&better),
            listed(&worse),
            rows.len(),
            percent(document.spec.draft().confidence)
        )
    };
    document.arms().iter().skip(1).map(sentence).collect()
}

/// Names while they are few.
fn listed(names: &[&str]) -> String {
    match names.len() {
        0 => "none".into(),
        1..=4 => format!("{} ({})", names.len(), names.join("; ")),
        many => many.to_string(),
    }
}

/// Where the noise came from.
pub(super) fn noise(document: &Document) -> String {
    format!("noise: {}", document.noise)
}

/// How far the trial has come.
pub(super) fn progress(document: &Document) -> String {
    let planned = people(document.spec.draft().people as f64);
    let enrolled = people(document.enrolled as f64);
    let epochs = document.epochs.len();
    let epochs = if epochs == 1 { "1 epoch".to_string() } else { format!("{epochs} epochs") };
    if document.complete {
        return format!("Complete: all {planned} planned people were enrolled, in {epochs}.");
    }
    let state = if document.stopped { "Stopped early" } else { "Still running" };
    format!(
        "{state}: {enrolled} of {planned} planned people were enrolled, in {epochs}. Only intervals that hold whenever one looks are shown. The shorter planned \
         intervals are valid at the planned end alone: read earlier, or because the result looked good, they would miss the truth more often than they say."
    )
}

/// What anybody can learn about one person.
pub(super) fn privacy(document: &Document) -> Vec<String> {
    let Some(epsilon) = document.spec.epsilon() else {
        return vec![
            "This trial is not private. It was run as a baseline, its counts are exact, and what one person contributed may be read from them.".into(),
        ];
    };
    let promised = document.promised();
    let doubt = match promised.protects() {
        Some(true) => None,
        Some(false) => Some(
            "This report is of a simulation, not private: its noise comes from a seed, and whoever has the seed can take it off again. If the rows are real people's, do not publish this page. What follows is what a trial promises that is run with the operating system's entropy.",
        ),
        None => Some(
            "Where the noise of this report came from is not stated. What follows holds if it came from the operating system, and not if it came from a seed.",
        ),
    };
    let times = libm::exp(epsilon.value());
    let promise = [
        format!(
            "If you took part: whatever anyone concludes from this report is at most e^{epsilon} = {} times more likely, and at least {} times as likely, than if your row \
             had been anybody else's. This holds for your features, your outcome, and whether and when it came; against readers who know everything about everyone else; \
             and for ever. It does not hide that somebody was enrolled at a given place in the order.",
            short(times),
            short(1.0 / times),
        ),
        price(document, epsilon),
    ];
    doubt.map(String::from).into_iter().chain(promise).collect()
}

/// What it costs each person, and what that costs the answer.
fn price(document: &Document, epsilon: Epsilon) -> String {
    let off = short(document.noise_in_a_count);
    if document.spec.has_one_table() {
        return format!(
            "The trial costs each person this one ε = {epsilon}, whatever the number of features, arms and analyses: one table of sums was published, at the end, and all else is computed \
             from it. Who was given which arm is public: it was one coin for all, and tells nothing about anybody. The price is noise: every published sum is off by as much as about {off} \
             people make (one standard deviation). All intervals below have this noise in them."
        );
    }
    format!(
        "The trial costs each person this one ε = {epsilon}, whatever the number of features, arms, epochs, looks and analyses: each person is counted in one cell of one \
         table, and all else is computed from the tables. The price is noise: every published count is off by about {off} people (one standard deviation), \
         and small counts may even be negative. All intervals below have this noise in them."
    )
}

/// What was assumed.
pub(super) fn reading(document: &Document) -> Vec<String> {
    let confidence = percent(document.spec.draft().confidence);
    let strata = document.strata.len();
    let mut all = vec![
        format!(
            "An interval says: in {confidence} of trials like this one, it contains the true effect. Planned intervals rest on a normal approximation over epochs, with the noise's \
             variance and tails counted in, and are for the end that was planned. Anytime intervals hold at all looks at once, and are wider for it."
        ),
        "Assignment was random with published chances, which changed between epochs and depended on published tables alone. An epoch in which an arm had no chance tells nothing about \
         its effect and has no weight in it. The two estimators by propensity compare arms within each epoch; the difference in means also assumes that the mean outcome of an arm \
         in a stratum did not drift from the first epoch to the last."
            .into(),
        "People without an outcome are counted as missing and left out: effects are those among people whose outcome came. If who is missing depends on the arm and on the outcome, they are biased, \
         and no analysis of these tables can tell."
            .into(),
        "Means of arms are shrunk a little to the middle of the range, and regret is estimated: it takes the arm that looks best to be the best. The plan was fixed before the first person, \
         and the first arm is the control."
            .into(),
    ];
    if strata > 1 {
        let false_alarms = strata as f64 * (1.0 - document.spec.draft().confidence);
        all.push(format!(
            "Each interval in the table has its own {confidence}: among {strata} strata without any effect, about {} would be expected to exclude zero by chance. The sentence on strata at the \
             top rests on wider intervals, which hold together with {confidence} (Bonferroni).",
            short(false_alarms)
        ));
    }
    all
}
