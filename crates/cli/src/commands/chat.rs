//! `toolgate chat`: a line is a message, and the answer streams.

use std::{io::BufRead, process::ExitCode};

use serde_json::json;

use super::run::follow::until_finished;
use crate::{
    cli::ChatArgs,
    client::Client,
    exit::{self, Failure},
    output::Output,
    render::text,
};

pub(crate) async fn run(args: ChatArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let thread = match (&args.thread, &args.agent) {
        (Some(id), _) => client.get(&["api", "threads", id]).value().await?,
        (None, agent) => {
            let body = json!({"agent": agent, "title": args.title});
            client.post(&["api", "threads"], body).value().await?
        }
    };
    let id = text(&thread["id"]);
    if let Some(message) = &args.message {
        output.note(&format!("thread {id}"));
        return say(&id, message, client, output).await;
    }
    output.note(&format!("thread {id}: a line is a message, Ctrl-D ends it"));
    let mut ended = ExitCode::SUCCESS;
    while let Some(line) = next_line().await? {
        if line.trim().is_empty() {
            continue;
        }
        ended = match say(&id, &line, client, output).await {
            Ok(code) => code,
            // A run that failed is no end of the conversation.
            Err(error) if error.downcast_ref::<Failure>().is_some() => exit::report(&error),
            Err(error) => return Err(error),
        };
        if output.is_closed() {
            break;
        }
    }
    Ok(ended)
}

async fn say(thread: &str, content: &str, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let ask = client.post(&["api", "threads", thread, "messages"], json!({"content": content}));
    let resume = |run: &str| client.get(&["api", "threads", thread, "events"]).query("run", Some(run));
    until_finished(ask, resume, output).await
}

/// A line from stdin, read beside everything else.
async fn next_line() -> anyhow::Result<Option<String>> {
    let read = tokio::task::spawn_blocking(|| std::io::stdin().lock().lines().next().transpose());
    Ok(read.await??)
}
