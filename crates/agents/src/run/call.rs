//! The calls of one turn, all at once. Each has a place in the run, so that it is made once however often the run begins again.

use std::time::Duration;

use futures::future::join_all;
use serde_json::Value;
use toolgate_domain::{Envelope, ErrorCode, InvocationId, ToolError};
use toolgate_engine::{Inner, Invoker, NOT_MADE};

use super::{
    Begin,
    course::Course,
    wish::{Meant, Wish},
};
use crate::llm::{Arguments, ToolCall};

/// How often a call that could not be put on record is tried, and the first pause between two tries.
const MAX_TRIES: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// What became of a call that a model asked for.
pub(super) enum Outcome {
    /// It is over, well or not.
    Done(Box<Envelope>),
    /// The run waits with it.
    Waiting(InvocationId),
    /// It was not made, for this reason.
    Refused(ToolError),
    /// Whether it can be made is not known: what is not on record must not be told to the model, or a run that begins again would
    /// tell another story.
    Broken(ToolError),
    /// It was no call of a tool, and has its answer.
    Told { content: Value, is_error: bool },
}

/// Makes the calls, in the order in which they were asked for.
pub(super) async fn call_all(
    invoker: &Invoker,
    begin: &Begin,
    course: &Course,
    wishes: &[Wish],
) -> Vec<Outcome> {
    let mut place = course.next_place();
    let made = wishes.iter().map(|wish| {
        let refusal = course.objection(&wish.call);
        let own = place;
        place += u64::from(refusal.is_none() && matches!(wish.meant, Meant::Tool));
        async move {
            match (refusal, &wish.meant) {
                (Some(error), _) => Outcome::Refused(error),
                (None, Meant::Answer { content, is_error }) => {
                    Outcome::Told { content: content.clone(), is_error: *is_error }
                }
                // Searches were answered before.
                (None, Meant::Tool | Meant::Search { .. }) => make(invoker, begin, own, &wish.call).await,
            }
        }
    });
    join_all(made).await
}

async fn make(invoker: &Invoker, begin: &Begin, place: u64, call: &ToolCall) -> Outcome {
    let tool = begin.reference(&call.name);
    let mut pause = FIRST_PAUSE;
    for _ in 0..MAX_TRIES {
        let inner = match &call.arguments {
            Arguments::Json(input) => invoker.call(place, &tool, input.clone()).await,
            Arguments::Malformed(text) => {
                let shown: String = text.chars().take(200).collect();
                let why = ToolError::validation(format!("the arguments are not JSON: {shown}"));
                invoker.call_unreadable(place, &tool, why).await
            }
        };
        match inner {
            Ok(Inner::Done(envelope)) => return Outcome::Done(envelope),
            Ok(Inner::Waiting(id)) => return Outcome::Waiting(id),
            Err(error) if was_not_made(&error) => {
                tracing::warn!(%error, place, "a call of a run was not made, and is tried again");
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
            Err(error) => return Outcome::Refused(error),
        }
    }
    let message = format!("the call of {} could not be put on record", call.name);
    Outcome::Broken(ToolError::new(ErrorCode::Unknown, message))
}

/// The ledger had no room, or the house no time: nothing happened, and nothing is on record.
fn was_not_made(error: &ToolError) -> bool {
    error.details.as_ref().is_some_and(|details| details["reason"] == NOT_MADE)
}
