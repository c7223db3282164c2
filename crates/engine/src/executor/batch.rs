//! Many calls at once: answered in the order they were asked, recorded in the order they happened.

use std::sync::Arc;

use futures::{StreamExt, stream};
use toolgate_domain::SessionId;

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
        let results: Vec<_> =
            stream::iter(placed).map(|call| self.invoke(call)).buffered(parallel).collect().await;
        let mut begun: Vec<_> = results
            .iter()
            .filter_map(|result| result.as_ref().ok()?.envelope())
            .map(|envelope| (envelope.t_start, envelope.invocation_id, envelope.call_id.clone()))
            .collect();
        begun.sort();
        let tool_order = begun.into_iter().map(|(_, _, call_id)| call_id).collect();
        BatchAnswer { results, tool_order, session_id }
    }
}
