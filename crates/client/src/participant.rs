//! A person in one experiment: what each problem asks of their device.

use std::sync::Arc;

use reticent_device::{contextual, mab, pricing};
use reticent_privacy::Guarantee;
use reticent_protocol::contextual::Plan;
use reticent_protocol::{Report, contextual as wire_contextual, mab as wire_mab, pricing as wire_pricing};
use reticent_schema::{Experiment, Value};

use crate::{Client, ClientError};

impl Client {
    /// The person in a bandit.
    pub fn bandit(&self, name: &str) -> Result<Bandit, ClientError> {
        let experiment = self.of_kind(name, "bandit")?;
        let spec = wire_mab::Spec::of(experiment)?;
        let device = mab::DurableDevice::new(&spec, self.wallet())?;
        Ok(Bandit { place: Place::new(self, name), arms: spec.arm_names().to_vec(), device, kept: None })
    }

    /// The person in a contextual bandit.
    pub fn contextual(&self, name: &str) -> Result<Contextual, ClientError> {
        let experiment = self.of_kind(name, "contextual")?;
        let spec = wire_contextual::Spec::of(experiment.draft())?;
        let device = contextual::DurableDevice::new(&spec, self.wallet())?;
        Ok(Contextual { place: Place::new(self, name), spec, device, kept: None })
    }

    /// The person in a collection of sales.
    pub fn pricing(&self, name: &str) -> Result<Pricing, ClientError> {
        let experiment = self.of_kind(name, "pricing")?;
        let spec = wire_pricing::Spec::of(experiment.draft())?;
        let device = pricing::DurableDevice::new(&spec, self.wallet())?;
        Ok(Pricing { place: Place::new(self, name), device })
    }

    fn of_kind(&self, name: &str, asked: &'static str) -> Result<Experiment, ClientError> {
        let experiment = self.experiment(name)?.experiment;
        let kind = experiment.problem().kind();
        if kind == asked {
            Ok(experiment)
        } else {
            Err(ClientError::OtherKind { experiment: name.to_string(), kind, asked })
        }
    }
}

/// Whose reports go where.
#[derive(Debug)]
struct Place {
    client: Client,
    name: String,
}

impl Place {
    fn new(client: &Client, name: &str) -> Place {
        Place { client: client.clone(), name: name.to_string() }
    }

    /// A person who got an arm: whether they report was decided before there is an outcome.
    fn visit<C>(&self, request: &str, choice: C) -> Result<Visit<C>, ClientError> {
        let reports = self.client.arrive(&self.name, request)?;
        Ok(Visit { request: request.to_string(), choice, reports })
    }

    /// A report that was drawn goes into the queue; a refusal is explained.
    fn queue(
        &self,
        request: &str,
        drawn: Result<Report, reticent_device::DeviceError>,
    ) -> Result<(), ClientError> {
        let report = drawn.map_err(|error| self.client.explained(error))?;
        self.client.queue(&self.name, request, report)
    }
}

/// One visit: the arm for it, and whether its outcome will be reported. A person whose outcome is missing is to be
/// answered for all the same.
#[derive(Debug)]
pub struct Visit<C> {
    request: String,
    choice: C,
    reports: bool,
}

impl<C> Visit<C> {
    /// What the device drew.
    pub fn choice(&self) -> &C {
        &self.choice
    }

    /// Whether this is a visit that is reported. It follows from the visits before it alone.
    pub fn reports(&self) -> bool {
        self.reports
    }
}

/// A person in a bandit: `choose`, show the arm, `answer`.
#[derive(Debug)]
pub struct Bandit {
    place: Place,
    arms: Vec<String>,
    device: mab::DurableDevice,
    /// The policy that was read last, by its tag.
    kept: Option<(String, wire_mab::Policy)>,
}

