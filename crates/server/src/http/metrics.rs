//! Counts for Prometheus: of routes and of experiments, never of people. What is done to trials and tuning is not
//! counted at all: whether and when an outcome came is part of what their guarantee hides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::Semaphore;

use super::routes::Route;
use crate::service::Service;

/// Upper ends of answer times, in milliseconds.
const TIMES: [u64; 8] = [1, 5, 10, 25, 50, 100, 500, 5_000];

pub(crate) struct Metrics {
    names: BTreeSet<&'static str>,
    /// Those that are counted.
    routes: BTreeMap<&'static str, RouteCounts>,
    pub(crate) at_once: Semaphore,
}

#[derive(Default)]
struct RouteCounts {
    /// By the first digit of the status.
    classes: [AtomicU64; 6],
    times: [AtomicU64; TIMES.len() + 1],
    micros: AtomicU64,
}

impl Metrics {
    pub(crate) fn new(routes: &[Route], at_once: usize) -> Metrics {
        let names = routes.iter().map(|route| route.path).collect();
        let counted = routes.iter().filter(|route| !route.is_central).map(|route| route.path);
        let routes = counted.chain(["unknown"]).map(|path| (path, RouteCounts::default())).collect();
        Metrics { names, routes, at_once: Semaphore::new(at_once.clamp(1, Semaphore::MAX_PERMITS)) }
    }

    /// Routes are known beforehand: their names are the only part of an address that is ever written.
    pub(crate) fn name_of(&self, path: &str) -> &'static str {
        self.names.get(path).copied().unwrap_or("unknown")
    }

    /// Whether anything may be said of a route's requests.
    pub(crate) fn is_counted(&self, route: &str) -> bool {
        self.routes.contains_key(route)
    }

    pub(crate) fn request(&self, route: &str, status: StatusCode, time: Duration) {
        let Some(counts) = self.routes.get(route) else { return };
        counts.classes[usize::from(status.as_u16() / 100).min(5)].fetch_add(1, Ordering::Relaxed);
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let slot = TIMES.iter().position(|end| millis <= *end).unwrap_or(TIMES.len());
        counts.times[slot].fetch_add(1, Ordering::Relaxed);
        counts.micros.fetch_add(u64::try_from(time.as_micros()).unwrap_or(0), Ordering::Relaxed);
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self, service: &Service) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail, here and below.
        let _ = self.write_routes(&mut text);
        let _ = write_experiments(&mut text, service);
        text
    }

    fn write_routes(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "# TYPE reticent_requests_total counter")?;
        for (route, counts) in &self.routes {
            for (class, count) in counts.classes.iter().enumerate().skip(1) {
                let count = count.load(Ordering::Relaxed);
                if count > 0 {
                    writeln!(
                        text,
                        "reticent_requests_total{{route=\"{route}\",status=\"{class}xx\"}} {count}"
                    )?;
                }
            }
        }
        writeln!(text, "# TYPE reticent_request_seconds histogram")?;
        for (route, counts) in &self.routes {
            let all: Vec<u64> = counts.times.iter().map(|count| count.load(Ordering::Relaxed)).collect();
            let total: u64 = all.iter().sum();
            if total == 0 {
                continue;
            }
            let mut below = 0;
            for (end, count) in TIMES.iter().zip(&all) {
                below += count;
                let seconds = *end as f64 / 1e3;
                writeln!(
                    text,
                    "reticent_request_seconds_bucket{{route=\"{route}\",le=\"{seconds}\"}} {below}"
                )?;
            }
            writeln!(text, "reticent_request_seconds_bucket{{route=\"{route}\",le=\"+Inf\"}} {total}")?;
            let seconds = counts.micros.load(Ordering::Relaxed) as f64 / 1e6;
            writeln!(text, "reticent_request_seconds_sum{{route=\"{route}\"}} {seconds}")?;
            writeln!(text, "reticent_request_seconds_count{{route=\"{route}\"}} {total}")?;
        }
        Ok(())
    }
}

/// Of local kinds: who reports, and how many, is no secret of theirs.
fn write_experiments(text: &mut String, service: &Service) -> std::fmt::Result {
    let seats: Vec<_> = service.seats().into_iter().filter(|seat| seat.takes_reports()).collect();
    writeln!(text, "# TYPE reticent_reports_taken_total counter")?;
    for seat in &seats {
        let (name, marks) = (label(seat.experiment().name()), seat.view().marks);
        writeln!(text, "reticent_reports_taken_total{{experiment=\"{name}\"}} {}", marks.appended)?;
    }
    writeln!(text, "# TYPE reticent_reports_folded_total counter")?;
    for seat in &seats {
        let (name, marks) = (label(seat.experiment().name()), seat.view().marks);
        writeln!(text, "reticent_reports_folded_total{{experiment=\"{name}\"}} {}", marks.folded)?;
    }
    writeln!(text, "# TYPE reticent_policy_version gauge")?;
    for seat in &seats {
        let (name, marks) = (label(seat.experiment().name()), seat.view().marks);
        writeln!(text, "reticent_policy_version{{experiment=\"{name}\"}} {}", marks.newest)?;
    }
    Ok(())
}

/// Names have no control characters.
fn label(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
