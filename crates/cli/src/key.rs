//! `reticent key`: keys of a running service.

use reticent_chart::page::Table;
use reticent_server::run::Remote;
use reticent_store::Moment;
use serde_json::{Value, json};

use crate::CliError;
use crate::remote::{Place, asked};

#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Make a key, and show it once
    #[command(
        after_help = "Examples:\n  reticent key make --role upload --experiment 'landing page' --data data\n  \
        reticent key make --role upload --experiment page --origin https://example.org --data data\n  \
        reticent key make --role read --expires 2027-01-01T00:00:00Z --data data"
    )]
    Make(MakeArgs),
    /// List all keys, without the keys themselves
    #[command(after_help = "Example:\n  reticent key list --data data")]
    List(Place),
    /// Revoke a key: every server refuses it within a second
    #[command(after_help = "Example:\n  reticent key revoke 3f2a91bc77d0 --data data")]
    Revoke(RevokeArgs),
}

#[derive(clap::Args)]
pub(crate) struct MakeArgs {
    /// What the key allows
    #[arg(long, value_enum)]
    role: Role,
    /// An experiment that it is for; may be said several times [default: all]
    #[arg(long, value_name = "NAME")]
    experiment: Vec<String>,
    /// What it is for, in words
    #[arg(long, value_name = "TEXT", default_value = "")]
    label: String,
    /// From then on it is worth nothing, as 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME")]
    expires: Option<Moment>,
    /// A web page that may use it, as `https://example.org`; may be said several times
    #[arg(long, value_name = "ORIGIN")]
    origin: Vec<String>,
    /// Requests a second that one visitor may make with it
    #[arg(long, value_name = "N")]
    rate: Option<u32>,
    #[command(flatten)]
    place: Place,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Role {
    /// To send reports: such keys are public in pages
    Upload,
    /// To see what was learned
    Read,
    /// Everything
    Admin,
}

#[derive(clap::Args)]
pub(crate) struct RevokeArgs {
    /// The key's id, from `reticent key list`
    id: String,
    #[command(flatten)]
    place: Place,
}

pub(crate) fn run(command: &Command) -> Result<(), CliError> {
    match command {
        Command::Make(args) => make(args),
        Command::List(place) => list(&place.remote()?),
        Command::Revoke(RevokeArgs { id, place }) => {
            let plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !plain {
                return Err(CliError::Usage("a key's id has letters and digits alone".into()));
            }
            asked(&place.remote()?.ask("DELETE", &format!("/v1/keys/{id}"), None)?)?;
            println!("revoked {id}");
            Ok(())
        }
    }
}

fn make(args: &MakeArgs) -> Result<(), CliError> {
    let role = match args.role {
        Role::Upload => "upload",
        Role::Read => "read",
        Role::Admin => "admin",
    };
    let experiments = (!args.experiment.is_empty()).then_some(&args.experiment);
    let wish = json!({
        "role": role, "experiments": experiments, "label": args.label, "expires": args.expires,
        "origins": args.origin, "rate": args.rate,
    });
    let body = wish.to_string();
    let answer =
        asked(&args.place.remote()?.ask("POST", "/v1/keys", Some(("application/json", body.as_bytes())))?)?;
    println!("{}", answer["key"].as_str().unwrap_or_default());
    eprintln!("  id {}, role {role}; it is shown this once", answer["id"].as_str().unwrap_or_default());
    Ok(())
}

fn list(remote: &Remote) -> Result<(), CliError> {
    let answer = asked(&remote.ask("GET", "/v1/keys", None)?)?;
    let text = |value: &Value| value.as_str().unwrap_or("-").to_string();
    let row = |key: &Value| {
        let scope = match key["scope"]["experiments"].as_array() {
            Some(names) => names.iter().map(text).collect::<Vec<_>>().join(", "),
            None => "all".into(),
        };
        let state = if key["revoked"].is_null() { "good" } else { "revoked" };
        let cells = [
            text(&key["id"]),
            text(&key["role"]),
            scope,
            state.into(),
            text(&key["expires"]),
            text(&key["label"]),
        ];
        (cells.to_vec(), false)
    };
    let keys = answer["keys"].as_array().map_or(&[][..], Vec::as_slice);
    let head = ["id", "role", "experiments", "state", "expires", "label"].map(String::from).to_vec();
    crate::print_table(&Table { head, rows: keys.iter().map(row).collect() });
    Ok(())
}
