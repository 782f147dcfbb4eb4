//! Markets as they are written.

use super::*;

#[test]
fn names_are_read_as_they_are_shown() {
    for demand in Demand::ALL {
        assert_eq!(demand.to_string().parse(), Ok(demand));
        assert!(!demand.summary().is_empty());
    }
    assert_eq!("lower-bound".parse(), Ok(Demand::LowerBound));
    for curve in Curve::ALL {
        assert_eq!(curve.to_string().parse(), Ok(curve));
    }
    for target in Target::ALL {
        assert_eq!(target.to_string().parse(), Ok(target));
    }
    for outcome in OutcomeKind::ALL {
        assert_eq!(outcome.to_string().parse(), Ok(outcome));
    }
    for source in [Source::Uniform, Source::Vanishing { alpha: 0.1 }] {
        assert_eq!(source.to_string().parse(), Ok(source));
    }
    for logging in [Logging::Uniform, Logging::Exploring { zeta: 0.3 }] {
        assert_eq!(logging.to_string().parse(), Ok(logging));
    }
}

#[test]
fn wrong_names_say_which_are_right() {
    let message = "logistic".parse::<Demand>().unwrap_err().to_string();
    assert_eq!(message, "no demand is called \"logistic\"; use one of logit, linear, kinked, lower-bound");
    assert!("vanishing".parse::<Source>().unwrap_err().to_string().contains("vanishing:ALPHA"));
    assert!("vanishing:-1".parse::<Source>().unwrap_err().to_string().contains("alpha"));
    assert!("vanishing:inf".parse::<Source>().is_err());
    assert!("exploring:1.5".parse::<Logging>().unwrap_err().to_string().contains("zeta"));
    assert!("exploring:nan".parse::<Logging>().is_err());
}

#[test]
fn a_stored_market_is_the_same_market() {
    for market in markets() {
        let text = serde_json::to_string(&market).unwrap();
        let loaded: Market = serde_json::from_str(&text).unwrap();
        assert_eq!(loaded, market, "{text}");
        assert!(!market.kind().name().is_empty());
    }
    let text = r#"{"curve":{"demand":"kinked","dims":2,"source":"vanishing:1.5","outcome":"sale"}}"#;
    let market: Market = serde_json::from_str(text).unwrap();
    assert_eq!(market.outcome(), OutcomeKind::Sale);
}

#[test]
fn a_stored_market_is_checked() {
    for text in [
        r#"{"curve":{"dims":0}}"#,
        r#"{"curve":{"dims":17}}"#,
        r#"{"curve":{"price":1}}"#,
        r#"{"curve":{"source":"vanishing:-1"}}"#,
        r#"{"curve":{"logging":"exploring:2"}}"#,
        r#"{"lower-bound":{"radius":0.6}}"#,
        r#"{"lower-bound":{"outcome":"sale"}}"#,
        r#"{"logit":{}}"#,
    ] {
        assert!(serde_json::from_str::<Market>(text).is_err(), "{text}");
    }
}

#[test]
#[should_panic(expected = "as many coordinates")]
fn a_context_of_another_market_is_refused() {
    curve(CurveSpec::default()).draw(&mut rng(700), &mut [0.0, 0.0]);
}
