//! `reticent list`.

use reticent_lab::catalogue::{self, Group};
use reticent_lab::contextual;
use reticent_lab::contextual::env::World;
use reticent_lab::kernel;
use reticent_lab::mab;
use reticent_lab::mab::env::Builtin;
use reticent_lab::named::{Named, Origin, Rewards};
use reticent_lab::pricing;
use reticent_lab::reproduce;
use reticent_lab::trial;
use reticent_privacy::{Epsilon, Guarantee, Loss, LossError};
use serde::Serialize;

use super::{CliError, output};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

const MULTI_ARMED: &str = "multi-armed bandit";
const CONTEXTUAL: &str = "contextual bandit";
const TRIAL: &str = "adaptive trial";
const KERNEL: &str = "kernel bandit";
const PRICING: &str = "offline pricing";

#[derive(Serialize)]
struct Document {
    /// Guarantees are stated for this epsilon; they hold for any.
    at_epsilon: Epsilon,
    agents: Vec<AgentEntry>,
    environments: Vec<Entry>,
    mechanisms: Vec<MechanismEntry>,
    figures: Vec<&'static str>,
}

#[derive(Clone, Serialize)]
struct AgentEntry {
    name: &'static str,
    problem: &'static str,
    summary: &'static str,
    source: Origin,
    rewards: Rewards,
    uses_sources: bool,
    default: bool,
    guarantee: Guarantee,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct MechanismEntry {
    name: &'static str,
    group: Group,
    summary: &'static str,
    /// An input for `reticent report`.
    example_input: &'static str,
    guarantee: Guarantee,
}

pub(super) fn run(args: &Args) -> Result<(), CliError> {
    let document = document()?;
    if args.json {
        output::print_document("list", &document)?;
    } else {
        print(&document);
    }
    Ok(())
}

fn document() -> Result<Document, CliError> {
    let epsilon = Epsilon::new(1.0).map_err(|e: LossError| CliError::Usage(e.to_string()))?;
    let file = Entry {
        name: "file:SPEC.toml",
        summary: "arms of your own: bernoulli, beta, uniform, two-point, gaussian, constant (docs/mab.md)",
    };
    let data = Entry {
        name: "data:FILE.csv[.gz]",
        summary: "classification as a bandit: columns x1 to xd, label, perhaps group (docs/contextual.md)",
    };
    Ok(Document {
        at_epsilon: epsilon,
        agents: [
            agents::<mab::AgentName>(MULTI_ARMED, epsilon)?,
            agents::<contextual::AgentName>(CONTEXTUAL, epsilon)?,
            agents::<trial::DesignName>(TRIAL, epsilon)?,
            agents::<kernel::MethodName>(KERNEL, epsilon)?,
            agents::<pricing::MethodName>(PRICING, epsilon)?,
        ]
        .concat(),
        environments: Builtin::ALL
            .into_iter()
            .map(|env| Entry { name: env.name(), summary: env.summary() })
            .chain([file])
            .chain(
                World::NAMES.into_iter().zip(World::SUMMARIES).map(|(name, summary)| Entry { name, summary }),
            )
            .chain([data])
            .collect(),
        mechanisms: mechanisms(epsilon)?,
        figures: reproduce::names(),
    })
}

/// Everything of one problem that can be run by name.
fn agents<N: Named>(problem: &'static str, epsilon: Epsilon) -> Result<Vec<AgentEntry>, CliError> {
    let entry = |&agent: &N| {
        let guarantee = agent.guarantee(epsilon).map_err(|error| CliError::Usage(error.to_string()))?;
        Ok(AgentEntry {
            name: agent.name(),
            problem,
            summary: agent.summary(),
            source: agent.origin(),
            rewards: agent.rewards(),
            uses_sources: agent.uses_sources(),
            default: agent == N::DEFAULT,
            guarantee,
        })
    };
    N::ALL.iter().map(entry).collect()
}

fn mechanisms(epsilon: Epsilon) -> Result<Vec<MechanismEntry>, CliError> {
    let mechanisms = catalogue::all().into_iter().filter(|entry| entry.group() != Group::Agent);
    let described = mechanisms.map(|entry| {
        Ok(MechanismEntry {
            name: entry.name(),
            group: entry.group(),
            summary: entry.summary(),
            example_input: entry.example(),
            guarantee: entry.guarantee(epsilon)?,
        })
    });
    described.collect()
}

/// The agents of one problem, and what the private ones promise.
fn print_agents(document: &Document, problem: &str, title: &str, paper: &str) {
    println!("Agents: {title}");
    let agents = || document.agents.iter().filter(|agent| agent.problem == problem);
    let faithful = format!("faithful to {paper}");
    for (origin, title) in [
        (Origin::Ours, "ours"),
        (Origin::Faithful, faithful.as_str()),
        (Origin::Baseline, "baselines, not private"),
    ] {
        let mut listed = agents().filter(|agent| agent.source == origin).peekable();
        if listed.peek().is_some() {
            println!("  {title}");
        }
        for agent in listed {
            println!("    {:<24} {}", agent.name, agent.summary);
        }
    }
    println!("  Guarantee of the private ones, for any ε that you give:");
    if let Some(agent) = agents().find(|agent| agent.default) {
        let loss = match agent.guarantee.loss {
            Loss::Approximate { .. } => "(ε, δ)-DP where a δ is named, else ε-DP",
            _ => "ε-DP",
        };
        println!("    {loss}, {}; unit: {};", agent.guarantee.trust_model, agent.guarantee.unit);
        println!("    neighbours: {}; proof: {}", agent.guarantee.neighbours, agent.guarantee.proof);
    }
}

fn print(document: &Document) {
    print_agents(document, MULTI_ARMED, "multi-armed bandits", "Ren et al. 2020");
    println!();
    print_agents(
        document,
        CONTEXTUAL,
        "contextual bandits",
        "Ma et al. 2025 and to the agents that it compares with",
    );
    println!();
    print_agents(document, TRIAL, "adaptive trials (`reticent trial`)", "Li, Shi and Simchi-Levi 2024");
    println!();
    print_agents(
        document,
        KERNEL,
        "kernel bandits (`reticent tune`)",
        "Pavlovic, Salgia and Zhao 2025 and to the agent that it compares with",
    );
    println!();
    print_agents(document, PRICING, "offline pricing (`reticent price`)", "Mun, Xu and Fan 2025");
    println!("\nEnvironments");
    for env in &document.environments {
        println!("  {:<26} {}", env.name, env.summary);
    }
    for group in Group::ALL {
        let mut entries = document.mechanisms.iter().filter(|entry| entry.group == group).peekable();
        if entries.peek().is_some() {
            println!("\n{}", group.title());
        }
        for entry in entries {
            println!("  {:<26} {}", entry.name, entry.summary);
            println!("  {:<26} input: {}  proof: {}", "", entry.example_input, entry.guarantee.proof);
        }
    }
    println!(
        "\nPrivatise one input with `reticent report NAME`, measure what leaks with `reticent audit NAME`."
    );
    println!("\nFigures, for `reticent reproduce`");
    println!("  {}", document.figures.join(" "));
}
