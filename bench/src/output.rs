//! The one place that writes to the terminal.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark speaks to the person who runs it"
)]

use std::path::Path;

use crate::{report::Report, results};

/// What a child tells the one who started it.
pub(crate) fn announce(line: &str) {
    println!("{line}");
}

pub(crate) fn progress(line: &str) {
    eprintln!("bench: {line}");
}

pub(crate) fn complain(error: &anyhow::Error) {
    eprintln!("bench: {error:#}");
}

pub(crate) fn print(report: &Report, written: &Path) {
    println!("\n{}", results::table(report));
    println!("\n{} target(s) missed. Written to {}", report.misses(), written.display());
}
