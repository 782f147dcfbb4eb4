//! The real binary as a process that can be killed.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server of this test's own.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) address: std::net::SocketAddr,
}

impl Served {
    pub(crate) fn start(data: &Path, database: Option<&str>) -> Served {
        Served::start_with(data, database, &[], None)
    }

    /// With more options; what it says of itself goes to a file.
    pub(crate) fn start_with(
        data: &Path,
        database: Option<&str>,
        options: &[&str],
        log: Option<&Path>,
    ) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reticent"));
        command.arg("serve").arg("--data").arg(data).args(["--listen", "127.0.0.1:0"]);
        if let Some(database) = database {
            command.args(["--database", database]);
        }
        let config = data.join("config.toml");
        std::fs::write(&config, "[limits]\nvisitor_requests_per_second = 1000000\n").unwrap();
        command.arg("--config").arg(config);
        command.args(options);
        if let Some(log) = log {
            command.stderr(std::fs::File::create(log).unwrap());
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        Served { child, address: address.unwrap_or_else(|| panic!("{line}")).parse().unwrap() }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Creates an experiment by the command; the key for its devices.
pub(crate) fn create(data: &Path, document: &str) -> String {
    let spec = data.join("spec.toml");
    std::fs::write(&spec, document).unwrap();
    let created = Command::new(env!("CARGO_BIN_EXE_reticent"))
        .args(["experiment", "create"])
        .arg(&spec)
        .arg("--data")
        .arg(data)
        .output()
        .unwrap();
    let said = String::from_utf8(created.stdout).unwrap();
    let key = said.split_whitespace().find(|word| word.starts_with("rk_"));
    key.unwrap_or_else(|| panic!("{said}{}", String::from_utf8_lossy(&created.stderr))).to_string()
}
