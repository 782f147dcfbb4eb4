//! A policy says what it promises the people from whose sales it was learned.

use reticent_privacy::{Guarantee, Loss, NoiseRng};
use serde_json::{Value, json};

use super::*;

/// Two logs of few people, with noise of the operating system and from a seed.
fn logs(folder: &Folder) -> [PathBuf; 2] {
    let simulated = folder.log("simulated.rpl", 8, 1.0, 300, 100.0);
    let table = folder.path("sales.csv");
    let market = read_market(&folder.path("market.toml")).unwrap();
    let epsilon = Epsilon::new(2.0).unwrap();
    let job = Privatise { market: &market, table: files(&table), epsilon, records: None, clip: false };
    let real = folder.path("real.rpl");
    job.run_with(&real, &mut NoiseRng::from_os().unwrap(), &Silent).unwrap();
    [real, simulated]
}

fn guarantee(logs: &[&Path]) -> Guarantee {
    fitted(logs, &Wish::default(), None).unwrap().guarantee
}

#[test]
fn one_simulated_log_is_enough_to_promise_nothing() {
    let folder = Folder::new();
    let [real, simulated] = logs(&folder);
    assert_eq!(guarantee(&[&real]).to_string(), "2-DP, local model");
    assert_eq!(guarantee(&[&real]).protects(), Some(true));
    let words = "simulation, not private (would be 1-DP, local model)";
    assert_eq!(guarantee(&[&simulated]).to_string(), words);
    let both = "simulation, not private (would be 2-DP, local model)";
    assert_eq!(guarantee(&[&real, &simulated]).to_string(), both, "the largest loss, the weakest noise");
    assert_eq!(guarantee(&[&simulated, &real]), guarantee(&[&real, &simulated]));
    let svg = |guarantee: Guarantee| charts(&POLICY, &guarantee);
    assert!(svg(guarantee(&[&simulated])).contains("simulation, not private"));
    assert!(!svg(guarantee(&[&real])).contains("not private"));
}

#[test]
fn the_file_says_it_and_is_held_to_it() {
    let folder = Folder::new();
    let path = folder.path("policy.json");
    let [real, _] = logs(&folder);
    let done = fitted(&[&real], &Wish::default(), None).unwrap();
    write_policy(&done.policy, &done.guarantee, &path).unwrap();
    assert_eq!(read_policy(&path).unwrap().guarantee, done.guarantee);
    let good: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for (place, value) in [
        ("/guarantee/loss", json!({ "pure": { "epsilon": 0.5 } })),
        ("/guarantee/noise", json!("simulation, not private")),
        ("/policy/learned/epsilons", json!([3.0])),
        ("/policy/learned/epsilons", json!([])),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = value;
        let error = told(read_policy(&folder.write("bad.json", &bad.to_string())));
        assert!(error.contains("its guarantee is not that of the reports"), "{place}: {error}");
    }
}

/// As version 1 wrote it: the policy alone, which quoted the highest pessimistic value.
#[test]
fn version_1_is_read_and_says_nothing_of_its_noise() {
    let folder = Folder::new();
    let mut old = serde_json::to_value(&*POLICY).unwrap();
    for added in ["choice", "score"] {
        old.as_object_mut().unwrap().remove(added).unwrap();
    }
    old["version"] = 1.into();
    let read = read_policy(&folder.write("old.json", &old.to_string())).unwrap();
    // It took the highest pessimistic value, and still does.
    let (quote, now) = (read.policy.quote(&[30.0]).unwrap(), POLICY.quote(&[30.0]).unwrap());
    assert!(read.policy.choice().is_none() && quote.lower >= now.lower);
    let words = "4-DP, local model (where its noise came from is not stated)";
    assert_eq!((read.guarantee.to_string(), read.guarantee.protects()), (words.into(), None));
}

/// Whoever has a policy and a bare promise cannot write a file that claims more than is known.
#[test]
fn a_promise_alone_is_not_written_as_one_that_was_kept() {
    let folder = Folder::new();
    let path = folder.path("policy.json");
    let Loss::Pure { epsilon } = FITTED.guarantee.promise().loss else { panic!() };
    write_policy(&POLICY, &Guarantee::local(epsilon, "a", "b", "c"), &path).unwrap();
    assert_eq!(read_policy(&path).unwrap().guarantee.protects(), None);
}
