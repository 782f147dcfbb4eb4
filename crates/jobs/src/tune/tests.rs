use crate::Silent;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use reticent_curate::kernel::Points;
use reticent_curate::kernel::{Draft, KernelSpec, Population, ReleaseLoss};
use reticent_privacy::{Delta, Epsilon, SimSeed, Stream};
use reticent_store::accounts::{Accounts, Permission};

use super::*;
use crate::account::Purse;
use crate::columns::RawTable;

fn setting() -> KernelSpec {
    let plan: Draft = toml::from_str(EXAMPLE).unwrap();
    KernelSpec::try_from(plan).unwrap()
}

fn small(contexts: usize) -> KernelSpec {
    let mut plan = setting().draft().clone();
    plan.contexts.truncate(contexts);
    plan.kernel.rank = 24;
    KernelSpec::try_from(plan).unwrap()
}

fn budget() -> ReleaseLoss {
    ReleaseLoss::new(Epsilon::new(2.0).unwrap(), Delta::new(1e-6).unwrap()).unwrap()
}

/// A function of a made-up log, released with a seeded generator.
fn function(contexts: usize, folder: &Path) -> Function {
    let setting = small(contexts);
    let log = folder.join("log.csv");
    let mut text = "dose,age,weight,response\n".to_string();
    for i in 0..400 {
        let (dose, age) = (f64::from(i * 7 % 100) / 10.0, f64::from(18 + i * 13 % 72));
        let _ = writeln!(text, "{dose},{age},70,{}", 1.0 - (dose - age / 10.0).abs() / 10.0);
    }
    std::fs::write(&log, text).unwrap();
    let table = raw(&log);
    let (epsilon, delta) = (Epsilon::new(2.0).unwrap(), Delta::new(1e-6).unwrap());
    let accounts = Accounts::open(&folder.join("accounts")).unwrap();
    let purse = Purse { accounts: &accounts, allowed: Permission::default(), notice: &|_| {} };
    let population = Population::Uniform;
    let fit = Fit {
        setting: &setting,
        population: &population,
        log: &table,
        epsilon,
        delta,
        pilot: None,
        purse,
        old_account: None,
        threads: 1,
    };
    let collector =
        fit.collect_all(Log::new(&table, &setting).count(&Silent).unwrap(), budget(), &Silent).unwrap();
    let release = collector.release_with(&mut SimSeed(1).stream(0, Stream::Noise)).unwrap();
    Function::of(release, 1).unwrap()
}

fn raw(path: &Path) -> RawTable {
    RawTable::plain(path).unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_example_is_a_plan() {
    let setting = setting();
    assert_eq!((setting.actions(), setting.contexts()), (1, 2));
    assert_eq!(setting.draft().kernel.rank, 256);
}

#[test]
fn contexts_are_read_in_any_order_and_refused_outside_their_ranges() {
    let setting = setting();
    let inputs = &setting.draft().contexts;
    assert_eq!(ask("--at", " weight = 140 ,age=40", inputs).unwrap(), [40.0, 140.0]);
    let outside = ask("--at", "weight=4711,age=40", inputs).unwrap_err().to_string();
    assert!(outside.contains("weight is outside the range") && !outside.contains("4711"), "{outside}");
    for wrong in [
        "age=40",
        "age=40,weight=4711x",
        "age=40,weight=70,age=41",
        "4711",
        "height=4711",
        "age=inf,weight=1",
    ] {
        let error = ask("--at", wrong, inputs).unwrap_err().to_string();
        assert!(!error.contains("4711") && error.starts_with("--at: "), "{error}");
    }
    assert!(ask("--at", "", &[]).unwrap().is_empty());
}

#[test]
fn a_long_sample_is_thinned_evenly() {
    let folder = tempfile::tempdir().unwrap();
    let setting = small(1);
    let rows = 50_000;
    let ages = (0..rows)
        .fold("age\n".to_string(), |text, i| text + &format!("{}\n", 18.0 + 72.0 * f64::from(i) / 5e4));
    let Population::Sample(sample) =
        read_sample(&raw(&write(folder.path(), "s.csv", &ages)), &setting).unwrap()
    else {
        panic!("a sample was read")
    };
    assert_eq!(sample.len(), 12_500);
    let even = sample.input(0).iter().enumerate().all(|(i, x)| (x - i as f64 * 4.0 / 5e4).abs() < 1e-9);
    assert!(even, "every fourth row");
    assert!(matches!(
        read_sample(&raw(&folder.path().join("s.csv")), &small(0)),
        Err(TuneError::Asked { .. })
    ));
}

#[test]
fn candidates_cover_the_range() {
    assert_eq!([1, 2, 3].map(|actions| Points::candidates(actions).len()), [101, 1089, 1089]);
    let pairs = Points::candidates(2);
    assert!(
        pairs.point(0) == [0.0, 0.0]
            && pairs.point(1088) == [1.0, 1.0]
            && [pairs.point(1), pairs.point(33)].contains(&vec![0.0, 1.0 / 32.0])
    );
    assert_eq!(Points::candidates(1).point(100), [1.0]);
}

#[test]
fn drawn_actions_are_within_their_ranges_and_differ() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("actions.csv");
    draw_actions(&setting(), 500, &path, &mut SimSeed(1).stream(0, Stream::Noise)).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut doses: Vec<f64> = text.lines().skip(1).map(|line| line.parse().unwrap()).collect();
    assert_eq!((text.lines().next(), doses.len()), (Some("dose"), 500));
    doses.sort_by(f64::total_cmp);
    assert!(doses[0] >= 0.0 && doses[499] <= 10.0 && doses[0] < 0.5 && doses[499] > 9.5);
    doses.dedup();
    assert_eq!(doses.len(), 500);
}

