//! Policies: what they store, what they refuse, what they know.

use super::ObjectiveError::{Confidence, Cost, Fallback, Prices};
use super::*;
use reticent_protocol::pricing::Table;
use reticent_schema::Digest;

fn policy(objective: impl FnOnce(&mut Objective)) -> Policy {
    let mut chosen = revenue(&terms(1));
    objective(&mut chosen);
    fit(&[even(1, 2.0, 5_000, 0)]).unwrap().policy(chosen).unwrap()
}

#[test]
fn a_policy_and_its_file_give_the_same_quotes() {
    let policy = policy(|objective| objective.fallback = Some(0.25));
    let text = serde_json::to_string(&policy).unwrap();
    let again: Policy = serde_json::from_str(&text).unwrap();
    assert!(contexts().all(|x| policy.quote(&x).unwrap() == again.quote(&x).unwrap()));
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    assert!(text.len() < 50_000, "{}", text.len());
    for (from, to, says) in [
        (r#""version":2"#, r#""version":7"#, "version 7"),
        (r#""version":2"#, r#""version":1"#, "how its prices were chosen"),
        ("reticent-price-policy", "a-poem", "no price policy"),
        (r#""density":["#, r#""density":[5,"#, "one value for each"),
        (r#""confidence":0.95"#, r#""confidence":2"#, "confidence"),
        (r#""lower""#, r#""upper""#, "upper"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = serde_json::from_str::<Policy>(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_context_that_is_none_is_refused_without_being_told() {
    let policy = policy(|_| ());
    for (context, says) in
        [(vec![1.5], "x1"), (vec![-0.1], "x1"), (vec![f64::NAN], "x1"), (vec![], "1 values")]
    {
        let error = policy.quote(&context).unwrap_err().to_string();
        assert!(error.contains(says) && !error.contains("1.5") && !error.contains("0.1"), "{error}");
    }
    assert!(policy.quote_values(&[2.0.into()]).is_err() && policy.quote_values(&[0.5.into()]).is_ok());
}

#[test]
fn objectives_that_make_no_sense_are_refused() {
    let fitted = fit(&[even(1, 2.0, 5_000, 0)]).unwrap();
    let refused = |change: fn(&mut Objective)| {
        let mut objective = revenue(&terms(1));
        change(&mut objective);
        fitted.policy(objective).unwrap_err()
    };
    assert_eq!(refused(|o| o.prices = vec![]), Prices.into());
    assert_eq!(refused(|o| o.prices = vec![0.5, 0.5]), Prices.into());
    assert_eq!(refused(|o| o.prices = vec![0.5, 1.5]), Prices.into());
    assert_eq!(refused(|o| o.prices = vec![f64::NAN]), Prices.into());
    assert_eq!(refused(|o| o.fallback = Some(1.5)), Fallback.into());
    assert_eq!(refused(|o| o.confidence = f64::NAN), Confidence.into());
    assert_eq!(refused(|o| o.earns = Earns::Margin { cost: f64::INFINITY }), Cost.into());
}

/// Profit asks for more than revenue, never less; prices that are not allowed are not quoted.
#[test]
fn costs_raise_prices_and_price_lists_are_kept() {
    let prices = vec![0.29, 0.49, 0.59, 0.69, 0.99];
    let list = prices.clone();
    let (cheap, dear) = (
        policy(|objective| objective.prices.clone_from(&list)),
        policy(|objective| {
            (objective.prices, objective.earns) = (prices.clone(), Earns::Margin { cost: 0.3 });
        }),
    );
    for x in contexts() {
        let (a, b) = (cheap.quote(&x).unwrap(), dear.quote(&x).unwrap());
        assert!(prices.contains(&a.price) && b.price >= a.price && b.mean < a.mean, "{a:?} {b:?}");
    }
    // Below cost a sale is a loss, and the pessimist expects the most sales there.
    let (price, _, lower) = dear.curve(&[0.5])[0];
    assert!(price < 0.3 && lower < 0.0);
}

#[test]
fn falling_demand_tightens_the_band_and_orders_the_means() {
    let (free, falling) = (policy(|_| ()), policy(|objective| objective.monotone = true));
    let mut tighter = false;
    for x in contexts() {
        let (a, b) = (free.curve(&x), falling.curve(&x));
        tighter |= a.iter().zip(&b).any(|(a, b)| b.2 > a.2 + 1e-3);
        assert!(a.iter().zip(&b).all(|(a, b)| b.2 >= a.2 - 2e-5));
        let demands: Vec<f64> = b.iter().skip(1).map(|(price, mean, _)| mean / price).collect();
        assert!(demands.windows(2).all(|pair| pair[1] <= pair[0] + 1e-3), "{demands:?}");
    }
    assert!(tighter);
}

/// The published table has the policy's own price in the middle of each cell.
#[test]
fn a_published_table_is_the_policy_cell_by_cell() {
    let policy = policy(|_| {});
    let table = policy.table(Digest::from_bytes([1; 32]), 7).unwrap();
    assert_eq!(table.version(), 7);
    for cell in 0..64 {
        let point = [(f64::from(cell) + 0.5) / 64.0];
        assert_eq!(table.price_at(&point), policy.quote_point(&point).price);
    }
    assert!(table.encode().len() < 1_500);
    assert_eq!(Table::decode(&table.encode()).unwrap(), table);
}
