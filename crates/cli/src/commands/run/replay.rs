//! `toolgate run replay`: in an engine of its own, on a directory that is thrown away.

use std::{path::Path, process::ExitCode, sync::Arc};

use serde_json::json;
use toolgate_agents::{
    bundle::Bundle,
    replay::{Live, Replay, Report},
};
use toolgate_domain::{ids::OrderedIds, time::SystemClock};
use toolgate_engine::{Engine, EngineOptions, MasterKey, Ports};

use super::{
    bundles::{from_file, told},
    live::{self, ServerTools},
};
use crate::{
    cli::ReplayArgs,
    client::Client,
    config::Config,
    exit::{self, Exit, Failure},
    output::{Mark, Output},
    wiring,
};

pub(super) async fn run(
    args: ReplayArgs,
    client: impl Fn() -> anyhow::Result<Client>,
    config: Option<&Path>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let live = Live {
        models: if args.live_model { Some(live::models(config)?) } else { None },
        tools: match args.live_tools {
            Some(_) => Some(Arc::new(ServerTools(client()?))),
            None => None,
        },
    };
    let alone = args.files.len() == 1;
    let mut worst = Exit::Ok;
    for file in &args.files {
        let came_out = match from_file(file, args.force) {
            Ok(bundle) => replayed(bundle, live.clone()).await,
            Err(error) => Err(error),
        };
        let exit = match came_out {
            Ok(report) => show(file, &report, output),
            Err(error) if alone => return Err(error),
            Err(error) => refused(file, &error, output),
        };
        worst = worse(worst, exit);
    }
    Ok(worst.into())
}

async fn replayed(bundle: Bundle, live: Live) -> anyhow::Result<Report> {
    let directory = tempfile::tempdir()?;
    let replay = Replay::new(bundle, live)?;
    let (stores, _) = wiring::open_stores(&Config::embedded(directory.path(), replay.limits())).await?;
    let engine = Engine::start(EngineOptions {
        stores,
        clock: Arc::new(SystemClock),
        ids: Arc::new(OrderedIds::new(SystemClock)),
        limits: replay.limits(),
        runtimes: replay.runtimes(),
        code_tools: replay.code_tools()?,
        // Nothing is sealed with it: a replay has no secrets.
        master_key: MasterKey::random_text().parse()?,
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: Ports::default(),
    })
    .await?;
    let report = replay.run(&engine).await;
    engine.stop().await;
    Ok(report?)
}

fn show(file: &Path, report: &Report, output: &Output) -> Exit {
    let (shown, first) = (file.display(), report.differences.first());
    let result = if first.is_none() { "same" } else { "differs" };
    if output.is_json() {
        output.json_line(&json!({
            "file": file,
            "result": result,
            "run": report.run,
            "turns": report.turns,
            "calls": report.calls,
            "differences": report.differences,
        }));
    } else {
        let size = format!("{shown}: {} turns, {} calls", report.turns, report.calls);
        match first {
            None => output.marked(Mark::Good, result, &size),
            Some(first) => output.marked(Mark::Bad, result, &format!("{shown}: {}", told(first))),
        }
    }
    if first.is_none() { Exit::Ok } else { Exit::Differs }
}

/// A file of several that cannot be gone through: the others are.
fn refused(file: &Path, error: &anyhow::Error, output: &Output) -> Exit {
    if output.is_json() {
        output.json_line(&json!({"file": file, "result": "refused", "error": exit::document(error)}));
    } else {
        output.marked(Mark::Bad, "refused", &format!("{error:#}"));
    }
    error.downcast_ref::<Failure>().map_or(Exit::Failed, |failure| failure.exit)
}

/// One file that came out otherwise counts for more than one that could not be read: it says something.
fn worse(a: Exit, b: Exit) -> Exit {
    let rank = |exit: Exit| match exit {
        Exit::Ok => 0,
        Exit::Tampered => 2,
        Exit::Differs => 3,
        _ => 1,
    };
    if rank(b) > rank(a) { b } else { a }
}