#[test]
fn privacy_costs_less_with_more_people() {
    let of = |people| forecast(&small(2), &Population::Uniform, budget(), people);
    let (few, many) = (of(500), of(50_000));
    for one in [few, many] {
        let sum = one.error_without_privacy.powi(2) + one.noise.powi(2);
        assert!(one.error > one.error_without_privacy && (one.error.powi(2) - sum).abs() < 1e-12);
    }
    assert!(few.noise > 2.0 * many.noise && few.error < 0.25 && many.error < few.error);
}

#[test]
fn files_that_are_none_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let text = serde_json::to_string(function(1, folder.path()).release()).unwrap();
    let read = |text: &str| Function::read(&write(folder.path(), "f.json", text), 1).map(|_| ());
    read(&text).unwrap();
    let told = |text: &str, words: &str| {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    told("not json", "no released function");
    told("{\"format\":\"other\"}", "no released function");
    told(&text.replacen("\"version\":3", "\"version\":4,\"more\":0", 1), "use a later one");
    told(&text[..text.len() / 2], "cut short");
    told(&text.replacen("\"people\":400", "\"people\":0", 1), "number of people");
    told(&text.replacen("\"varies\":0.01", "\"varies\":0.5", 1), "what people contributed");
}

#[test]
fn a_table_and_single_questions_agree_on_any_threads() {
    let folder = tempfile::tempdir().unwrap();
    let function = function(1, folder.path());
    let contexts = write(folder.path(), "people.csv", "name,age\na,20\nb,40\nc,60\n");
    let table = |threads, action: Option<&[f64]>| {
        let out = folder.path().join("out.csv");
        assert_eq!(write_table(&function, &raw(&contexts), action, &out, threads, &Silent).unwrap(), 3);
        std::fs::read_to_string(out).unwrap()
    };
    let outside = write(folder.path(), "outside.csv", "age\n20\n4711\n");
    let refused = write_table(&function, &raw(&outside), None, &folder.path().join("no.csv"), 1, &Silent);
    assert!(
        matches!(refused, Err(TuneError::Outside { row: 2, .. })) && !folder.path().join("no.csv").exists()
    );
    let text = table(1, None);
    assert_eq!(text, table(3, None));
    let best = function.best(&[40.0]);
    let row = format!("40,{},{},{},{},true,false", best.action[0], best.mean, best.low, best.high);
    assert_eq!(
        (text.lines().next(), text.lines().nth(2)),
        (Some("age,dose,mean,low,high,supported,usual"), Some(row.as_str()))
    );
    let given = function.at(&[3.0], &[20.0]);
    assert!(table(2, Some(&[3.0])).contains(&format!("20,3,{},{},{}", given.mean, given.low, given.high)));
    assert!(best.low < best.mean && best.mean < best.high && best.mean >= function.at(&[3.0], &[40.0]).mean);
}

#[test]
fn charts_are_one_document_each() {
    let folder = tempfile::tempdir().unwrap();
    for (contexts, documents) in [(0, 1), (1, 3), (2, 5)] {
        let svg = charts(&function(contexts, folder.path()));
        assert_eq!(svg.matches("<svg").count(), documents, "{contexts} contexts");
        assert_eq!(svg.matches("</svg>").count(), documents);
        reticent_chart::plot::png(&svg, 0.5).unwrap();
    }
}

#[test]
fn nobody_writes_an_experiments_digest_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("experiment = \"{}\"\n{EXAMPLE}", "0".repeat(64));
    let error = read_plan(&write(folder.path(), "plan.toml", &text)).unwrap_err().to_string();
    assert!(error.contains("give the document"), "{error}");
}
