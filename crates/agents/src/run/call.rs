//! The calls of one turn, all at once. Each has a place in the run, so that it is made once however often the run begins again.

use futures::future::join_all;
use toolgate_domain::{Envelope, ToolError};
use toolgate_engine::{Inner, Invoker};

use super::{Begin, course::Course};
use crate::llm::{Arguments, ToolCall};

/// What became of a call that a model asked for.
pub(super) enum Outcome {
    /// It is over, well or not.
    Done(Box<Envelope>),
    /// The run waits with it.
    Waiting,
    /// It was not made, for this reason.
    Refused(ToolError),
}

/// Makes the calls, in the order in which they were asked for.
pub(super) async fn call_all(
    invoker: &Invoker,
    begin: &Begin,
    course: &Course,
    calls: &[ToolCall],
) -> Vec<Outcome> {
    let mut place = course.calls_made();
    let made = calls.iter().map(|call| {
        let refusal = course.objection(call);
        let own = place;
        place += u64::from(refusal.is_none());
        async move {
            match refusal {
                Some(error) => Outcome::Refused(error),
                None => make(invoker, begin, own, call).await,
            }
        }
    });
    join_all(made).await
}

async fn make(invoker: &Invoker, begin: &Begin, place: u64, call: &ToolCall) -> Outcome {
    let tool = begin.reference(&call.name);
    let inner = match &call.arguments {
        Arguments::Json(input) => invoker.call(place, &tool, input.clone()).await,
        Arguments::Malformed(text) => {
            let shown: String = text.chars().take(200).collect();
            let why = ToolError::validation(format!("the arguments are not JSON: {shown}"));
            invoker.call_unreadable(place, &tool, why).await
        }
    };
    match inner {
        Ok(Inner::Done(envelope)) => Outcome::Done(envelope),
        Ok(Inner::Waiting(_)) => Outcome::Waiting,
        Err(error) => Outcome::Refused(error),
    }
}
