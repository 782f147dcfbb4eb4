//! Tuning: records in, functions out, each paid for from the experiment's budget.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reticent_curate::kernel::{
    Collector, Input, KernelSpec, Population, Records, Release, ReleaseError, ReleaseLoss, promise,
};
use reticent_jobs::tune::{Function, Prediction};
use reticent_privacy::{Delta, Epsilon, Loss};
use reticent_schema::Prefix;
use reticent_store::{Account, Journal, JournalKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use siphasher::sip::SipHasher13;
use tokio::sync::Mutex;

use super::CentralError;
use super::storage::InStore;
use crate::guarantee::TUNING_DELTA;
use crate::store::{JournalName, Store};

const KIND: JournalKind = JournalKind { name: "reticent-records", version: 1 };
const THREADS: usize = 1;

/// Tuning as it is served.
pub(crate) struct TuningDesk {
    experiment: Prefix,
    spec: KernelSpec,
    epsilon: Epsilon,
    open: Arc<Mutex<Option<Open>>>,
}

/// A line of the records' journal. It has no `Debug`: records are people's.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    ReticentRecords { version: u32 },
    Record { id: String, inputs: Vec<f64>, reward: f64 },
}

struct Open {
    journal: Journal<Line>,
    lengths: [Arc<AtomicU64>; 2],
    /// What was posted under each id, as a hash: the same again is known, and something else is not taken for it.
    ids: BTreeMap<String, u64>,
    records: Records,
    account: Account,
    function: Option<Arc<Function>>,
}

/// A record as it was posted.
pub(crate) struct Posted {
    id: String,
    inputs: Vec<f64>,
    reward: f64,
}

impl Posted {
    /// Of all that it says: a repetition of it is known without keeping it twice.
    fn hash(&self) -> u64 {
        let mut hasher = SipHasher13::new();
        self.inputs.iter().chain([&self.reward]).for_each(|value| hasher.write_u64(value.to_bits()));
        hasher.finish()
    }
}

/// A release, and what is spent after it.
pub(crate) struct Fitted {
    pub(crate) release: Release,
    pub(crate) stored: bool,
    pub(crate) spent: Option<Loss>,
}

impl TuningDesk {
    pub(super) fn new(experiment: Prefix, spec: KernelSpec, epsilon: Epsilon) -> TuningDesk {
        TuningDesk { experiment, spec, epsilon, open: Arc::default() }
    }

    /// Reads a record: actions, contexts and the outcome by their columns' names.
    pub(crate) fn read(&self, id: String, values: &BTreeMap<String, Value>) -> Result<Posted, CentralError> {
        let plan = self.spec.draft();
        let names =
            plan.actions.iter().chain(&plan.contexts).map(|input| &input.column).chain([&plan.reward.column]);
        if values.len() != names.clone().count() || !names.clone().all(|name| values.contains_key(name)) {
            return Err(CentralError::Refused(
                "a record has one value for each column of the plan, and no other".into(),
            ));
        }
        if id.is_empty() || id.len() > 200 {
            return Err(CentralError::Refused("a record's id has 1 to 200 bytes".into()));
        }
        let inputs = plan.actions.iter().chain(&plan.contexts);
        let inputs = inputs.map(|input| number(input, &values[&input.column])).collect::<Result<_, _>>()?;
        let reward = values[&plan.reward.column].as_f64();
        let reward = reward.ok_or_else(|| CentralError::Refused("the outcome is no number".into()))?;
        Ok(Posted { id, inputs, reward })
    }

    /// The values that a prediction is about, in the plan's order; none for no action.
    pub(crate) fn asked(
        &self,
        context: &BTreeMap<String, Value>,
        action: Option<&BTreeMap<String, Value>>,
    ) -> Result<(Vec<f64>, Option<Vec<f64>>), CentralError> {
        let plan = self.spec.draft();
        let read = |inputs: &[Input], values: &BTreeMap<String, Value>| {
            if values.len() != inputs.len() {
                return Err(CentralError::Refused(
                    "give one value for each input of the plan, and no other".into(),
                ));
            }
            let one = |input: &Input| {
                let value = values.get(&input.column);
                let value =
                    value.ok_or_else(|| CentralError::Refused(format!("{} has no value", input.column)))?;
                let value = number(input, value)?;
                let inside = (input.low..=input.high).contains(&value);
                let outside =
                    || CentralError::Refused(format!("{} is outside its declared range", input.column));
                if inside { Ok(value) } else { Err(outside()) }
            };
            inputs.iter().map(one).collect::<Result<Vec<f64>, _>>()
        };
        let action = action.map(|values| read(&plan.actions, values)).transpose()?;
        Ok((read(&plan.contexts, context)?, action))
    }

