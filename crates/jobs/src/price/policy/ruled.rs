//! Prices that keep to rules, and what each rule costs.

use reticent_learn::pricing::{Fitted, Policy, RuledPolicy, Rules};
use serde::{Deserialize, Serialize};

use super::worth::{Judge, deviations};
use super::{PolicyFileError, Rounding, Wish, Worth};

/// What prices were to keep to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// Steps or endings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
    /// All else.
    #[serde(default, skip_serializing_if = "Rules::is_empty")]
    pub rules: Rules,
}

/// Rules that a policy keeps to, and what they cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// What was asked.
    pub asked: Asked,
    /// What would be earned without any rule.
    pub without: Worth,
    /// What is earned with all of them.
    pub with: Worth,
    /// What would be earned without one of them, in words.
    pub each: Vec<RuleCost>,
    /// The mean outcome of a person; none if outcomes are rewards.
    pub volume: Option<Worth>,
    /// The mean price.
    pub mean_price: f64,
    /// Whether the lower end of the volume is what was asked for, not the estimate alone.
    pub sure: bool,
}

/// What would be earned if one rule were given up and all others kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleCost {
    /// The rule.
    pub rule: String,
    /// What would be earned without it.
    pub without: Worth,
}

impl Asked {
    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.rounding.is_none() && self.rules.is_empty()
    }

    /// Each rule in words, with what is asked without it.
    fn each(&self) -> Vec<(String, Asked)> {
        let Rules { least_volume, most_mean_price, rises_with, falls_with, blind_to, single } = &self.rules;
        let mut all = Vec::new();
        let mut rule = |words: String, change: &dyn Fn(&mut Asked)| {
            let mut rest = self.clone();
            change(&mut rest);
            all.push((words, rest));
        };
        if let Some(rounding) = &self.rounding {
            rule(rounding.to_string(), &|asked| asked.rounding = None);
        }
        if let Some(least) = least_volume {
            rule(format!("a volume of at least {least}"), &|asked| asked.rules.least_volume = None);
        }
        if let Some(most) = most_mean_price {
            rule(format!("a mean price of at most {most}"), &|asked| asked.rules.most_mean_price = None);
        }
        for name in rises_with {
            let others = |asked: &mut Asked| asked.rules.rises_with.retain(|other| other != name);
            rule(format!("prices that never fall as {name} grows"), &others);
        }
        for name in falls_with {
            let others = |asked: &mut Asked| asked.rules.falls_with.retain(|other| other != name);
            rule(format!("prices that never rise as {name} grows"), &others);
        }
        for name in blind_to {
            let others = |asked: &mut Asked| asked.rules.blind_to.retain(|other| other != name);
            rule(format!("prices that are blind to {name}"), &others);
        }
        if *single {
            rule("one price for everybody".into(), &|asked| asked.rules.single = false);
        }
        all
    }

    /// Each rule in words.
    pub fn words(&self) -> Vec<String> {
        self.each().into_iter().map(|(words, _)| words).collect()
    }
}

/// Makes policies of one fit.
pub(super) struct Ruling<'a> {
    pub(super) fitted: &'a Fitted,
    pub(super) wish: &'a Wish,
    pub(super) target: Option<&'a [Vec<f64>]>,
    /// Chosen without rules, from rounded prices and from all.
    rounded: Policy,
    free: Option<Policy>,
}

impl<'a> Ruling<'a> {
    pub(super) fn new(
        fitted: &'a Fitted,
        wish: &'a Wish,
        rounded: Policy,
        target: Option<&'a [Vec<f64>]>,
    ) -> Result<Ruling<'a>, PolicyFileError> {
        let free = if wish.asked.rounding.is_some() {
            let mut free = wish.clone();
            free.asked.rounding = None;
            Some(fitted.policy_for(free.objective(rounded.terms())?, target)?)
        } else {
            None
        };
        Ok(Ruling { fitted, wish, target, rounded, free })
    }

    /// The policy, with the rules that it keeps to.
    pub(super) fn run(self) -> Result<(Policy, Option<Kept>), PolicyFileError> {
        let asked = &self.wish.asked;
        if asked.is_empty() {
            return Ok((self.rounded, None));
        }
        let RuledPolicy { policy, volume, mean_price, sure } = self.with(asked)?;
        let judge = Judge { fitted: self.fitted, target: self.target, objective: policy.objective() };
        let mut each = Vec::new();
        for (rule, rest) in asked.each() {
            each.push(RuleCost { rule, without: judge.policy(&self.with(&rest)?.policy) });
        }
        let wide = deviations(policy.objective().confidence);
        let volume = volume.map(|(mean, deviation)| Worth {
            mean,
            low: mean - wide * deviation,
            high: mean + wide * deviation,
        });
        let without = judge.policy(self.free.as_ref().unwrap_or(&self.rounded));
        let with = judge.policy(&policy);
        Ok((policy, Some(Kept { asked: asked.clone(), without, with, each, volume, mean_price, sure })))
    }

    fn with(&self, asked: &Asked) -> Result<RuledPolicy, PolicyFileError> {
        let base = match &self.free {
            Some(free) if asked.rounding.is_none() => free,
            _ => &self.rounded,
        };
        let wide = deviations(base.objective().confidence);
        let mut ruled = self.fitted.ruled(base, &asked.rules, self.target, wide)?;
        if asked.rules.is_empty() {
            // Without rules the choice stands as it was made.
            ruled.policy = base.clone();
        }
        Ok(ruled)
    }
}
