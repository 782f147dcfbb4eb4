//! The released function as charts.

use reticent_curate::kernel::{Input, KernelSpec, Points};

use super::{Function, Prediction};
use reticent_chart::numbers::{number, tidy};
use reticent_chart::plot::{Axis, Cells, Chart, MapAxis, MapChart, Panel, Series, stack};

/// Points along an axis of a chart.
const STEPS: usize = 97;
/// Cells along a side of a map.
const CELLS: usize = 72;

/// More charts than this make no picture. Inputs beyond are told in its note.
const MOST: usize = 24;

enum Figure {
    Lines(Chart),
    Map(MapChart),
}

impl Figure {
    fn svg(self, note: Option<String>) -> String {
        match self {
            Figure::Lines(chart) => Chart { note, ..chart }.svg(),
            Figure::Map(chart) => MapChart { note, ..chart }.svg(),
        }
    }
}

/// The best action and what is expected of it against each context input, the others in the middle of their
/// ranges; without contexts, what is expected along each action. One SVG document.
pub fn charts(function: &Function) -> String {
    let setting = function.setting();
    let (actions, contexts) = (setting.actions(), setting.contexts());
    let mut all = Vec::new();
    if contexts == 0 {
        all.extend((0..actions).map(|action| Figure::Lines(along_action(function, action))));
    }
    // A map shows the best action already.
    let mapped = (actions, contexts) == (1, 1) && setting.draft().contexts[0].levels.is_none();
    if mapped {
        all.push(Figure::Map(map(function)));
    }
    let drawn = contexts.min((MOST / (actions + 1)).max(1));
    for context in 0..drawn {
        let best = along_context(function, context);
        if !mapped {
            let chart = |action| Figure::Lines(action_chart(function, context, action, &best));
            all.extend((0..actions).map(chart));
        }
        all.push(Figure::Lines(reward_chart(function, context, &best)));
    }
    let last = all.len().saturating_sub(1);
    let note = note(function, contexts - drawn);
    let noted = all.into_iter().enumerate().map(|(i, one)| one.svg((i == last).then(|| note.clone())));
    stack(&noted.collect::<Vec<_>>())
}

/// Values over an input's range.
fn over(input: &Input) -> Vec<f64> {
    if let Some(levels) = &input.levels {
        return (0..levels.len()).map(|level| level as f64 + 0.5).collect();
    }
    let value = |step: usize| input.low + (input.high - input.low) * step as f64 / (STEPS - 1) as f64;
    (0..STEPS).map(value).collect()
}

/// An input's name, and its levels by their numbers.
fn titled(input: &Input) -> String {
    let Some(levels) = &input.levels else { return input.column.clone() };
    let each = levels.iter().enumerate().map(|(place, level)| format!("{place}.5 {level}"));
    format!("{} ({})", input.column, each.collect::<Vec<_>>().join(", "))
}

fn middles(setting: &KernelSpec) -> Vec<f64> {
    setting.draft().contexts.iter().map(Input::middle).collect()
}

/// The best action at each value of one context input.
fn along_context(function: &Function, context: usize) -> Vec<(f64, Prediction)> {
    let setting = function.setting();
    let mut at = middles(setting);
    let one = |value: f64| {
        at[context] = value;
        (value, function.best(&at))
    };
    over(&setting.draft().contexts[context]).into_iter().map(one).collect()
}

fn note(function: &Function, left_out: usize) -> String {
    let release = function.release();
    let people = number(release.people() as f64);
    let rest =
        if left_out == 0 { String::new() } else { format!(" {left_out} more context inputs are not drawn.") };
    format!(
        "{}, learned from {people} people. Charts and predictions cost no more.{rest}",
        release.guarantee()
    )
}

/// A value, or the level that it stands for.
fn shown(input: &Input, value: f64) -> String {
    input.level(value).map_or_else(|| tidy(value), String::from)
}

/// Where the other context inputs are held.
fn held(setting: &KernelSpec, but: usize) -> Option<String> {
    let others = setting.draft().contexts.iter().zip(middles(setting)).enumerate().filter(|(i, _)| *i != but);
    let texts: Vec<String> =
        others.map(|(_, (input, middle))| format!("{} = {}", input.column, shown(input, middle))).collect();
    if texts.is_empty() {
        None
    } else {
        Some(format!("at {}, the middle of the declared range", texts.join(", ")))
    }
}

fn subtitle(setting: &KernelSpec, context: usize, band: bool) -> Option<String> {
    let band =
        band.then(|| "shaded: 95 % band, from privacy noise, chance and smoothness together".to_string());
    let parts: Vec<String> = held(setting, context).into_iter().chain(band).collect();
    if parts.is_empty() { None } else { Some(parts.join("; ")) }
}

