//! Whether a report can be an answer at all, before it is kept: it depends on public documents alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use reticent_learn::contextual::{Contextual, Options};
use reticent_privacy::{SimSeed, Stream};
use reticent_protocol::contextual::{Plan, Policy};
use reticent_protocol::{Answer, Reason, Report, contextual, mab, pricing};
use reticent_schema::experiment::Problem;
use reticent_schema::{Experiment, Prefix};

use crate::store::{ALWAYS_OPEN, PublishedPolicy};

/// What an experiment's reports look like.
pub(crate) struct Gate {
    prefix: Prefix,
    kind: Kind,
}

enum Kind {
    Bandit { arms: u32, questions: BTreeMap<u64, u32> },
    Contextual { spec: Box<contextual::Spec>, plans: BTreeMap<u64, Arc<Plan>>, sources: Vec<Arc<Plan>> },
    Pricing(Box<pricing::Spec>),
}

impl Gate {
    /// The gate of an experiment whose devices send reports; none of the others.
    pub(crate) fn of(experiment: &Experiment) -> Option<Gate> {
        let kind = match experiment.problem() {
            Problem::Bandit(_) => {
                let arms = mab::Spec::of(experiment.clone()).ok()?.arms();
                Kind::Bandit { arms, questions: BTreeMap::new() }
            }
            Problem::Contextual(_) => {
                let spec = contextual::Spec::of(experiment.draft()).ok()?;
                Kind::Contextual { sources: sources(&spec), spec: Box::new(spec), plans: BTreeMap::new() }
            }
            Problem::Pricing(_) => Kind::Pricing(Box::new(pricing::Spec::of(experiment.draft()).ok()?)),
            _ => return None,
        };
        Some(Gate { prefix: experiment.prefix(), kind })
    }

    /// The same with the policies that are open now.
    pub(crate) fn with(&self, policies: &[PublishedPolicy]) -> Gate {
        let kind = match &self.kind {
            Kind::Bandit { arms, .. } => {
                let asked = |published: &PublishedPolicy| {
                    Some((published.version, mab::Policy::decode(&published.bytes).ok()?.question))
                };
                Kind::Bandit { arms: *arms, questions: policies.iter().filter_map(asked).collect() }
            }
            Kind::Pricing(spec) => Kind::Pricing(spec.clone()),
            Kind::Contextual { spec, plans, sources } => {
                let plan = |published: &PublishedPolicy| {
                    let known = plans.get(&published.version).cloned();
                    let made = || Plan::new(spec, Policy::decode(&published.bytes).ok()?).ok().map(Arc::new);
                    Some((published.version, known.or_else(made)?))
                };
                let (spec, sources) = (spec.clone(), sources.clone());
                Kind::Contextual { plans: policies.iter().filter_map(plan).collect(), spec, sources }
            }
        };
        Gate { prefix: self.prefix, kind }
    }

    /// What the people of a source are asked.
    pub(crate) fn source_policy(&self, source: usize) -> Option<&Policy> {
        match &self.kind {
            Kind::Contextual { sources, .. } => sources.get(source).map(|plan| plan.policy()),
            _ => None,
        }
    }

    /// Which policy the report is of, if it can be an answer.
    pub(crate) fn check(&self, report: &Report) -> Result<u64, Reason> {
        if report.experiment != self.prefix {
            return Err(Reason::OtherExperiment);
        }
        match &self.kind {
            Kind::Bandit { arms, questions } => match (&report.answer, report.source) {
                (Answer::Bit { arm, .. }, None)
                    if arm < arms
                        && questions.get(&report.policy).is_none_or(|asked| *asked == report.question) =>
                {
                    Ok(report.policy)
                }
                _ => Err(Reason::NotAnAnswer),
            },
            Kind::Contextual { plans, sources, .. } => match report.source {
                Some(source) => {
                    let plan = sources.get(source as usize).ok_or(Reason::NotAnAnswer)?;
                    let version = plan.policy().version;
                    let fits = report.policy == version && is_answer(plan, report);
                    if fits { Ok(ALWAYS_OPEN) } else { Err(Reason::NotAnAnswer) }
                }
                None => match plans.get(&report.policy) {
                    Some(plan) if !is_answer(plan, report) => Err(Reason::NotAnAnswer),
                    // One that was never published, or is closed: the store knows which.
                    _ => Ok(report.policy),
                },
            },
            Kind::Pricing(spec) => match spec.received(report) {
                Ok(_) => Ok(0),
                Err(_) => Err(Reason::NotAnAnswer),
            },
        }
    }
}

fn is_answer(plan: &Plan, report: &Report) -> bool {
    let task = report.question as usize;
    match &report.answer {
        Answer::Symbol(answer) => {
            task < plan.policy().tasks.len() && plan.channel(task).shape().check(answer).is_ok()
        }
        Answer::Bit { .. } => false,
    }
}

/// What people of sources are asked follows from the document: any agent of it says so.
fn sources(spec: &contextual::Spec) -> Vec<Arc<Plan>> {
    if spec.sources().is_empty() {
        return Vec::new();
    }
    let rng = SimSeed(0).stream(0, Stream::Agent);
    let agent = Contextual::new(spec.clone(), Options::default(), rng);
    let plans =
        agent.map(|agent| (0..spec.sources().len()).filter_map(|s| agent.source_plan(s).cloned()).collect());
    plans.unwrap_or_default()
}