    /// Keeps records; how many of them are new. One that was posted before changes nothing; if one says something else
    /// than is on record, none of them is kept.
    pub(crate) async fn add(
        &self,
        store: &Arc<dyn Store>,
        posted: Vec<Posted>,
    ) -> Result<usize, CentralError> {
        self.step(store, move |open, spec| {
            let mut new = BTreeMap::new();
            for one in posted {
                let hash = one.hash();
                let known = open.ids.get(&one.id).or_else(|| new.get(&one.id).map(|(hash, _)| hash));
                match known {
                    Some(known) if *known != hash => return Err(CentralError::Contradiction),
                    Some(_) => {}
                    None => drop(new.insert(one.id.clone(), (hash, one))),
                }
            }
            let added = new.len();
            for (id, (hash, Posted { inputs, reward, .. })) in new {
                push(&mut open.records, spec, &inputs, reward);
                open.ids.insert(id.clone(), hash);
                open.journal.append_later(&Line::Record { id, inputs, reward })?;
            }
            open.journal.flush()?;
            Ok(added)
        })
        .await
    }

    /// Releases the function of all records so far, at this loss; or gives the one that was released for it before.
    /// A fit takes the share of delta that it takes of epsilon, so that both last equally long.
    pub(crate) async fn fit(&self, store: &Arc<dyn Store>, epsilon: Epsilon) -> Result<Fitted, CentralError> {
        let whole = self.epsilon;
        self.step(store, move |open, spec| {
            let refused = |error: ReleaseError| CentralError::Refused(error.to_string());
            let delta = share(whole_delta()?, epsilon, whole)?;
            let people = open.records.len() as u64;
            let request = format!("function of {people} records at epsilon {epsilon}, delta {delta}");
            let loss = promise(epsilon, delta).loss;
            if open.account.stored(&request).is_none() {
                open.account.check(loss)?;
            }
            let budget = ReleaseLoss::new(epsilon, delta).map_err(refused)?;
            let mut collector =
                Collector::new(spec, &Population::Uniform, people, budget, THREADS).map_err(refused)?;
            collector.add(&open.records).map_err(refused)?;
            let answer = open.account.answer(&request, loss, move || {
                let release =
                    collector.release().map_err(|error| std::io::Error::other(error.to_string()))?;
                serde_json::to_string(&release).map_err(std::io::Error::other)
            })?;
            let release: Release = serde_json::from_str(&answer.text)
                .map_err(|_| CentralError::Refused("the stored release cannot be read".into()))?;
            open.function = None;
            Ok(Fitted { release, stored: answer.stored, spent: open.account.spent() })
        })
        .await
    }

    /// What the newest release expects, and what its reader must know of the records.
    pub(crate) async fn predict(
        &self,
        store: &Arc<dyn Store>,
        context: Vec<f64>,
        action: Option<Vec<f64>>,
    ) -> Result<(Prediction, Vec<String>), CentralError> {
        let function = self.step(store, |open, _| open.function()).await?;
        let ask = move || {
            let prediction = match action {
                Some(action) => function.at(&action, &context),
                None => function.best(&context),
            };
            (prediction, function.warnings())
        };
        tokio::task::spawn_blocking(ask).await.map_err(|_| CentralError::Interrupted)
    }

    /// The newest release, and what is spent.
    pub(crate) async fn released(
        &self,
        store: &Arc<dyn Store>,
    ) -> Result<(Option<Release>, Option<Loss>), CentralError> {
        self.step(store, |open, _| Ok((open.release()?, open.account.spent()))).await
    }

