//! `toolgate events`: what was, and with `--follow` what comes.

use std::{process::ExitCode, time::Duration};

use serde_json::Value;

use crate::{
    cli::EventsArgs,
    client::{Ask, Client, SseStream},
    exit::{Exit, Failure},
    output::{Output, short},
    render::text,
};

const FIRST_WAIT: Duration = Duration::from_millis(250);
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// Some five minutes in all.
const MAX_TRIES: u32 = 35;

pub(crate) async fn run(args: EventsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    if args.follow {
        follow(&args, client, output, |_| true, async || Ok(())).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let page = ask(&args, client).query("after", args.after).query("limit", args.limit).value().await?;
    if output.is_json() {
        output.json(&page);
        return Ok(ExitCode::SUCCESS);
    }
    let events = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if events.is_empty() {
        output.note("no events");
        return Ok(ExitCode::SUCCESS);
    }
    events.iter().for_each(|event| output.line(line(event)));
    output.note(&format!("go on with --after {}", text(&page["next_after"])));
    Ok(ExitCode::SUCCESS)
}

fn ask<'a>(args: &EventsArgs, client: &'a Client) -> Ask<'a> {
    match &args.session {
        Some(session) => client.get(&["api", "sessions", session, "events"]),
        None => client.get(&["api", "events"]),
    }
}

/// Prints the events that are wanted until the reader goes away. A connection that breaks is taken up again after the last
/// event seen. `opened` runs once the stream is open: what it reads and what comes leave no gap between them.
pub(super) async fn follow(
    args: &EventsArgs,
    client: &Client,
    output: &Output,
    wanted: impl Fn(&Value) -> bool,
    opened: impl AsyncFnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut last = args.after.map(|after| after.to_string());
    let mut stream = open(args, client, last.as_deref()).await?;
    opened().await?;
    output.note(&format!("following {}: Ctrl-C ends it", client.base()));
    loop {
        let broken = match stream.next().await {
            Ok(Some(event)) => {
                last = event.id.clone().or(last);
                print(&event.data, output, &wanted);
                if output.is_closed() {
                    return Ok(());
                }
                continue;
            }
            Ok(None) => "the server ended the stream".to_owned(),
            Err(broken) => broken.to_string(),
        };
        last = stream.last_id().map(str::to_owned).or(last);
        output.note(&format!("{broken}: connecting again"));
        stream = reopen(args, client, last.as_deref()).await?;
        output.note("connected again");
    }
}

async fn open(args: &EventsArgs, client: &Client, last: Option<&str>) -> anyhow::Result<SseStream> {
    ask(args, client).header("last-event-id", last)?.stream().await
}

async fn reopen(args: &EventsArgs, client: &Client, last: Option<&str>) -> anyhow::Result<SseStream> {
    let mut wait = FIRST_WAIT;
    for _ in 1..MAX_TRIES {
        tokio::time::sleep(wait).await;
        match open(args, client, last).await {
            Err(error) if is_passing(&error) => wait = (wait * 2).min(LONGEST_WAIT),
            other => return other,
        }
    }
    open(args, client, last).await
}

/// Whether it is worth another try: the server is away or busy, not unwilling.
fn is_passing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.exit == Exit::Unreachable)
}

fn print(data: &str, output: &Output, wanted: impl Fn(&Value) -> bool) {
    match serde_json::from_str::<Value>(data) {
        Ok(event) if !wanted(&event) => {}
        Ok(event) if output.is_json() => output.json_line(&event),
        Ok(event) => output.text(line(&event) + "\n"),
        Err(_) => output.note("an event cannot be read; it is left out"),
    }
}

/// Time, type, tool, invocation, and what there is to say.
fn line(event: &Value) -> String {
    let data = &event["data"];
    let tool = match (data["name"].as_str(), data["version"].as_str()) {
        (Some(name), Some(version)) if !version.is_empty() => format!("{name}@{version}"),
        (Some(name), _) => name.to_owned(),
        _ => "-".to_owned(),
    };
    let brief =
        ["error", "output", "chunk", "input"].iter().map(|key| &data[*key]).find(|value| !value.is_null());
    let brief = match brief {
        Some(error) if error["code"].is_string() && error["message"].is_string() => {
            format!("{}: {}", text(&error["code"]), text(&error["message"]))
        }
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let (at, kind, invocation) =
        (text(&event["created_at"]), text(&event["type"]), text(&event["invocation_id"]));
    let brief = brief.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{at}  {kind:20} {tool}  {invocation}  {}", short(&brief, 100)).trim_end().to_owned()
}
