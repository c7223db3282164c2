use toolgate_domain::{InvocationId, RunId, Span, SpanId, TenantId, TraceId};
use toolgate_store::StoreError;

use crate::Engine;

/// The trace of a run, as far as it has gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    pub run_id: RunId,
    /// In the order in which they began.
    pub spans: Vec<Span>,
    /// There are more than are shown.
    pub truncated: bool,
}

impl Engine {
    /// The trace of a run; nothing where nothing is known of it.
    pub async fn trace(&self, tenant: TenantId, run: RunId) -> Result<Option<Trace>, StoreError> {
        // What this process knows belongs to the answer.
        self.tracer.flush().await;
        let most = usize::try_from(self.limits.max_trace_spans).unwrap_or(usize::MAX);
        let trace = TraceId::of(run.uuid());
        let mut spans = self.stores.spans.spans(tenant, trace, most.saturating_add(1)).await?;
        if spans.is_empty() {
            return Ok(None);
        }
        let truncated = spans.len() > most;
        spans.truncate(most);
        if let Some(root) = spans.iter_mut().find(|span| span.span_id == SpanId::of_run(run))
            && root.ended_at.is_none()
            && let Some(row) =
                self.stores.invocations.get(tenant, InvocationId::from_uuid(run.uuid())).await?
        {
            // Whoever ended the run may have died before it told of it.
            *root = super::ended_root(Some(root.clone()), &row);
        }
        Ok(Some(Trace { run_id: run, spans, truncated }))
    }
}
