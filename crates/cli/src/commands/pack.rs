//! `toolgate pack …`.

mod folder;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::{Value, json};
use toolgate_domain::Limits;
use toolgate_engine::Pack;

use super::tool::test_files;
use crate::{
    cli::PackCommand,
    client::Client,
    exit::Failure,
    output::{Mark, Output},
    render::{text, texts},
};

pub(crate) async fn run(
    command: PackCommand,
    client: impl Fn() -> anyhow::Result<Client>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    match command {
        PackCommand::List { available: false } => installed(&client()?, output).await?,
        PackCommand::List { available: true } => available(&client()?, output).await?,
        PackCommand::Install { pack, dry_run } => install(&pack, dry_run, &client()?, output).await?,
        PackCommand::Remove { name } => {
            let removed = client()?.delete(&["api", "packs", &name]).value().await?;
            output.answer(&removed, || output.line(format!("{name} is removed: its tools are blocked")));
        }
        PackCommand::Test { folder } => return test(&folder, output).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn installed(client: &Client, output: &Output) -> anyhow::Result<()> {
    let packs = client.get(&["api", "packs"]).value().await?;
    let row = |pack: &Value| {
        let count = pack["tools"].as_array().map_or(0, Vec::len);
        vec![
            text(&pack["name"]),
            text(&pack["version"]),
            text(&pack["state"]),
            count.to_string(),
            text(&pack["installed_at"]),
            text(&pack["title"]),
        ]
    };
    let header = ["NAME", "VERSION", "STATE", "TOOLS", "INSTALLED", "TITLE"];
    let nothing = "no packs; `toolgate pack list --available` shows those that ship with the server";
    output.answer(&packs, || output.page(&packs, nothing, &header, row));
    Ok(())
}

async fn available(client: &Client, output: &Output) -> anyhow::Result<()> {
    let packs = client.get(&["api", "packs", "available"]).value().await?;
    let row = |pack: &Value| {
        vec![text(&pack["name"]), text(&pack["version"]), text(&pack["installed"]), texts(&pack["tools"])]
    };
    let header = ["NAME", "VERSION", "INSTALLED", "TOOLS"];
    output.answer(&packs, || output.page(&packs, "no packs ship with this server", &header, row));
    Ok(())
}

async fn install(pack: &str, dry_run: bool, client: &Client, output: &Output) -> anyhow::Result<()> {
    let mut body = if folder::is_pack(Path::new(pack)) {
        json!(folder::read(Path::new(pack))?)
    } else if Path::new(pack).is_dir() || pack.contains('/') {
        return Err(Failure::invalid(format!("there is no pack.yaml in {pack}")).into());
    } else {
        json!({"name": pack})
    };
    body["dry_run"] = Value::from(dry_run);
    let answer = client.post(&["api", "packs"], body).value().await?;
    output.answer(&answer, || print(&answer, dry_run, output));
    Ok(())
}

fn print(answer: &Value, dry_run: bool, output: &Output) {
    let id = format!("{} {}", text(&answer["name"]), text(&answer["version"]));
    let from = text(&answer["from"]);
    output.line(match (answer["change"].as_str(), dry_run) {
        (Some("none"), _) => format!("{id} is installed just so: no change"),
        (Some("upgrade"), false) => format!("upgraded {id} from {from}"),
        (Some("upgrade"), true) => format!("would upgrade {id} from {from}"),
        (_, false) => format!("installed {id}"),
        (_, true) => format!("would install {id}"),
    });
    for step in answer["steps"].as_array().into_iter().flatten() {
        let (mark, more) = match step["does"].as_str() {
            Some("register" | "activate") => (Mark::Good, String::new()),
            Some("update") => (Mark::Good, format!(": {}", texts(&step["keys"]))),
            Some("deprecate") => (Mark::Odd, ": the pack no longer has it".to_owned()),
            Some("skip") => (Mark::Left, format!(": for {} only", texts(&step["tenant_slugs"]))),
            _ => (Mark::Left, String::new()),
        };
        output.marked(mark, &format!("  {}", text(&step["does"])), &format!("{}{more}", text(&step["tool"])));
        for warning in step["warnings"].as_array().into_iter().flatten() {
            output.note(&format!("warning: {}: {}", text(&step["tool"]), text(warning)));
        }
    }
    if dry_run {
        output.note("dry run: nothing has changed");
    }
}

/// The pack as a whole first; then each tool as `tool test` does it.
async fn test(folder: &Path, output: &Output) -> anyhow::Result<ExitCode> {
    let bundle = folder::read(folder)?;
    let pack = Pack::read(&bundle, &Limits::default())
        .map_err(|error| Failure::invalid(format!("{}: {error}", folder.display())))?;
    let file = |name: &toolgate_domain::ToolName| -> PathBuf { folder.join(name.as_str()).join("TOOL.md") };
    test_files(pack.manifest.tools.iter().map(file).collect(), output).await
}
