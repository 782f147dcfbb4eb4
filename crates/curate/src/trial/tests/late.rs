//! Outcomes that come in time, late, or never: everyone is in one table.

use reticent_privacy::{SimRng, SimSeed, Stream};

use super::super::{Draft, Recorded, Stratum, Table, Trial, TrialSpec};

const PEOPLE: u64 = 40;

/// Two epochs, of 10 and 30 people; the first table closes when 15 are enrolled.
fn trial() -> Trial<SimRng> {
    let mut plan = Draft::simple("late", PEOPLE, 1.0);
    (plan.private, plan.first_epoch, plan.follow_up) = (false, Some(10), 5);
    let spec = TrialSpec::new(plan).unwrap();
    let trial = Trial::with_noise(spec, SimSeed(5).stream(0, Stream::Noise));
    assert_eq!((trial.release().schedule().epochs(), trial.release().schedule().end(0)), (2, 10));
    trial
}

fn assign(trial: &mut Trial<SimRng>, people: u64) {
    let everyone = Stratum::new(trial.release().spec(), 0).unwrap();
    for _ in 0..people {
        trial.assign(everyone).unwrap();
    }
}

/// People with an outcome and without, exactly: there is no noise.
fn people(table: &Table) -> (f64, f64) {
    let cells = (0..table.cells()).map(|cell| table.cell(cell));
    cells.fold((0.0, 0.0), |(known, missing), cell| (known + cell.people(), missing + cell.missing))
}

#[test]
fn the_lock_decides_which_table_an_outcome_is_in() {
    let mut trial = trial();
    assign(&mut trial, 15);
    for person in 0..8 {
        assert_eq!(trial.record(person, 1.0).unwrap(), Recorded::InTime);
    }
    assert!(trial.release().tables().is_empty(), "the table waits for the next person");
    assign(&mut trial, 1);
    assert_eq!(people(&trial.release().tables()[0]), (8.0, 0.0), "who has no outcome yet is in no table yet");
    assert_eq!(trial.record(8, 0.0).unwrap(), Recorded::Late);
    assert_eq!(trial.missing(9).unwrap(), Recorded::Late);
    assert_eq!(trial.record(8, 0.0).unwrap(), Recorded::OnRecord);
    assert_eq!(trial.record(12, 1.0).unwrap(), Recorded::InTime, "the second epoch's table is open");
    trial.stop().unwrap();
    let tables = trial.release().tables();
    assert_eq!((people(&tables[0]), people(&tables[1])), ((8.0, 0.0), (1.0, 0.0)));
    // One late outcome, of the first epoch, where person 9 is missing; five of the second never had one.
    let late = trial.release().late();
    assert_eq!((people(&late[0]), people(&late[1])), ((1.0, 1.0), (0.0, 5.0)));
}

/// Outcomes at all delays, some never: whatever comes when, the tables add up to everyone once, and to every
/// outcome once.
#[test]
fn everyone_is_counted_exactly_once() {
    for seed in 0..50 {
        let mut rng = SimSeed(seed).stream(0, Stream::Environment);
        let mut trial = trial();
        let mut waiting: Vec<(u64, u64)> = Vec::new();
        let (mut good, mut known) = (0.0, 0.0);
        let enrolled = 10 + (rng.uniform() * 31.0) as u64;
        for person in 0..enrolled {
            assign(&mut trial, 1);
            waiting.push((person + (rng.uniform() * 20.0) as u64, person));
            let due: Vec<_> = waiting.extract_if(.., |(when, _)| *when <= person).collect();
            for (_, person) in due {
                let recorded = match (rng.uniform() * 3.0) as u8 {
                    0 => trial.missing(person),
                    outcome => {
                        (known, good) = (known + 1.0, good + f64::from(outcome - 1));
                        trial.record(person, f64::from(outcome - 1))
                    }
                };
                recorded.unwrap();
            }
        }
        trial.stop().unwrap();
        let (mut everyone, mut counted, mut counted_good) = (0.0, 0.0, 0.0);
        for table in trial.release().tables().iter().chain(trial.release().late()) {
            let (with, without) = people(table);
            everyone += with + without;
            counted += with;
            counted_good += (0..table.cells()).map(|cell| table.cell(cell).counts[2]).sum::<f64>();
        }
        assert_eq!(everyone, enrolled as f64, "seed {seed}");
        assert_eq!((counted, counted_good), (known, good), "seed {seed}");
    }
}