    /// Takes a step, alone. What failed is read again from the store before the next.
    async fn step<T: Send + 'static>(
        &self,
        store: &Arc<dyn Store>,
        step: impl FnOnce(&mut Open, &KernelSpec) -> Result<T, CentralError> + Send + 'static,
    ) -> Result<T, CentralError> {
        let mut open = Arc::clone(&self.open).lock_owned().await;
        let lengths = [
            store.journal_length(self.experiment, JournalName::Records).await?,
            store.journal_length(self.experiment, JournalName::Account).await?,
        ];
        let (store, experiment, spec, epsilon) =
            (Arc::clone(store), self.experiment, self.spec.clone(), self.epsilon);
        let work = move || {
            let known = open
                .take()
                .filter(|open| open.lengths.each_ref().map(|l| l.load(Ordering::SeqCst)) == lengths);
            let mut now = match known {
                Some(open) => open,
                None => Open::read(&store, experiment, &spec, epsilon)?,
            };
            let done = step(&mut now, &spec);
            if !matches!(done, Err(CentralError::Busy)) {
                *open = Some(now);
            }
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| CentralError::Interrupted)?
    }
}

impl Open {
    fn read(
        store: &Arc<dyn Store>,
        experiment: Prefix,
        spec: &KernelSpec,
        epsilon: Epsilon,
    ) -> Result<Open, CentralError> {
        let (storage, records_length) = InStore::new(Arc::clone(store), experiment, JournalName::Records);
        let (mut journal, lines) = Journal::over(storage, KIND, None)?;
        if lines.is_empty() {
            journal.append(&Line::ReticentRecords { version: KIND.version })?;
        }
        let (mut ids, mut records) = (BTreeMap::new(), Records::new(spec.inputs()));
        for line in lines {
            if let Line::Record { id, inputs, reward } = line {
                push(&mut records, spec, &inputs, reward);
                let one = Posted { id, inputs, reward };
                let hash = one.hash();
                ids.insert(one.id, hash);
            }
        }
        let (storage, account_length) = InStore::new(Arc::clone(store), experiment, JournalName::Account);
        let account = Account::over(storage, epsilon, whole_delta()?)?;
        Ok(Open { journal, lengths: [records_length, account_length], ids, records, account, function: None })
    }

    fn release(&self) -> Result<Option<Release>, CentralError> {
        let read = |text: &str| {
            serde_json::from_str(text).map_err(|_| CentralError::Refused("the release cannot be read".into()))
        };
        self.account.newest().map(read).transpose()
    }

    fn function(&mut self) -> Result<Arc<Function>, CentralError> {
        if let Some(function) = &self.function {
            return Ok(Arc::clone(function));
        }
        let release = self.release()?.ok_or(CentralError::NothingReleased)?;
        let function = Arc::new(Function::of(release, THREADS)?);
        self.function = Some(Arc::clone(&function));
        Ok(function)
    }
}

fn whole_delta() -> Result<Delta, CentralError> {
    Delta::new(TUNING_DELTA).map_err(|error| CentralError::Refused(error.to_string()))
}

/// Rounded down to so many units of 10^-18: as few digits as a stored number keeps exactly.
const DELTA_STEP: u128 = 1_000;

/// The share of delta that goes with a share of epsilon: all shares together are never more than the whole.
fn share(delta: Delta, epsilon: Epsilon, whole: Epsilon) -> Result<Delta, CentralError> {
    let refused = |error: &dyn std::fmt::Display| CentralError::Refused(error.to_string());
    if epsilon >= whole {
        return Ok(delta);
    }
    let atto = u128::from(delta.atto()) * u128::from(epsilon.nano()) / u128::from(whole.nano());
    let text = format!("0.{:018}", atto / DELTA_STEP * DELTA_STEP);
    text.parse().map_err(|error| refused(&error))
}

fn push(records: &mut Records, spec: &KernelSpec, inputs: &[f64], reward: f64) {
    let point: Vec<f64> =
        inputs.iter().enumerate().map(|(input, &value)| spec.scaled(input, value)).collect();
    records.push(&point, spec.scaled_reward(reward));
}

/// A number, or the middle of a level's cell. What was posted is not repeated: it may be a person's.
fn number(input: &Input, value: &Value) -> Result<f64, CentralError> {
    let wrong =
        || CentralError::Refused(format!("{} is no number, or no level that the plan has", input.column));
    match (&input.levels, value) {
        (None, Value::Number(number)) => number.as_f64().ok_or_else(wrong),
        (Some(levels), Value::String(text)) => {
            let place = levels.iter().position(|level| level == text).ok_or_else(wrong)?;
            Ok(place as f64 + 0.5)
        }
        _ => Err(wrong()),
    }
}
