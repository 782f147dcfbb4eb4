//! Many people at a rate, over a few connections.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand_core::Rng;
use reticent_client::{Fetched, Http, Parcel, Reason, ReportId, Transport, Trouble};
use reticent_jobs::Progress;
use reticent_privacy::{NoiseRng, SimSeed, Stream};
use reticent_schema::Experiment;
use serde::Serialize;

use super::visitor::Visitor;
use super::{PlayError, World};
use crate::clock::Stopwatch;

/// Who comes, how often, and how.
#[derive(Debug, Clone)]
pub struct Crowd {
    /// Where the service is.
    pub server: String,
    /// A key that may upload.
    pub key: String,
    /// How many people come.
    pub people: u64,
    /// How many a second; as fast as they can, if none.
    pub rate: Option<f64>,
    /// Reports in an upload: 1 is a device by itself.
    pub batch: usize,
    /// At once.
    pub connections: usize,
    /// Seconds between two looks for a new policy.
    pub refresh: f64,
    /// The seed of who comes and what comes of it. Noise has none.
    pub seed: u64,
    /// Seconds without an answer after which people give up.
    pub patience: u64,
}

/// What became of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Played {
    /// Reports that the server has.
    pub taken: u64,
    /// Reports that it did not take, by reason.
    pub refused: BTreeMap<&'static str, u64>,
    /// The mean reward or outcome.
    pub mean_reward: f64,
    /// The share of people who got the arm that is best for them.
    pub on_best_arm: Option<f64>,
    /// The same among the last fifth.
    pub on_best_arm_at_the_end: Option<f64>,
    /// Policies that were followed.
    pub policies: u64,
    /// Uploads.
    pub uploads: u64,
    /// The median time of an upload, in milliseconds.
    pub median_ms: f64,
    /// 99 % of uploads took at most so long.
    pub p99_ms: f64,
    /// How long it took.
    pub seconds: f64,
}

