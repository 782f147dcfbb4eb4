//! Where people went, what looks odd, and the tables for other programs.

use reticent_curate::trial::{Better, Draft, Release, Stratum, Trial, TrialSpec, analyse};
use reticent_privacy::{SimRng, SimSeed, Stream};

use super::super::{Check, Document, TABLES, document, page, write_tables};

/// How a person fares.
type Fate = Box<dyn Fn(u64, usize, &mut SimRng) -> Option<bool>>;

/// A world of coins; nobody's outcome is late.
fn run(plan: Draft, seed: u64, fate: &Fate) -> Release {
    let spec = TrialSpec::new(plan).unwrap();
    let stream = |purpose| SimSeed(seed).stream(0, purpose);
    let (mut world, mut trial) =
        (stream(Stream::Environment), Trial::with_noise(spec.clone(), stream(Stream::Noise)));
    for person in 0..spec.draft().people {
        let stratum = Stratum::new(&spec, person as usize % spec.strata()).unwrap();
        let one = trial.assign(stratum).unwrap();
        match fate(person, one.arm, &mut world) {
            Some(well) => trial.record(one.number, f64::from(u8::from(well))).unwrap(),
            None => trial.missing(one.number).unwrap(),
        };
    }
    trial.stop().unwrap();
    trial.release().clone()
}

fn told(release: &Release) -> Document {
    document(release, &analyse(release), Some(1))
}

fn check<'a>(document: &'a Document, name: &str) -> &'a Check {
    document.checks.iter().find(|one| one.name == name).unwrap()
}

/// Outcomes are coins; this share is missing, whatever the arm.
fn steady(lost: f64) -> Fate {
    Box::new(move |_, arm, world| {
        (world.uniform() >= lost).then(|| world.uniform() < if arm == 0 { 0.4 } else { 0.55 })
    })
}

fn epochs(people: u64) -> Draft {
    Draft { first_epoch: Some(people / 4), growth: 1.0, ..Draft::simple("epochs", people, 2.0) }
}

fn open(plan: Draft) -> Draft {
    Draft { private: false, epsilon: None, ..plan }
}

#[test]
fn without_noise_everybody_is_in_the_flow_once() {
    for plan in [open(Draft::simple("one", 800, 1.0)), open(epochs(800))] {
        let release = run(plan, 3, &steady(0.1));
        let flow = told(&release).flow;
        assert_eq!((flow.enrolled, flow.tabled), (800, 800));
        let sum = |of: &dyn Fn(usize) -> f64| (0..2).map(of).sum::<f64>();
        let arms = &flow.arms;
        assert_eq!(sum(&|arm| arms[arm].assigned.unwrap().people), 800.0);
        assert_eq!(sum(&|arm| arms[arm].without.unwrap().people + arms[arm].analysed.unwrap().people), 800.0);
        assert!((50.0..120.0).contains(&sum(&|arm| arms[arm].without.unwrap().people)));
        assert!(arms.iter().all(|arm| arm.without.unwrap().noise == 0.0));
    }
}

/// What is exact is exact, and what is not is as far off as it says.
#[test]
fn the_noise_of_the_flow_is_what_it_says() {
    for (plan, exact) in [(Draft::simple("one", 400, 1.0), true), (epochs(400), false)] {
        let (mut squares, mut said) = (0.0, 0.0);
        let all_well: Fate = Box::new(|_, _, _| Some(true));
        for seed in 0..200 {
            let noisy = told(&run(plan.clone(), seed, &all_well)).flow;
            let arm = &noisy.arms[1];
            let (assigned, without) = (arm.assigned.unwrap(), arm.without.unwrap());
            assert_eq!(assigned.noise == 0.0, exact);
            squares += without.people * without.people;
            said = without.noise;
            assert!(said > 0.0);
        }
        // Nobody is missing, so that all of it is noise: 200 squares of Laplace variables have a relative error
        // of sqrt(5 / 200) = 16 %, and less where noises add up.
        let ratio = squares / 200.0 / (said * said);
        assert!((0.4..1.8).contains(&ratio), "{ratio}");
    }
}

#[test]
fn before_the_end_nothing_is_told_that_is_not_published() {
    let spec = TrialSpec::new(Draft::simple("running", 400, 1.0)).unwrap();
    let mut trial = Trial::with_noise(spec.clone(), SimSeed(1).stream(0, Stream::Noise));
    for _ in 0..100 {
        trial.assign(Stratum::new(&spec, 0).unwrap()).unwrap();
    }
    let document = told(trial.release());
    assert!(document.flow.arms.iter().all(|arm| arm.assigned.is_none() && arm.without.is_none()));
    assert!(document.checks.iter().all(|one| one.z.is_none() && !one.rings));
    assert!(page(&document).finish("end").contains("not known yet"));
}

