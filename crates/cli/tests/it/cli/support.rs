//! A real server, the real binary.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_toolgate");

/// The binary in an empty directory, with nothing of this process's settings.
pub(crate) fn toolgate(directory: &Path) -> Command {
    clean(Command::new(BINARY), directory)
}

fn clean(mut command: Command, directory: &Path) -> Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TOOLGATE_")) {
        command.env_remove(name);
    }
    command.current_dir(directory).env("NO_COLOR", "1");
    command
}

pub(crate) fn sandbox_worker() -> PathBuf {
    let built = Path::new(BINARY).with_file_name("toolgate-sandbox");
    std::env::var_os("TOOLGATE_SANDBOX_WORKER").map_or(built, PathBuf::from)
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A fixture with something replaced, in a place of its own.
pub(crate) fn changed(directory: &Path, name: &str, from: &str, to: &str) -> PathBuf {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    assert!(text.contains(from), "{name} holds {from}");
    let path = directory.join(name);
    std::fs::write(&path, text.replace(from, to)).unwrap();
    path
}

pub(crate) struct Server {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) url: String,
    pub(crate) home: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_in(TempDir::new().unwrap(), "127.0.0.1:0")
    }

    /// One that logs everything it can, to this file in its directory.
    pub(crate) fn start_talkative(log: &str) -> Self {
        let home = TempDir::new().unwrap();
        let log = std::fs::File::create(home.path().join(log)).unwrap();
        let mut command = toolgate(home.path());
        command.env("TOOLGATE_LOG", "trace").stderr(log);
        Self::spawn(command, home, "127.0.0.1:0")
    }

    /// One that logs everything it can, to `log` in its directory, with more arguments.
    pub(crate) fn start_with(args: &[&str]) -> Self {
        Self::start_again_with(TempDir::new().unwrap(), args)
    }

    /// The same in a directory that was used before. Its log goes on.
    pub(crate) fn start_again_with(home: TempDir, args: &[&str]) -> Self {
        let log = std::fs::File::options().create(true).append(true).open(home.path().join("log")).unwrap();
        let mut command = toolgate(home.path());
        let everything = "trace,rmcp=trace,rmcp::transport::auth=trace,rmcp::transport=trace";
        command.env("TOOLGATE_LOG", everything).stderr(log).args(["serve"]).args(args);
        Self::launch(command, home, "127.0.0.1:0")
    }

    /// One that was started under a umask that keeps nobody out, with more arguments. Its log is in `log`.
    pub(crate) fn start_careless(home: TempDir, args: &[&str]) -> Self {
        let log = std::fs::File::create(home.path().join("log")).unwrap();
        let mut command = clean(Command::new("sh"), home.path());
        command.args(["-c", "umask 0; exec \"$@\"", "sh", BINARY, "serve"]).args(args).stderr(log);
        Self::launch(command, home, "127.0.0.1:0")
    }

    /// One that runs Python, with the worker that `make sandbox` has built.
    pub(crate) fn start_with_python(home: TempDir) -> Self {
        let worker = sandbox_worker();
        assert!(worker.is_file(), "there is no {}: `make sandbox` builds it", worker.display());
        Self::start_with_worker(home, &worker)
    }

    /// The same with a worker that may not be there.
    pub(crate) fn start_with_worker(home: TempDir, worker: &Path) -> Self {
        let mut command = toolgate(home.path());
        command.env("TOOLGATE_SANDBOX_WORKER", worker).stderr(Stdio::null());
        Self::spawn(command, home, "127.0.0.1:0")
    }

    pub(crate) fn start_in(home: TempDir, listen: &str) -> Self {
        let mut command = toolgate(home.path());
        command.stderr(Stdio::null());
        Self::spawn(command, home, listen)
    }

    /// One that logs everything it can, to `log` in its directory, with more in its environment.
    pub(crate) fn start_logging(home: TempDir, env: &[(&str, &str)]) -> Self {
        let log = std::fs::File::create(home.path().join("log")).unwrap();
        let mut command = toolgate(home.path());
        command.env("TOOLGATE_LOG", "trace").stderr(log).envs(env.iter().copied());
        Self::spawn(command, home, "127.0.0.1:0")
    }

    fn spawn(mut command: Command, home: TempDir, listen: &str) -> Self {
        command.arg("serve");
        Self::launch(command, home, listen)
    }

    fn launch(mut command: Command, home: TempDir, listen: &str) -> Self {
        let mut child =
            command.args(["--listen", listen, "--data-dir", "state"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let first = read_line(&mut stdout);
        let url =
            first.strip_prefix("listening on ").unwrap_or_else(|| panic!("unexpected: {first}")).to_owned();
        Self { child, stdout, url, home }
    }

    pub(crate) fn line(&mut self) -> String {
        read_line(&mut self.stdout)
    }

    pub(crate) fn data_dir(&self) -> PathBuf {
        self.home.path().join("state")
    }

    /// Ends it as an operator would. What it printed since, its exit code, and its directory remain.
    pub(crate) fn stop(mut self) -> (String, Option<i32>, TempDir) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        let code = self.child.wait().unwrap().code();
        let home = std::mem::replace(&mut self.home, TempDir::new().unwrap());
        (rest, code, home)
    }

    /// Ends it as a power cut would; its directory remains.
    pub(crate) fn kill(mut self) -> TempDir {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.home, TempDir::new().unwrap())
    }

    /// A client of this server, with the admin's key.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = toolgate(self.home.path());
        command.args(["--url", &self.url, "--data-dir", "state"]).args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    /// The key of a person who may decide, made by themselves.
    pub(crate) fn approver(&self, name: &str, scopes: &str) -> String {
        let email = format!("{name}@example.com");
        let create = ["user", "create", &email, "--name", name, "--role", "approver", "--password"];
        self.run_with_stdin(&create, "correct horse battery").exits(0);
        let key = ["key", "create", name, "--scope", scopes, "--sign-in", &email, "--json"];
        let made = self.run_with_stdin(&key, "correct horse battery").exits(0).json();
        made["key"].as_str().unwrap().to_owned()
    }

    /// From now on the key of the first start is a person's.
    pub(crate) fn first_person(&self) {
        let create =
            ["user", "create", "first@example.com", "--name", "First", "--role", "admin", "--password"];
        self.run_with_stdin(&create, "correct horse battery").exits(0);
    }

    pub(crate) fn run_with_stdin(&self, args: &[&str], stdin: &str) -> Ran {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
        Ran::of(child.wait_with_output().unwrap())
    }

    pub(crate) fn register(&self, name: &str) {
        self.run(&["tool", "register", "--apply", "--file", fixture(name).to_str().unwrap()]).exits(0);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn read_line(source: &mut impl BufRead) -> String {
    let mut line = String::new();
    assert_ne!(source.read_line(&mut line).unwrap(), 0, "the output ended");
    line.trim_end().to_owned()
}

/// Follows the call's session until it is over.
pub(crate) fn ended(server: &Server, row: &Value) -> Value {
    let session = row["session_id"].as_str().unwrap();
    let mut follower = server
        .command(&["events", "--follow", "--json", "--session", session])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(follower.stdout.take().unwrap());
    loop {
        let event: Value = serde_json::from_str(&read_line(&mut lines)).unwrap();
        let is_end = matches!(event["type"].as_str(), Some("tool.completed" | "tool.failed"));
        if is_end && event["invocation_id"] == row["id"] {
            break;
        }
    }
    follower.kill().unwrap();
    follower.wait().unwrap();
    server.run(&["invocations", "show", row["id"].as_str().unwrap(), "--json"]).exits(0).json()
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text) || self.err.contains(text), "`{text}` is not in {self:?}");
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