impl Bandit {
    /// An arm, drawn from the policy that is kept. The same request is the same visit.
    pub fn choose(&mut self, request: &str) -> Result<Visit<mab::Choice>, ClientError> {
        let (tag, bytes) = self.place.client.policy(&self.place.name)?;
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != tag) {
            self.kept = Some((tag, wire_mab::Policy::decode(&bytes)?));
        }
        let Some((_, policy)) = &self.kept else { return Err(ClientError::Damaged { what: "kept policy" }) };
        let choice = self.device.choose(policy)?;
        self.place.visit(request, choice)
    }

    /// The name of the chosen arm.
    pub fn arm(&self, visit: &Visit<mab::Choice>) -> &str {
        self.arms.get(visit.choice.arm() as usize).map_or("", String::as_str)
    }

    /// At a visit that is reported: pays, randomises the reward and queues the report; the same request again, under
    /// the same policy, changes nothing and costs nothing. At any other one: nothing.
    pub fn answer(&mut self, visit: Visit<mab::Choice>, reward: f64) -> Result<(), ClientError> {
        self.place.client.ensure_consent()?;
        let Visit { request, choice, reports } = visit;
        if !reports {
            return Ok(());
        }
        let drawn = self.device.answer(&request, choice, reward);
        self.place.queue(&request, drawn)
    }

    /// The same for a person whose reward is missing: silence would tell.
    pub fn answer_missing(&mut self, visit: Visit<mab::Choice>) -> Result<(), ClientError> {
        self.answer(visit, f64::NAN)
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.device.guarantee()
    }
}

/// A person in a contextual bandit.
#[derive(Debug)]
pub struct Contextual {
    place: Place,
    spec: wire_contextual::Spec,
    device: contextual::DurableDevice,
    kept: Option<(String, Arc<Plan>)>,
}

impl Contextual {
    /// The arm for a person with this context, which stays here. An arm that is private is paid for at each visit,
    /// whether it is reported or not.
    pub fn choose(
        &mut self,
        request: &str,
        context: &[Value],
    ) -> Result<Visit<contextual::Choice>, ClientError> {
        let (tag, bytes) = self.place.client.policy(&self.place.name)?;
        if self.kept.as_ref().is_none_or(|(kept, _)| *kept != tag) {
            let policy = wire_contextual::Policy::decode(&bytes)?;
            self.kept = Some((tag, Arc::new(Plan::new(&self.spec, policy)?)));
        }
        let Some((_, plan)) = &self.kept else { return Err(ClientError::Damaged { what: "kept policy" }) };
        let plan = Arc::clone(plan);
        let context = self.device.encode(context)?;
        let choice = self.device.choose(request, &plan, &context);
        let choice = choice.map_err(|error| self.place.client.explained(error))?;
        self.place.visit(request, choice)
    }

    /// The name of the chosen arm.
    pub fn arm(&self, visit: &Visit<contextual::Choice>) -> &str {
        self.spec.arm_names().get(visit.choice.arm() as usize).map_or("", String::as_str)
    }

    /// At a visit that is reported: pays, randomises what happened and queues the report. At any other one: nothing.
    pub fn answer(&mut self, visit: Visit<contextual::Choice>, reward: f64) -> Result<(), ClientError> {
        self.place.client.ensure_consent()?;
        let Visit { request, choice, reports } = visit;
        if !reports {
            return Ok(());
        }
        let drawn = self.device.answer(&request, choice, reward);
        self.place.queue(&request, drawn)
    }

    /// The same for a person whose reward is missing.
    pub fn answer_missing(&mut self, visit: Visit<contextual::Choice>) -> Result<(), ClientError> {
        self.answer(visit, f64::NAN)
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.device.guarantee()
    }
}

/// A person in a collection of sales: each sale is reported, as long as the budget lasts.
#[derive(Debug)]
pub struct Pricing {
    place: Place,
    device: pricing::DurableDevice,
}

impl Pricing {
    /// Pays, randomises a sale (context, price, what came of it) and queues the report. An outcome that is no number
    /// counts as missing.
    pub fn answer(
        &mut self,
        request: &str,
        context: &[Value],
        price: f64,
        outcome: f64,
    ) -> Result<(), ClientError> {
        self.place.client.ensure_consent()?;
        let record = self.device.record(context, price)?;
        let drawn = self.device.answer(request, record, outcome);
        self.place.queue(request, drawn)
    }

    /// What each report promises.
    pub fn guarantee(&self) -> Guarantee {
        self.device.guarantee()
    }
}
