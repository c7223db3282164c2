//! The program of an upstream, with whatever it started itself: all of it ends with the connection.

use std::{collections::BTreeMap, process::Stdio, time::Duration};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// How long a program may take to end by itself when its input is closed, and again when it is asked to.
const PATIENCE: Duration = Duration::from_secs(2);
/// What a program is given of our own environment. All else, secrets among it, stays here.
const PASSED: [&str; 8] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "LOGNAME"];

/// What is started.
pub(super) struct Start<'a> {
    pub(super) command: &'a str,
    pub(super) args: &'a [String],
    /// With the values of secrets.
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<&'a str>,
}

/// Its group is killed when this is dropped.
pub(super) struct Program {
    child: Child,
    group: Option<Pid>,
}

pub(super) struct Ends {
    pub(super) input: ChildStdin,
    pub(super) output: ChildStdout,
    pub(super) errors: ChildStderr,
}

impl Program {
    pub(super) fn start(start: Start<'_>) -> std::io::Result<(Self, Ends)> {
        let mut command = Command::new(start.command);
        command.args(start.args).env_clear();
        for name in PASSED {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.envs(start.env).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = start.cwd {
            command.current_dir(cwd);
        }
        // A group of its own: signals for the server are not its, and it can be ended with its children.
        let mut child = command.process_group(0).kill_on_drop(true).spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let ends = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let program = Self { child, group };
        match ends {
            (Some(input), Some(output), Some(errors)) => Ok((program, Ends { input, output, errors })),
            _ => Err(std::io::Error::other("the program has no pipes")),
        }
    }

    /// Its input is closed already. It is waited for, asked to end, and made to.
    pub(super) async fn end(&mut self) {
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_err() {
            self.signal(Signal::TERM);
            let _ = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        }
        self.kill();
    }

    fn kill(&mut self) {
        self.signal(Signal::KILL);
        // The number is given up: it could be another's later.
        self.group = None;
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // Fails only where nobody is left.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
