//! The guarantee of an experiment as data: the same object in its document, its policy's headers and its insight.

use reticent_curate::kernel::promise;
use reticent_curate::trial::TrialSpec;
use reticent_learn::mab::AgentKind;
use reticent_privacy::{Delta, Guarantee};
use reticent_protocol::{contextual, mab, pricing};
use reticent_schema::Experiment;
use reticent_schema::experiment::Problem;

/// The failure probability of all releases of one tuning experiment together.
pub(crate) const TUNING_DELTA: f64 = 1e-6;

/// What an experiment promises everyone in it. One that does not fit its kind promises nothing.
pub(crate) fn of(experiment: &Experiment) -> Guarantee {
    let made = match experiment.problem() {
        Problem::Bandit(_) => mab::Spec::of(experiment.clone()).ok().map(|spec| Guarantee {
            proof: AgentKind::DEFAULT.guarantee(spec.epsilon()).proof,
            ..spec.guarantee()
        }),
        Problem::Contextual(_) => contextual::Spec::of(experiment.draft()).ok().map(|spec| spec.guarantee()),
        Problem::Pricing(_) => pricing::Spec::of(experiment.draft()).ok().map(|spec| spec.guarantee()),
        Problem::Trial(_) => TrialSpec::of(experiment).ok().map(|spec| spec.guarantee()),
        Problem::Tuning(_) => Delta::new(TUNING_DELTA).ok().map(|delta| promise(experiment.epsilon(), delta)),
        _ => None,
    };
    made.unwrap_or_else(|| Guarantee::none("nobody: the document does not fit its kind"))
}
