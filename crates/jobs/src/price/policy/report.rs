//! A policy as one page for people: what is quoted to whom, what that earns, what it rests on, and what it tells about
//! anybody. No script, nothing from outside.

use reticent_chart::numbers::{count, tidy};
use reticent_chart::page::{Page, Table};
use reticent_learn::pricing::Policy;
use reticent_privacy::Loss;
use reticent_schema::{AxisKind, Field};

use super::chart::{chart_of_everybody, charts_along};
use super::{FittedLogs, Kept, Worth, earned};

/// More contexts than this are not drawn.
const DRAWN: usize = 6;
/// Below this share of covered people a policy is mostly guesswork.
const ENOUGH: f64 = 0.8;

/// The page.
pub fn report_page(done: &FittedLogs) -> String {
    let policy = &done.policy;
    let names: Vec<&str> = policy.terms().context().axes().map(|axis| axis.name).collect();
    let title = format!("Prices by {}", names.join(", "));
    let mut page = Page::new(&title, &headline(done), &format!("each record: {}", done.guarantee));
    quoted(&mut page, done);
    warnings(&mut page, done);
    if let Some(kept) = &done.kept {
        rules(&mut page, kept, earned(policy.objective()));
    }
    curves(&mut page, done);
    page.section("What this page can tell about a customer");
    for text in privacy(done) {
        page.paragraph(&text);
    }
    page.section("What was assumed, and how to read this");
    for text in assumed(done) {
        page.paragraph(&text);
    }
    page.finish(&format!(
        "Made by reticent {} from {} reports. Everything here is computed from privatised reports; no further look at anybody's data was taken.",
        env!("CARGO_PKG_VERSION"),
        count(policy.learned().reports)
    ))
}

