//! `toolgate run events`: what was, and with `--follow` what comes, until the run is over.

use std::process::ExitCode;

use super::follow;
use crate::{
    cli::RunEventsArgs,
    client::Client,
    output::{Output, short},
    render::text,
};

pub(super) async fn run(args: RunEventsArgs, client: &Client, output: &Output) -> anyhow::Result<ExitCode> {
    let ask = || client.get(&["api", "runs", &args.id, "events"]);
    if args.follow {
        let after = args.after.map(|after| after.to_string());
        let first = ask().header("last-event-id", after.as_deref())?;
        return follow::until_finished(first, |_| ask(), output).await;
    }
    let page = ask().query("after", args.after).query("limit", Some(200)).value().await?;
    output.answer(&page, || {
        for event in page["items"].as_array().into_iter().flatten() {
            let data = event["data"].to_string();
            let (at, kind) = (text(&event["created_at"]), text(&event["type"]));
            output.line(format!("{at}  {kind:20} {}", short(&data, 120)));
        }
        output.note(&format!("go on with --after {}", text(&page["next_after"])));
    });
    Ok(ExitCode::SUCCESS)
}