/// Lets them come. The server must have this experiment.
pub fn play(
    crowd: &Crowd,
    experiment: &Experiment,
    world: &World,
    progress: &dyn Progress,
) -> Result<Played, PlayError> {
    let name = experiment.name();
    let theirs = Experiment::from_json(&Http::new(&crowd.server, &crowd.key).document(name)?);
    let theirs = theirs.map_or_else(|_| "unreadable".into(), |document| document.digest().to_string());
    let ours = experiment.digest().to_string();
    if theirs != ours {
        return Err(PlayError::OtherExperiment { theirs, ours });
    }
    progress.size(crowd.people);
    let (watch, failed) = (Stopwatch::start(), AtomicBool::new(false));
    let lanes = crowd.connections.max(1) as u64;
    let done: Vec<Result<Lane, PlayError>> = std::thread::scope(|scope| {
        let lane = |number: u64| {
            let (watch, failed) = (&watch, &failed);
            scope.spawn(move || {
                let stop = || progress.stop() || failed.load(Ordering::Relaxed);
                let done = Lane::new(crowd, name, watch).run(number, lanes, world, &stop, progress);
                failed.fetch_or(done.is_err(), Ordering::Relaxed);
                done
            })
        };
        let threads: Vec<_> = (0..lanes).map(lane).collect();
        // A thread that panicked has said so; what it would have told is lost with it.
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let mut all = Vec::new();
    for lane in done {
        all.push(lane?);
    }
    if progress.stop() {
        return Err(PlayError::Interrupted);
    }
    Ok(summary(&all, crowd.people, watch.seconds()))
}

/// What one connection did.
struct Lane<'a> {
    crowd: &'a Crowd,
    name: &'a str,
    watch: &'a Stopwatch,
    server: Http,
    tag: Option<String>,
    looked: Option<f64>,
    policies: u64,
    taken: u64,
    refused: BTreeMap<&'static str, u64>,
    rewards: f64,
    /// Whether each person got their best arm, with the person's number.
    best: Vec<(u64, bool)>,
    visits: u64,
    times: Vec<f64>,
}

impl<'a> Lane<'a> {
    fn new(crowd: &'a Crowd, name: &'a str, watch: &'a Stopwatch) -> Lane<'a> {
        let server = Http::new(&crowd.server, &crowd.key);
        let (tag, looked, policies, taken) = (None, None, 0, 0);
        let (refused, rewards, best, visits, times) = (BTreeMap::new(), 0.0, Vec::new(), 0, Vec::new());
        Lane {
            crowd,
            name,
            watch,
            server,
            tag,
            looked,
            policies,
            taken,
            refused,
            rewards,
            best,
            visits,
            times,
        }
    }

    /// People of every `lanes`-th batch, from this one's first on.
    fn run(
        mut self,
        number: u64,
        lanes: u64,
        world: &World,
        stop: &dyn Fn() -> bool,
        progress: &dyn Progress,
    ) -> Result<Lane<'a>, PlayError> {
        let mut visitor = Visitor::new(world, SimSeed(self.crowd.seed).stream(number, Stream::Environment))?;
        let mut ids = NoiseRng::from_os()?;
        let batch = self.crowd.batch.max(1) as u64;
        let mut first = number * batch;
        while first < self.crowd.people && !stop() {
            let last = (first + batch).min(self.crowd.people);
            self.wait_for_turn(last);
            if visitor.follows_policies() {
                self.look_for_policy(&mut visitor, stop)?;
            }
            let mut parcels = Vec::with_capacity(batch as usize);
            for person in first..last {
                let (report, visit) = visitor.visit()?;
                self.visits += 1;
                self.rewards += visit.reward;
                self.best.extend(visit.best.map(|best| (person, best)));
                parcels.push(Parcel { id: fresh_id(&mut ids), report });
            }
            self.upload(&parcels, stop)?;
            progress.served(last - first);
            first += lanes * batch;
        }
        Ok(self)
    }

    /// People come at a rate: this one's turn is when so many have come.
    fn wait_for_turn(&self, person: u64) {
        let Some(rate) = self.crowd.rate else { return };
        let due = person as f64 / rate - self.watch.seconds();
        if due > 0.0 {
            pause(due);
        }
    }

    fn look_for_policy(
        &mut self,
        visitor: &mut Visitor<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), PlayError> {
        let now = self.watch.seconds();
        if self.looked.is_some_and(|looked| now - looked < self.crowd.refresh) {
            return Ok(());
        }
        let fetched = self.patiently(stop, |lane| lane.server.policy(lane.name, lane.tag.as_deref()))?;
        if let Some(Fetched::New { tag, bytes }) = fetched {
            visitor.follow(&bytes)?;
            (self.tag, self.policies) = (Some(tag), self.policies + 1);
        }
        self.looked = Some(now);
        Ok(())
    }

    /// Sends until the server has them all, or says that it will not.
    fn upload(&mut self, parcels: &[Parcel], stop: &dyn Fn() -> bool) -> Result<(), PlayError> {
        let begun = self.watch.seconds();
        let Some(refusals) = self.patiently(stop, |lane| lane.server.upload(lane.name, parcels))? else {
            return Ok(());
        };
        self.times.push(1e3 * (self.watch.seconds() - begun));
        let mut taken = parcels.len() as u64;
        for refusal in refusals {
            if !parcels.iter().any(|parcel| parcel.id == refusal.id) {
                return Err(PlayError::Strange(refusal.id));
            }
            if refusal.reason == Reason::Closed {
                return Err(PlayError::Closed);
            }
            if refusal.reason != Reason::Replayed {
                taken -= 1;
                *self.refused.entry(refusal.reason.words()).or_default() += 1;
            }
        }
        self.taken += taken;
        Ok(())
    }

    /// The same call until it is answered; none if somebody asked to stop.
    fn patiently<T>(
        &self,
        stop: &dyn Fn() -> bool,
        call: impl Fn(&Lane<'_>) -> Result<T, Trouble>,
    ) -> Result<Option<T>, PlayError> {
        let begun = self.watch.seconds();
        loop {
            match call(self) {
                Ok(answer) => return Ok(Some(answer)),
                Err(Trouble::Later { what, after }) => {
                    if self.watch.seconds() - begun > self.crowd.patience as f64 {
                        return Err(PlayError::Away { seconds: self.crowd.patience, what });
                    }
                    pause(after.map_or(0.2, |after| after.as_secs_f64().clamp(0.2, 5.0)));
                }
                Err(refused) => return Err(refused.into()),
            }
            if stop() {
                return Ok(None);
            }
        }
    }
}

fn fresh_id(noise: &mut NoiseRng) -> ReportId {
    let mut id = [0; 16];
    noise.fill_bytes(&mut id);
    ReportId(id)
}

/// A condition that never comes: people come at a time.
fn pause(seconds: f64) {
    let (_keep, never) = std::sync::mpsc::channel::<()>();
    let _ = never.recv_timeout(Duration::from_secs_f64(seconds.min(3600.0)));
}

fn summary(lanes: &[Lane<'_>], people: u64, seconds: f64) -> Played {
    let mut played = Played { seconds, ..Played::default() };
    let (mut rewards, mut visits, mut times, mut best) = (0.0, 0, Vec::new(), Vec::new());
    for lane in lanes {
        played.taken += lane.taken;
        played.policies = played.policies.max(lane.policies);
        for (reason, count) in &lane.refused {
            *played.refused.entry(reason).or_default() += count;
        }
        rewards += lane.rewards;
        visits += lane.visits;
        times.extend(&lane.times);
        best.extend(&lane.best);
    }
    times.sort_by(f64::total_cmp);
    let quantile = |share: f64| times.get((share * times.len() as f64) as usize).or(times.last()).copied();
    let share = |from: u64| {
        let of: Vec<bool> =
            best.iter().filter(|(person, _)| *person >= from).map(|(_, best)| *best).collect();
        (!of.is_empty()).then(|| of.iter().filter(|best| **best).count() as f64 / of.len() as f64)
    };
    played.mean_reward = if visits > 0 { rewards / visits as f64 } else { 0.0 };
    (played.on_best_arm, played.on_best_arm_at_the_end) = (share(0), share(people - people / 5));
    played.uploads = times.len() as u64;
    (played.median_ms, played.p99_ms) = (quantile(0.5).unwrap_or(0.0), quantile(0.99).unwrap_or(0.0));
    played
}
