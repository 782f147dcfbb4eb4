//! A service of a test's own, on the desk.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use super::Desk;

/// It ends with the test.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
}

impl Served {
    /// On a fresh data folder, at whatever port is free.
    pub(crate) fn start(desk: &Desk) -> Served {
        Served::start_with(desk, "")
    }

    /// The same with more options.
    pub(crate) fn start_with(desk: &Desk, options: &str) -> Served {
        let mut command = desk.command(&format!("serve --data served --listen 127.0.0.1:0 {options}"));
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split(' ').find(|word| word.starts_with("http://"));
        Served { child, address: address.unwrap_or_else(|| panic!("{line}")).to_string() }
    }
}

/// Creates an experiment on the desk's service; the key for its devices.
pub(crate) fn create(desk: &Desk, document: &str) -> String {
    let said = desk.done(&format!("experiment create {document} --data served"));
    let key = said.split_whitespace().find(|word| word.starts_with("rk_"));
    key.unwrap_or_else(|| panic!("{said}")).to_string()
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
