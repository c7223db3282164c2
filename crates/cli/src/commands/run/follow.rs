//! A run as it happens: text runs on, each call of a tool is a line.

use std::{process::ExitCode, time::Duration};

use serde_json::{Value, json};

use super::show::failed;
use crate::{
    client::{Ask, SseEvent, SseStream},
    exit::{Exit, Failure},
    output::{Output, short},
    render::{text, texts},
};

const WAIT: Duration = Duration::from_millis(500);
/// Times that a broken stream is taken up again, before it is given up.
const MAX_TRIES: u32 = 60;

/// Follows a run to its end. A stream that breaks is taken up again where it broke, by asking for the run's events with `resume`.
pub(in crate::commands) async fn until_finished<'a>(
    ask: Ask<'a>,
    resume: impl Fn(&str) -> Ask<'a>,
    output: &Output,
) -> anyhow::Result<ExitCode> {
    let mut shown = Shown::default();
    let mut stream = ask.stream().await?;
    let mut last = None;
    for _ in 0..MAX_TRIES {
        if let Some(ended) = shown.all(&mut stream, output).await {
            return ended;
        }
        last = stream.last_id().map(str::to_owned).or(last);
        let Some(run) = shown.run.clone() else {
            return Err(Failure::new(Exit::Unreachable, "the stream ended before the run began")
                .hint("`toolgate run list` tells whether it did")
                .into());
        };
        output.note("the stream broke: connecting again");
        stream = again(&resume, &run, last.as_deref()).await?;
    }
    Err(Failure::new(Exit::Unreachable, "the stream breaks again and again").into())
}

async fn again<'a>(
    resume: &impl Fn(&str) -> Ask<'a>,
    run: &str,
    last: Option<&str>,
) -> anyhow::Result<SseStream> {
    for _ in 1..MAX_TRIES {
        tokio::time::sleep(WAIT).await;
        match resume(run).header("last-event-id", last)?.stream().await {
            Err(error) if error.downcast_ref::<Failure>().is_some_and(|f| f.exit == Exit::Unreachable) => {}
            other => return other,
        }
    }
    resume(run).header("last-event-id", last)?.stream().await
}

/// What was shown so far.
#[derive(Default)]
struct Shown {
    run: Option<String>,
    /// The last thing was text, and its line is open.
    in_text: bool,
}

impl Shown {
    /// Shows a stream; answers when the run is over, and with nothing when the stream broke.
    async fn all(&mut self, stream: &mut SseStream, output: &Output) -> Option<anyhow::Result<ExitCode>> {
        while let Ok(Some(event)) = stream.next().await {
            if let Some(ended) = self.one(&event, output) {
                return Some(ended);
            }
            if output.is_closed() {
                return Some(Ok(ExitCode::SUCCESS));
            }
        }
        None
    }

    fn one(&mut self, event: &SseEvent, output: &Output) -> Option<anyhow::Result<ExitCode>> {
        let whole: Value = serde_json::from_str(&event.data).unwrap_or(Value::Null);
        self.run = whole["run_id"].as_str().map(str::to_owned).or(self.run.take());
        if output.is_json() {
            output.json_line(&whole);
        }
        let data = &whole["data"];
        if event.name == "run.finished" {
            return Some(self.ended(data, output));
        }
        if !output.is_json() {
            self.show(&event.name, data, output);
        }
        None
    }

    fn show(&mut self, kind: &str, data: &Value, output: &Output) {
        let name = text(&data["name"]);
        let line = match kind {
            "text.delta" => {
                self.in_text = true;
                output.text(text(&data["text"]));
                return;
            }
            "tool.started" => format!("→ {name} {}", short(&data["input"].to_string(), 100)),
            "tool.completed" => format!("✓ {name} {}", short(&data["output"].to_string(), 100)),
            "tool.failed" => {
                format!("✗ {name} {}: {}", text(&data["error"]["code"]), text(&data["error"]["message"]))
            }
            "tool.needs_approval" => {
                let id = text(&data["invocation_id"]);
                format!(
                    "? {name} {} asks a person: toolgate approve {id}",
                    short(&data["input"].to_string(), 100)
                )
            }
            "tool.approved" => format!("✓ {name} was approved by {}", text(&data["by"])),
            "run.waiting" => format!("… waits for {}", texts(&data["for"])),
            _ => return,
        };
        self.close_text(output);
        output.note(&line);
    }

    fn close_text(&mut self, output: &Output) {
        if std::mem::take(&mut self.in_text) {
            output.text("\n");
        }
    }

    fn ended(&mut self, data: &Value, output: &Output) -> anyhow::Result<ExitCode> {
        let error = data["error"].is_object();
        if output.is_json() {
            return Ok(if error {
                failed(&json!({"error": data["error"]})).exit.into()
            } else {
                ExitCode::SUCCESS
            });
        }
        let streamed = self.in_text;
        self.close_text(output);
        if error {
            return Err(failed(&json!({"id": self.run, "error": data["error"]})).into());
        }
        if !streamed {
            output.line(text(&data["response"]));
        }
        Ok(ExitCode::SUCCESS)
    }
}
