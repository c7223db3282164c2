//! `toolgate events`: what was, and with `--follow` what comes.

use std::{process::ExitCode, time::Duration};

use serde_json::Value;

use crate::{
    cli::EventsArgs,
    client::{Ask, Client, SseEvent, SseStream},
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
        let after = args.after.map(|after| after.to_string());
        follow(
            || ask(&args, client),
            after,
            client,
            output,
            |event| print(&event.data, output),
            async || Ok(()),
        )
        .await?;
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

/// Shows the events of a stream until the reader goes away. A connection that breaks is taken up again after the last event
/// seen. `opened` runs once the stream is open: what it reads and what comes leave no gap between them.
pub(super) async fn follow<'a>(
    ask: impl Fn() -> Ask<'a>,
    mut last: Option<String>,
    client: &Client,
    output: &Output,
    show: impl Fn(&SseEvent),
    opened: impl AsyncFnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut stream = open(&ask, last.as_deref()).await?;
    opened().await?;
    output.note(&format!("following {}: Ctrl-C ends it", client.base()));
    loop {
        let broken = match stream.next().await {
            Ok(Some(event)) => {
                last = event.id.clone().or(last);
                show(&event);
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
        stream = reopen(&ask, last.as_deref()).await?;
        output.note("connected again");
    }
}

async fn open<'a>(ask: &impl Fn() -> Ask<'a>, last: Option<&str>) -> anyhow::Result<SseStream> {
    ask().header("last-event-id", last)?.stream().await
}

async fn reopen<'a>(ask: &impl Fn() -> Ask<'a>, last: Option<&str>) -> anyhow::Result<SseStream> {
    let mut wait = FIRST_WAIT;
    for _ in 1..MAX_TRIES {
        tokio::time::sleep(wait).await;
        match open(ask, last).await {
            Err(error) if is_passing(&error) => wait = (wait * 2).min(LONGEST_WAIT),
            other => return other,
        }
    }
    open(ask, last).await
}

/// Whether it is worth another try: the server is away or busy, not unwilling.
fn is_passing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.exit == Exit::Unreachable)
}

fn print(data: &str, output: &Output) {
    match serde_json::from_str::<Value>(data) {
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
