//! Many calls at once: answered in the order they were asked, recorded in the order they happened.

use std::sync::Arc;

use futures::{StreamExt, stream};
use toolgate_domain::{InvocationId, SessionId, Timestamp};

use super::{Answer, Call, Refused};
use crate::Engine;

pub struct BatchAnswer {
    /// One answer per call, in the order of the calls.
    pub results: Vec<Result<Answer, Refused>>,
    /// The ids of the calls in the order in which they began.
    pub tool_order: Vec<String>,
    /// The log that holds the events of the whole batch.
    pub session_id: SessionId,
}

impl Engine {
    /// Makes independent calls in parallel. They share a session, and each has its place in it as its sequence number.
    pub async fn invoke_many(self: &Arc<Self>, calls: Vec<Call>) -> BatchAnswer {
        let session_id =
            calls.iter().find_map(|call| call.session_id).unwrap_or_else(|| SessionId::generate(&*self.ids));
        let parallel = usize::try_from(self.limits.max_batch_parallel).unwrap_or(1).max(1);
        let placed = calls.into_iter().zip(0_u64..).map(|(call, seq)| Call {
            session_id: Some(session_id),
            seq,
            ..call
        });
        // One that takes long holds up its own answer, and not the beginning of those after it.
        let mut answered: Vec<_> = stream::iter(placed)
            .map(|call| async move { (call.seq, self.invoke(call).await) })
            .buffer_unordered(parallel)
            .collect()
            .await;
        answered.sort_by_key(|(seq, _)| *seq);
        let results: Vec<_> = answered.into_iter().map(|(_, result)| result).collect();
        let mut begun: Vec<_> = results.iter().filter_map(|result| begun(result.as_ref().ok()?)).collect();
        begun.sort();
        // The same key twice is one call.
        begun.dedup();
        let tool_order = begun.into_iter().map(|(_, _, call_id)| call_id).collect();
        BatchAnswer { results, tool_order, session_id }
    }
}

/// When a call began, and which it was; one that waits may have begun as well.
fn begun(answer: &Answer) -> Option<(Timestamp, InvocationId, String)> {
    match answer {
        Answer::Done(envelope) | Answer::Unknown(envelope) => {
            Some((envelope.t_start, envelope.invocation_id, envelope.call_id.clone()))
        }
        Answer::Parked(row) => row.started_at.map(|at| (at, row.id, row.call_id.clone())),
    }
}
