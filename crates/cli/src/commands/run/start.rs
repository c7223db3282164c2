//! `toolgate run start`.

use std::process::ExitCode;

use serde_json::{Value, json};
use toolgate_domain::{Clock, time::SystemClock};

use super::{follow, show};
use crate::{
    cli::StartRunArgs,
    client::{Ask, CALL, Client, failure_of},
    output::Output,
    render::text,
    when::{Way, moment},
};

pub(super) async fn run(args: StartRunArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let ask = request(&args, client)?;
    if args.follow {
        let resume = |run: &str| client.get(&["api", "runs", run, "events"]);
        return follow::until_finished(ask, resume, output).await;
    }
    let waiting = output.spinner(&format!("{} works", args.agent));
    let answer = ask.patience(CALL).send().await;
    waiting.finish_and_clear();
    let answer = answer?;
    if answer.status >= 400 {
        return Err(failure_of(client, answer.status, answer.body).into());
    }
    if args.detach {
        output.answer(&answer.body, || output.line(text(&answer.body["id"])));
        return Ok(ExitCode::SUCCESS);
    }
    show::ended(&answer.body, output)
}

fn request<'a>(args: &StartRunArgs, client: &'a Client) -> anyhow::Result<Ask<'a>> {
    let mut body = json!({"agent": args.agent, "message": args.message});
    if let Some(deadline) = &args.deadline {
        let ms = moment("--deadline", deadline, Way::FromNow)?.ms_since(SystemClock.now());
        body["deadline_s"] = Value::from(ms.div_ceil(1_000).max(1));
    }
    if let Some(session) = &args.session {
        body["session_id"] = Value::from(session.as_str());
    }
    if args.detach {
        body["wait"] = Value::from(false);
    }
    client.post(&["api", "runs"], body).header("idempotency-key", args.idempotency_key.as_deref())
}
