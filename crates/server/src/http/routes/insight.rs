//! What is known of an experiment: for programs, and for whoever draws it.

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

use super::experiments::shown;
use crate::central::Curated;
use crate::http::access::{Holder, Named};
use crate::http::{App, Code, Problem};
use crate::service::Seat;
use crate::store::Role;

pub(super) async fn read(
    State(app): State<App>,
    Named(seat): Named,
    holder: Holder,
) -> Result<Json<Value>, Problem> {
    holder.must_be_for(Role::Read, seat.experiment().name())?;
    Ok(Json(of(&app, &seat).await?))
}

/// What is known of an experiment.
pub(super) async fn of(app: &App, seat: &Seat) -> Result<Value, Problem> {
    let mut insight = match &seat.curated {
        Curated::Nothing => local(app, seat).await?,
        Curated::Trial(desk) => {
            let release = desk.release(&app.service.store).await?;
            let known = super::trials::insight(&release);
            with(shown(seat), known, json!({ "all_people": release.guarantee().loss }))
        }
        Curated::Tuning(desk) => {
            let (release, spent) = desk.released(&app.service.store).await?;
            // How many there are is part of a release, and of nothing else.
            let people = release
                .as_ref()
                .map(|release| serde_json::to_value(release).unwrap_or_default()["people"].clone());
            let known = json!({ "people": people, "release": release, "warnings": [] });
            with(shown(seat), known, json!({ "all_people": spent }))
        }
    };
    insight["format"] = "reticent-insight".into();
    insight["version"] = 1.into();
    insight["at"] = app.service.clock.now().to_string().into();
    Ok(insight)
}

/// The document of an experiment, and what is known, as one.
fn with(mut shown: Value, known: Value, spent: Value) -> Value {
    if let (Value::Object(into), Value::Object(known)) = (&mut shown, known) {
        into.extend(known);
        into.remove("experiment");
    }
    shown["spent"] = spent;
    shown
}

async fn local(app: &App, seat: &Seat) -> Result<Value, Problem> {
    let known = app.service.store.learned(seat.prefix()).await?;
    let (marks, learned) = known.ok_or_else(|| Problem::new(Code::NoSuchExperiment))?;
    let read: Value = serde_json::from_slice(&learned.insight).map_err(|_| Problem::new(Code::Internal))?;
    // Each person pays on their own device: what one report costs is all that is spent here.
    let mut insight = with(shown(seat), read, json!({ "each_report": seat.guarantee().loss }));
    let now = app.service.clock.now().unix();
    let age = seat.view().policy.as_ref().map(|policy| now.saturating_sub(policy.at.unix()).max(0));
    insight["policy_age_seconds"] = age.into();
    insight["undecided"] = undecided(&insight).into();
    insight["reports"] = json!({ "taken": marks.appended, "folded": marks.folded });
    let refused: Map<String, Value> =
        seat.refusals().map(|(reason, count)| (name(reason), count.into())).collect();
    insight["refused_on_arrival"] = refused.into();
    Ok(insight)
}

/// The share of people for whom no arm is best with a probability of 0.9; all or nobody where nothing is known of them.
fn undecided(insight: &Value) -> Option<f64> {
    let of_map = insight["map"]["undecided"].as_f64();
    of_map.or_else(|| {
        let arms = insight["arms"].as_array()?;
        let is_best = |arm: &Value| arm["probability_of_best"].as_f64().is_some_and(|chance| chance >= 0.9);
        Some(if arms.iter().any(is_best) { 0.0 } else { 1.0 })
    })
}

fn name(reason: reticent_protocol::Reason) -> String {
    serde_json::to_value(reason).ok().and_then(|name| name.as_str().map(String::from)).unwrap_or_default()
}
