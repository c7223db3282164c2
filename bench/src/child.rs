//! A server as a child process: started, measured, and gone when dropped.

use std::{fs::File, net::SocketAddr, path::Path, process::Stdio, time::Duration};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout, Command},
};

use crate::machine::resident_mb;

const START_TIMEOUT: Duration = Duration::from_secs(30);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// Lines that a server may print before it says where it listens.
const MAX_LINES: usize = 20;

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) pid: u32,
    child: Child,
    /// Held open: a server whose output nobody takes would stumble over it.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts a program in a directory, and waits for the line `… http://ADDRESS`.
    pub(crate) async fn start(program: &Path, arguments: &[&str], directory: &Path) -> anyhow::Result<Self> {
        let log = directory.join("server.log");
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(&log)?)
            .kill_on_drop(true);
        // What the shell is set up for must not change what is measured.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TOOLGATE_") {
                command.env_remove(name);
            }
        }
        let mut child =
            command.spawn().with_context(|| format!("{} cannot be started", program.display()))?;
        let pid = child.id().context("the server ended at once")?;
        let mut output = BufReader::new(child.stdout.take().context("the server has no output")?).lines();
        let found = tokio::time::timeout(START_TIMEOUT, find_address(&mut output)).await;
        let Ok(Ok(address)) = found else {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            bail!("{} {} did not start: {said}", program.display(), arguments.join(" "));
        };
        Ok(Self { address, pid, child, _output: output })
    }

    /// Asks it to stop, and waits until it has.
    pub(crate) async fn stop(mut self) -> anyhow::Result<()> {
        if let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            kill_process(pid, Signal::TERM).context("the server cannot be told to stop")?;
        }
        tokio::time::timeout(STOP_TIMEOUT, self.child.wait()).await.context("the server does not stop")??;
        Ok(())
    }

    /// The time that all its threads have spent on processors so far.
    pub(crate) fn processor_time(&self) -> anyhow::Result<Duration> {
        let path = format!("/proc/{}/stat", self.pid);
        let stat = std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))?;
        // The name before the bracket may hold anything; user and system time are 11 fields on.
        let ticks: u64 = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Ok(Duration::from_secs(ticks) / u32::try_from(rustix::param::clock_ticks_per_second())?)
    }

    /// The memory that is really there (VmRSS), in megabytes of 2^20 bytes.
    pub(crate) fn resident_mb(&self) -> anyhow::Result<f64> {
        resident_mb(&self.pid.to_string())
    }
}

async fn find_address(output: &mut Lines<BufReader<ChildStdout>>) -> anyhow::Result<SocketAddr> {
    for _ in 0..MAX_LINES {
        let line = output.next_line().await?.context("the server ended")?;
        if let Some((_, rest)) = line.split_once("http://") {
            let address = rest.split_whitespace().next().unwrap_or_default();
            return Ok(address.trim_end_matches('/').parse()?);
        }
    }
    bail!("the server does not say where it listens")
}
