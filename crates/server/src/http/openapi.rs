//! The OpenAPI document, made from the list of routes.

use serde_json::{Map, Value, json};

use super::problem::Code;
use super::routes::Route;
use crate::store::Role;

/// The schema of an experiment's document, with its definitions beside all others.
pub(crate) fn experiment_schema() -> Value {
    json!({ "$ref": "#/components/schemas/Experiment" })
}

/// The document.
pub(crate) fn document(routes: &[Route]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes {
        let at = paths.entry(route.path).or_insert_with(|| json!({}));
        at[route.method.to_ascii_lowercase()] = operation(route, routes);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Reticent",
            "summary": "Learns good decisions from people without learning about the people",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0 OR MIT" }
        },
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer", "bearerFormat": "rk_ and 64 hexadecimal digits" } }
        }
    })
}

fn operation(route: &Route, all: &[Route]) -> Value {
    let mut answers = Map::new();
    let (status, content) = &route.answer;
    let mut good = json!({ "description": "Done" });
    if !content.is_empty() {
        good["content"] = contents(content);
    }
    if let Some((field, within)) = route.leads_to {
        good["links"] = links(field, within, all);
    }
    answers.insert(status.to_string(), good);
    if *status == 201 {
        answers.insert("200".into(), json!({ "description": "It was so before" }));
    }
    if route.path.ends_with("/policy") {
        answers.insert("304".into(), json!({ "description": "As it was" }));
    }
    let problem = json!({
        "description": "A problem",
        "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/ProblemDocument" } } }
    });
    answers.insert("4XX".into(), problem.clone());
    answers.insert("5XX".into(), problem);
    let mut operation = json!({
        "operationId": name(route), "summary": route.summary, "parameters": parameters(route), "responses": answers
    });
    if !route.body.is_empty() {
        operation["requestBody"] = json!({ "required": true, "content": contents(&route.body) });
    }
    if let Some(role) = route.role {
        operation["security"] = json!([{ "key": [] }]);
        operation["description"] = format!("Needs a key of role {}.", role_name(role)).into();
    }
    operation
}

/// What can be asked about the thing that was made.
fn links(field: &str, within: &str, all: &[Route]) -> Value {
    let about = all.iter().filter(|route| route.path.starts_with(within));
    let link = |route: &Route| {
        let name = name(route);
        let to = json!({ "operationId": name, "parameters": { "id": format!("$response.body#/{field}") } });
        (name, to)
    };
    Value::Object(about.map(link).collect())
}

/// `getExperimentsPolicy`.
fn name(route: &Route) -> String {
    let words =
        route.path.split('/').filter(|part| !part.is_empty() && *part != "v1" && !part.starts_with('{'));
    words.fold(route.method.to_ascii_lowercase(), |name, word| {
        let word = word.replace(".json", "");
        let (first, rest) = word.split_at(1);
        name + &first.to_ascii_uppercase() + rest
    }) + if route.path.ends_with('}') { "One" } else { "" }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Upload => "upload",
        Role::Read => "read",
        Role::Admin => "admin",
    }
}

fn contents(content: &[(&'static str, Value)]) -> Value {
    let named = content.iter().map(|(media, schema)| ((*media).to_string(), json!({ "schema": schema })));
    Value::Object(named.collect())
}

fn parameters(route: &Route) -> Vec<Value> {
    let in_path = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let text = json!({ "type": "string", "minLength": 1 });
    let in_path = in_path
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": text }))
        .collect::<Vec<_>>();
    let in_query =
        route.query.iter().map(|(name, schema)| json!({ "name": name, "in": "query", "schema": schema }));
    in_path.into_iter().chain(in_query).collect()
}

/// Says of whole numbers how large they may be: their format is only a hint.
fn bound(schema: &mut Value) {
    let most = match schema["format"].as_str() {
        Some("uint64") => Some(u64::MAX),
        Some("uint32") => Some(u32::MAX.into()),
        _ => None,
    };
    match schema {
        Value::Object(parts) => {
            if let Some(most) = most {
                parts.entry("maximum").or_insert(most.into());
            }
            parts.values_mut().for_each(bound);
        }
        Value::Array(parts) => parts.iter_mut().for_each(bound),
        _ => {}
    }
}

fn schemas() -> Value {
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    let text = reticent_schema::experiment::json_schema().replace("#/$defs/", "#/components/schemas/");
    let mut experiment: Value = serde_json::from_str(&text).unwrap_or_default();
    bound(&mut experiment);
    let mut all = Map::new();
    if let Some(document) = experiment.as_object_mut() {
        document.remove("$schema");
        if let Some(Value::Object(parts)) = document.remove("$defs") {
            all.extend(parts);
        }
    }
    all.insert("Experiment".into(), experiment);
    let problem = json!({
        "type": "object", "required": ["type", "code", "title", "status"],
        "properties": {
            "type": { "type": "string" }, "code": { "enum": codes }, "title": { "type": "string" },
            "status": { "type": "integer" }, "detail": { "type": "string" }
        }
    });
    all.insert("ProblemDocument".into(), problem);
    all.insert("Failures".into(), super::routes::reports::failures_schema());
    Value::Object(all)
}
