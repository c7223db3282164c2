//! Where the numbers come from: a number without its machine says nothing.

use std::{path::Path, process::Command};

use anyhow::Context;
use serde::Serialize;
use toolgate_domain::{Clock, time::SystemClock};

#[derive(Serialize)]
pub(crate) struct Facts {
    commit: String,
    date: String,
    processor: String,
    cores: usize,
    memory_mb: u64,
    kernel: String,
    /// The file system under the databases of the embedded engine.
    file_system: String,
    rustc: String,
    /// Of the minute before: on a busy machine even ratios are rough.
    load_before: String,
}

impl Facts {
    pub(crate) fn gather(databases: &Path) -> Self {
        let changed = !run("git", &["status", "--porcelain"]).is_empty();
        let commit = run("git", &["rev-parse", "--short=12", "HEAD"]);
        Self {
            commit: if changed { format!("{commit} with changes") } else { commit },
            date: SystemClock.now().to_string().chars().take(10).collect(),
            processor: field("/proc/cpuinfo", "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mb: field("/proc/meminfo", "MemTotal").trim_end_matches(" kB").parse::<u64>().unwrap_or(0)
                / 1_024,
            kernel: run("uname", &["-sr"]),
            file_system: run("stat", &["-f", "-c", "%T", &databases.to_string_lossy()]),
            rustc: run("rustc", &["--version"]),
            load_before: std::fs::read_to_string("/proc/loadavg")
                .unwrap_or_default()
                .split(' ')
                .take(1)
                .collect(),
        }
    }

    pub(crate) fn markdown(&self) -> String {
        format!(
            "| commit | date | processor | cores | memory | kernel | file system | compiler | load before |\n|---|---|---|---|---|---|---|---|---|\n\
             | {} | {} | {} | {} | {} MB | {} | {} | {} | {} |\n",
            self.commit,
            self.date,
            self.processor,
            self.cores,
            self.memory_mb,
            self.kernel,
            self.file_system,
            self.rustc,
            self.load_before
        )
    }
}

/// What a program prints; nothing when it cannot be run.
fn run(program: &str, arguments: &[&str]) -> String {
    Command::new(program)
        .args(arguments)
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}

fn field(file: &str, name: &str) -> String {
    std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .find_map(|line| line.strip_prefix(name)?.split_once(':').map(|(_, value)| value.trim().to_owned()))
        .unwrap_or_default()
}

/// The memory of a process that is really there (VmRSS), in megabytes of 2^20 bytes. `self` is this one.
pub(crate) fn resident_mb(process: &str) -> anyhow::Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = std::fs::read_to_string(&path).with_context(|| format!("{path} cannot be read"))?;
    let kilobytes: f64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .with_context(|| format!("{path} does not tell VmRSS"))?;
    Ok(kilobytes / 1_024.0)
}
