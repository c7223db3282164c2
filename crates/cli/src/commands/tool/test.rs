//! `toolgate tool test`: whether definitions keep what they promise.

use std::{path::PathBuf, process::ExitCode};

use serde_json::json;

use super::trial::{self, FileReport, Status};
use crate::{
    cli::TestArgs,
    exit::Exit,
    output::{Mark, Output},
};

pub(crate) async fn run(args: TestArgs, output: &Output) -> anyhow::Result<ExitCode> {
    files(args.files, output).await
}

pub(crate) async fn files(files: Vec<PathBuf>, output: &Output) -> anyhow::Result<ExitCode> {
    let progress = output.progress(files.len());
    let mut reports = Vec::with_capacity(files.len());
    for file in &files {
        progress.set_message(file.display().to_string());
        let report = trial::run(file).await?;
        if !output.is_json() {
            progress.suspend(|| print(&report, output));
        }
        reports.push(report);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let count = |status| {
        reports.iter().flat_map(|report| &report.examples).filter(|example| example.status == status).count()
    };
    let (passed, failed, not_run) = (count(Status::Passed), count(Status::Failed), count(Status::NotRun));
    let invalid = reports.iter().filter(|report| !report.valid).count();
    if output.is_json() {
        output.json(&json!({"files": reports, "passed": passed, "failed": failed, "not_run": not_run, "invalid": invalid}));
    } else {
        output.line(format!(
            "{passed} passed, {failed} failed, {not_run} not run; {invalid} of {} files not valid",
            reports.len()
        ));
    }
    let exit = match (invalid, failed) {
        (0, 0) => Exit::Ok,
        (0, _) => Exit::ToolFailed,
        _ => Exit::Invalid,
    };
    Ok(exit.into())
}

fn print(report: &FileReport, output: &Output) {
    let tool = report.tool.as_deref().map(|tool| format!(" ({tool})")).unwrap_or_default();
    match &report.error {
        Some(error) => output.marked(Mark::Bad, "invalid", &format!("{}{tool}: {error}", report.file)),
        None if report.has_failed() => output.marked(Mark::Bad, "fail", &format!("{}{tool}", report.file)),
        None => output.marked(Mark::Good, "ok", &format!("{}{tool}", report.file)),
    }
    for warning in &report.warnings {
        output.marked(Mark::Odd, "  warning:", warning);
    }
    for example in &report.examples {
        let reason = example.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        match example.status {
            Status::Passed => output.marked(Mark::Good, "  passed", &example.name),
            Status::Failed => output.marked(Mark::Bad, "  failed", &format!("{}{reason}", example.name)),
            Status::NotRun => output.marked(Mark::Left, "  not run", &format!("{}{reason}", example.name)),
        }
        example.diff.iter().for_each(|line| output.line(format!("    {line}")));
    }
}