fn action_chart(function: &Function, context: usize, action: usize, best: &[(f64, Prediction)]) -> Chart {
    let plan = function.setting().draft();
    let (x, y) = (&plan.contexts[context].column, &plan.actions[action]);
    let points = best.iter().map(|(value, found)| (*value, found.action[action])).collect();
    let ends = [plan.contexts[context].low, plan.contexts[context].high];
    let edge = |name: &str, at: f64| Series::bound(name, ends.map(|x| (x, at)).to_vec());
    Chart {
        title: format!("The best {} by {x}", y.column),
        subtitle: subtitle(function.setting(), context, false),
        x: Axis::linear(titled(&plan.contexts[context])),
        y: Axis::linear(y.column.clone()),
        series: vec![Series::measured("best", points), edge("lowest", y.low), edge("highest", y.high)],
        note: None,
    }
}

fn reward_chart(function: &Function, context: usize, best: &[(f64, Prediction)]) -> Chart {
    let setting = function.setting();
    let plan = setting.draft();
    let (x, y) = (&plan.contexts[context].column, &plan.reward.column);
    let points = best.iter().map(|(value, found)| (*value, found.mean)).collect();
    let band = best.iter().map(|(_, found)| (found.low, found.high)).collect();
    let mut middle = middles(setting);
    let action: Vec<f64> = plan.actions.iter().map(|input| f64::midpoint(input.low, input.high)).collect();
    let fixed = over(&plan.contexts[context]).into_iter().map(|value| {
        middle[context] = value;
        (value, function.at(&action, &middle).mean)
    });
    let best_name = match plan.actions.as_slice() {
        [one] => format!("best {}", one.column),
        _ => "best actions".into(),
    };
    let name = match plan.actions.as_slice() {
        [one] => format!("{} = {}", one.column, tidy(action[0])),
        _ => "middle actions".into(),
    };
    let fixed = Series::bound(name, fixed.collect());
    Chart {
        title: format!("Expected {y} of the {best_name}, by {x}"),
        subtitle: subtitle(setting, context, true),
        x: Axis::linear(titled(&plan.contexts[context])),
        y: Axis::linear(y.clone()),
        series: vec![Series::measured(best_name, points).with_band(band), fixed],
        note: None,
    }
}

/// What is expected along one action, the others at their best: only if there are no contexts.
fn along_action(function: &Function, action: usize) -> Chart {
    let plan = function.setting().draft();
    let input = &plan.actions[action];
    let best = function.best(&[]);
    let mut at = best.action.clone();
    let found: Vec<(f64, Prediction)> = over(input)
        .into_iter()
        .map(|value| {
            at[action] = value;
            (value, function.at(&at, &[]))
        })
        .collect();
    let points = found.iter().map(|(value, found)| (*value, found.mean)).collect();
    let band = found.iter().map(|(_, found)| (found.low, found.high)).collect();
    let others = if plan.actions.len() > 1 { "the other actions at their best; " } else { "" };
    Chart {
        title: format!("What is expected of each {}", input.column),
        subtitle: Some(format!(
            "best: {}; {others}shaded: 95 % band, from privacy noise, chance and smoothness together",
            tidy(best.action[action])
        )),
        x: Axis::linear(input.column.clone()),
        y: Axis::linear(plan.reward.column.clone()),
        series: vec![Series::measured("expected", points).with_band(band)],
        note: None,
    }
}

/// The mean over context and action, with the best action as a line.
fn map(function: &Function) -> MapChart {
    let plan = function.setting().draft();
    let (action, context) = (&plan.actions[0], &plan.contexts[0]);
    let middle = |cell: usize| (cell as f64 + 0.5) / CELLS as f64;
    let mut points = Points::new(2);
    for cell in 0..CELLS * CELLS {
        points.push(&[middle(cell / CELLS), middle(cell % CELLS)]);
    }
    let axis = |input: &Input| MapAxis { name: input.column.clone(), low: input.low, high: input.high };
    let line = along_context(function, 0).into_iter().map(|(value, best)| (value, best.action[0])).collect();
    let panel = Panel {
        title: String::new(),
        x: axis(context),
        y: Some(axis(action)),
        columns: CELLS,
        rows: CELLS,
        cells: Cells::Level {
            values: function.means(&points),
            label: format!("expected {}", plan.reward.column),
        },
        line,
    };
    MapChart {
        title: format!("The best {} by {}", action.column, context.column),
        subtitle: Some(format!("line: the best {}; colour: expected {}", action.column, plan.reward.column)),
        panels: vec![panel],
        categories: Vec::new(),
        note: None,
    }
}