/// `9.99`, without digits of arithmetic.
fn price(price: f64) -> String {
    let text = format!("{price:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

fn percent(share: f64) -> String {
    let text = format!("{:.1}", 100.0 * share);
    format!("{} %", text.trim_end_matches(".0"))
}

fn people(done: &FittedLogs) -> String {
    match done.target {
        Some(rows) => format!("the {} target contexts", count(rows)),
        None => "the log's own people".into(),
    }
}

/// Whether one price was asked for, and not chosen.
fn asked_single(done: &FittedLogs) -> bool {
    done.kept.as_ref().is_some_and(|kept| kept.asked.rules.single)
}

/// The result in one sentence.
fn headline(done: &FittedLogs) -> String {
    let what = earned(done.policy.objective());
    let Worth { mean, low, high } = done.worth;
    let sure = percent(done.policy.objective().confidence);
    let earn = format!(
        "{what} of {} a person is expected ({sure} interval {} to {})",
        tidy(mean),
        tidy(low),
        tidy(high)
    );
    match done.policy.choice() {
        Some(choice) if choice.caution.is_none() => {
            let why = if asked_single(done) { "" } else { " No other price surely gains for anybody." };
            format!("{} for everybody: {earn}.{why}", price(choice.single))
        }
        Some(choice) => format!(
            "Prices by context for {} of customers, {} for the rest: {earn}.",
            percent(choice.others),
            price(choice.single)
        ),
        None => format!("Prices by context: {earn}."),
    }
}

fn quoted(page: &mut Page, done: &FittedLogs) {
    let objective = done.policy.objective();
    let what = earned(objective);
    page.section("What is quoted, and what it earns");
    if let Some(choice) = done.policy.choice() {
        let single = price(choice.single);
        page.paragraph(&if asked_single(done) {
            format!("All customers get the single price {single}, as was asked.")
        } else if choice.caution.is_none() {
            format!("All customers get the single price {single}: with these records no other price is surely better for anybody.")
        } else {
            format!(
                "{} of {} get the single price {single}, because no other price surely gains for them. {} get another price; these gain {} in {what} a person over the single price, at least {} with 99 % confidence, on average over everybody.",
                percent(1.0 - choice.others),
                people(done),
                percent(choice.others),
                tidy(choice.gain),
                tidy(choice.gain_at_least)
            )
        });
    }
    let row = |name: String, worth: &Worth, ours: bool| {
        (vec![name, tidy(worth.mean), tidy(worth.low), tidy(worth.high)], ours)
    };
    let head = ["", &format!("{what} a person"), "at least", "at most"].map(String::from).to_vec();
    let rows = vec![
        row("this policy".into(), &done.worth, true),
        row(format!("{} for everybody", price(done.single.price)), &done.single.worth, false),
    ];
    page.table(&Table { head, rows });
    page.paragraph(&format!(
        "Both are estimates by the logs that the prices were learned from, with {} intervals; a log that was kept apart is a fairer judge (reticent price evaluate).",
        percent(objective.confidence)
    ));
}

fn warnings(page: &mut Page, done: &FittedLogs) {
    page.section("What to be careful about");
    let mut all = Vec::new();
    match done.guarantee.protects() {
        Some(true) => {}
        Some(false) => all.push(
            "These prices were learned from a simulated log: they are not private, and protect nobody."
                .into(),
        ),
        None => all.push("Where the noise of the logs came from is not stated.".into()),
    }
    let overlap = &done.overlap;
    if overlap.covered < ENOUGH {
        all.push(format!(
            "The log has next to no records for {} of {}: their prices rest on smoothness alone.",
            percent(1.0 - overlap.covered),
            people(done)
        ));
    }
    if overlap.covered_at_price < ENOUGH {
        all.push(format!(
            "For {} of {} the log does not show that it has records of the quoted price.",
            percent(1.0 - overlap.covered_at_price),
            people(done)
        ));
    }
    for (name, stretches) in &done.gaps {
        let each: Vec<String> =
            stretches.iter().map(|&(low, high)| format!("{} to {}", price(low), price(high))).collect();
        all.push(format!(
            "The log has {name} within {} alone, although it was declared as a range.",
            each.join(", ")
        ));
    }
    if !done.price_follows.is_empty() {
        all.push(format!(
            "The log's prices move with {}: if they were chosen by something that is not in the log and that moves demand, these prices are wrong, and no log can tell.",
            done.price_follows.join(", ")
        ));
    }
    if let Some((low, high)) = done.outcomes_rise {
        all.push(format!(
            "In the log outcomes are higher at {} than at {}: those were asked for more who would buy anyway, by something that is not in it. Everybody gets one price, and what it earns is not known before it is tried.",
            price(high),
            price(low)
        ));
    }
    if let Some(kept) = done.kept.as_ref().filter(|kept| !kept.sure) {
        let volume = kept.volume.map_or_else(String::new, |volume| {
            format!(": it is expected to be {}, and may be {}", tidy(volume.mean), tidy(volume.low))
        });
        all.push(format!("The volume that was asked for is not sure{volume}."));
    }
    if all.is_empty() {
        all.push(format!(
            "Nothing that the reports can show: {} of {} are where the log has records enough, {} with their quoted price too.",
            percent(overlap.covered),
            people(done),
            percent(overlap.covered_at_price)
        ));
    }
    for text in all {
        page.paragraph(&text);
    }
}

fn rules(page: &mut Page, kept: &Kept, what: &str) {
    page.section("Rules, and what they cost");
    let row = |name: String, worth: &Worth, ours: bool| {
        let cost = worth.low - kept.with.low;
        (
            vec![
                name,
                tidy(worth.mean),
                tidy(worth.low),
                if ours || cost <= 0.0 { "–".into() } else { tidy(cost) },
            ],
            ours,
        )
    };
    let head =
        ["", &format!("{what} a person"), "at least", "the lower end costs"].map(String::from).to_vec();
    let mut rows = vec![row("with all rules".into(), &kept.with, true)];
    for cost in &kept.each {
        rows.push(row(format!("without: {}", cost.rule), &cost.without, false));
    }
    if kept.each.len() > 1 {
        rows.push(row("without any rule".into(), &kept.without, false));
    }
    page.table(&Table { head, rows });
    let volume = kept.volume.map_or_else(String::new, |volume| {
        format!(
            " The expected volume is {} a person ({} to {}).",
            tidy(volume.mean),
            tidy(volume.low),
            tidy(volume.high)
        )
    });
    page.paragraph(&format!("The mean price is {}.{volume} Rules hold for every quote; those about volume and mean price for these people together.", price(kept.mean_price)));
}

fn curves(page: &mut Page, done: &FittedLogs) {
    let blind: &[String] = done.kept.as_ref().map_or(&[], |kept| &kept.asked.rules.blind_to);
    let policy = &done.policy;
    if policy.terms().context().dimension() == 0 {
        page.section("What each price would earn");
        page.chart(&chart_of_everybody(policy, &done.guarantee).svg());
        return;
    }
    page.section("Prices along each context");
    for (place, axis) in policy.terms().context().axes().enumerate().take(DRAWN) {
        if blind.iter().any(|name| name == axis.name) {
            page.paragraph(&format!("Prices do not look at {}.", axis.name));
            continue;
        }
        if let AxisKind::Category(_) = axis.kind {
            page.table(&levels(policy, place, axis.name));
            continue;
        }
        let [prices, earnings, curves] = charts_along(policy, &done.guarantee, place);
        page.chart(&prices.svg());
        if place == 0 {
            page.chart(&earnings.svg());
        }
        page.chart(&curves.svg());
    }
    let axes = policy.terms().context().dimension();
    if axes > DRAWN {
        page.paragraph(&format!("Of {axes} contexts the first {DRAWN} are shown."));
    }
}

/// What each level of a category gets, with all other contexts in the middle.
fn levels(policy: &Policy, place: usize, name: &str) -> Table {
    let fields = policy.terms().context().fields();
    let levels: &[String] = fields
        .iter()
        .find_map(|field| match field {
            Field::Category { name: own, levels } if own == name => Some(&levels[..]),
            _ => None,
        })
        .unwrap_or(&[]);
    let row = |(at, level): (usize, &String)| {
        let mut point = vec![0.5; policy.terms().context().dimension()];
        point[place] = (at as f64 + 0.5) / levels.len() as f64;
        let quote = policy.quote_point(&point);
        (vec![level.clone(), price(quote.price), tidy(quote.mean), tidy(quote.lower)], false)
    };
    let what = earned(policy.objective());
    let head = vec![name.to_string(), "price".into(), format!("expected {what}"), "at least".into()];
    Table { head, rows: levels.iter().enumerate().map(row).collect() }
}

/// What anybody can learn about one customer.
fn privacy(done: &FittedLogs) -> Vec<String> {
    let doubt = match done.guarantee.protects() {
        Some(true) => None,
        _ => Some("Not private as it stands: the noise is not known to come from the operating system. What follows would hold if it did.".to_string()),
    };
    let promise = match done.guarantee.promise().loss {
        Loss::Pure { epsilon } => format!(
            "If a sale of yours is in the log: whatever anyone concludes from these prices and from this page is at most e^{epsilon} = {} times more likely than if your record had been any other, \
             in context, price and outcome. That holds against readers who know everything about everyone else, and for ever. A person with several records gets as many times the exponent.",
            tidy(libm::exp(epsilon.value()))
        ),
        _ => "Nothing is promised to the people in the log.".into(),
    };
    let logs: Vec<String> = done
        .sources
        .iter()
        .map(|source| format!("{} ({})", source.file.display(), source.guarantee))
        .collect();
    doubt.into_iter().chain([promise, format!("Learned from: {}.", logs.join("; "))]).collect()
}

fn assumed(done: &FittedLogs) -> Vec<String> {
    let confidence = percent(done.policy.objective().confidence);
    vec![
        "Prices in the log were chosen from the contexts alone: no hidden reason moved both the price and the demand.".into(),
        "Customers to come are like the people that prices were chosen for, and buy as those in the log did.".into(),
        "The mean outcome is about as smooth in context and price as the reports suggest. Steps and kinks are smoothed, and the intervals with them.".into(),
        format!(
            "Intervals of values are for one value each, with {confidence} confidence. The shaded bands in the charts hold for all contexts and prices at once with {confidence} confidence, and are wider for it."
        ),
        "The single price is quoted wherever no other one surely gains: a policy may be dull, but it is not meant to be worse than one price.".into(),
    ]
}
