//! A PostgreSQL server of the test's own, on a private port and folder.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A server that runs until it is dropped.
pub(crate) struct Database {
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl Database {
    /// Starts one with the programs that are there; if there are none, installs them from the platform's packages
    /// where that is allowed, and says so.
    pub(crate) fn start() -> Database {
        let programs = programs().unwrap_or_else(|| {
            println!(
                "no PostgreSQL is installed: installing the platform's package (apt-get install postgresql)"
            );
            let installed = Command::new("apt-get").args(["install", "-y", "-q", "postgresql"]).status();
            assert!(
                installed.is_ok_and(|status| status.success()),
                "PostgreSQL cannot be installed: install it"
            );
            programs().expect("the package brings initdb")
        });
        println!("PostgreSQL of {}", programs.display());
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let database = Database { programs, folder, port };
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(database.folder.path()));
        }
        let data = database.data();
        run(database
            .command("initdb")
            .args(["-A", "trust", "-U", "postgres", "-E", "UTF8", "-D"])
            .arg(&data));
        database.up();
        database
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn up(&self) {
        let sockets = self.folder.path().display();
        let options =
            format!("-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={sockets}", self.port);
        let log = self.folder.path().join("log");
        run(self
            .command("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .args(["-w", "-o", &options, "-l"])
            .arg(log)
            .arg("start"));
    }

    /// Stops it at once, as a crash would.
    pub(crate) fn crash(&self) {
        run(self.command("pg_ctl").arg("-D").arg(self.data()).args(["-m", "immediate", "-w", "stop"]));
    }

    pub(crate) fn address(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// All of it as text, without what only the program that wrote it understands.
    pub(crate) fn write(&self, file: &Path) {
        let wrote = self.client("pg_dump").args(["--no-owner", "--inserts"]).output().unwrap();
        assert!(wrote.status.success(), "{}", String::from_utf8_lossy(&wrote.stderr));
        let text = String::from_utf8(wrote.stdout).unwrap();
        let kept =
            |line: &&str| !line.is_empty() && !line.starts_with(['-', '\\']) && !line.starts_with("SET ");
        let lines: Vec<&str> = text.lines().filter(kept).collect();
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
    }

    /// Takes in what `write` wrote.
    pub(crate) fn read(&self, file: &Path) {
        let text = std::fs::File::open(file).unwrap();
        run(self.client("psql").args(["-q", "-v", "ON_ERROR_STOP=1"]).stdin(text));
    }

    fn client(&self, program: &str) -> Command {
        // Some platforms have those of clients elsewhere, where everybody finds them.
        let beside = self.programs.join(program);
        let mut command = Command::new(if beside.exists() { beside } else { program.into() });
        command.arg("--dbname").arg(self.address());
        command
    }

    /// The server refuses to run as root.
    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command.current_dir(self.folder.path());
            command
        } else {
            Command::new(path)
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = self
            .command("pg_ctl")
            .arg("-D")
            .arg(self.data())
            .args(["-m", "immediate", "-w", "stop"])
            .output();
    }
}

fn run(command: &mut Command) {
    // A server that goes on must not hold the pipes of this test.
    let status =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).status().unwrap();
    assert!(status.success(), "{command:?}");
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    folders.sort();
    folders.extend(
        ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map(|path| Path::new(path).to_path_buf()),
    );
    folders.into_iter().rev().find(|folder| folder.join("initdb").exists() && folder.join("pg_ctl").exists())
}