#[test]
fn arms_that_lose_people_differently_are_noticed() {
    for plan in [Draft::simple("one", 1000, 2.0), epochs(2000)] {
        let uneven: Fate = Box::new(|_, arm, world| {
            (world.uniform() >= if arm == 0 { 0.05 } else { 0.3 }).then(|| world.uniform() < 0.5)
        });
        assert!(check(&told(&run(plan.clone(), 5, &uneven)), "attrition").rings);
        let even = told(&run(plan, 5, &steady(0.2)));
        assert!(!check(&even, "attrition").rings && !check(&even, "balance").rings);
    }
}

#[test]
fn means_and_effects_that_move_are_told_apart() {
    let moving = |effect: bool| -> Fate {
        Box::new(move |person, arm, world| {
            let shift = 0.4 * person as f64 / 4000.0;
            let mean = 0.3 + if effect && arm == 0 { 0.0 } else { shift };
            Some(world.uniform() < mean)
        })
    };
    let level = told(&run(epochs(4000), 7, &moving(false)));
    assert!(check(&level, "level-drift").rings && !check(&level, "effect-drift").rings);
    let effect = told(&run(epochs(4000), 7, &moving(true)));
    assert!(check(&effect, "effect-drift").rings, "{:?}", check(&effect, "effect-drift"));
}

/// Checks of trials in which nothing is odd: at most one in fifty rings. With 300 trials of each plan and a true
/// rate of 1.4 %, more than 15 ring with a chance of 5e-6.
#[test]
fn what_is_fine_rarely_rings() {
    let plans = [Draft::simple("one", 300, 1.0), epochs(800), epochs(800).with_levels("site", 2)];
    for plan in plans {
        let mut rings = std::collections::BTreeMap::new();
        for seed in 0..300 {
            for one in told(&run(plan.clone(), seed, &steady(0.1))).checks {
                *rings.entry(one.name).or_insert(0) += i32::from(one.rings);
            }
        }
        assert!(rings.values().all(|&times| times <= 15), "{}: {rings:?}", plan.name);
    }
}

#[test]
fn a_headline_names_every_arm_that_matters() {
    let mut plan = Draft::simple("three", 3000, 4.0);
    plan.arms = ["placebo", "low dose", "high dose", "other"].map(String::from).to_vec();
    plan.better = Some(Better::Lower);
    let fate: Fate = Box::new(|_, arm, world| Some(world.uniform() < [0.5, 0.3, 0.7, 0.5][arm]));
    // One seed in twenty or so names the arm without an effect.
    let html = page(&told(&run(plan, 3, &fate))).finish("end");
    let lead = html.split("class=\"lead\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(
        lead.starts_with("Against placebo, and by the mean of outcome: low dose lowered it by 0."),
        "{lead}"
    );
    assert!(lead.contains("for the better") && lead.contains("high dose raised it by 0."), "{lead}");
    assert!(lead.contains("for the worse") && lead.contains("not shown for other ("), "{lead}");
}

#[test]
fn every_column_is_in_the_dictionary() {
    let folder = tempfile::tempdir().unwrap();
    let release = run(epochs(400).with_levels("a, \"b\"", 2), 1, &steady(0.1));
    let written = write_tables(folder.path(), &told(&release)).unwrap();
    assert_eq!(written.len(), TABLES.len());
    let read = |name: &str| {
        let mut table = csv::Reader::from_path(folder.path().join(name)).unwrap();
        let head: Vec<String> = table.headers().unwrap().iter().map(String::from).collect();
        let rows: Vec<Vec<String>> =
            table.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect();
        (head, rows)
    };
    let (_, dictionary) = read("dictionary.csv");
    for name in TABLES {
        let table = name.trim_end_matches(".csv");
        let (head, rows) = read(name);
        let said: Vec<String> =
            dictionary.iter().filter(|row| row[0] == table).map(|row| row[1].clone()).collect();
        assert_eq!(head, said, "{name}");
        assert!(!rows.is_empty() && rows.iter().all(|row| row.len() == head.len()));
        for (place, one) in dictionary.iter().filter(|row| row[0] == table).enumerate() {
            let is_number = |cell: &str| cell.is_empty() || cell.parse::<f64>().is_ok();
            if one[2] == "number" || one[2] == "integer" {
                assert!(rows.iter().all(|row| is_number(&row[place])), "{name}: {}", one[1]);
            }
        }
    }
    let (_, effects) = read("effects.csv");
    // Everyone and two strata; three estimators, or two where chances changed, and two wider intervals.
    assert!(effects.len() == 3 * 4 || effects.len() == 3 * 5, "{}", effects.len());
    assert_eq!(effects[effects.len() - 1][2], "a, \"b\" = 1");
}
