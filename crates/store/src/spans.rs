use async_trait::async_trait;
use toolgate_domain::{Span, SpanId, TenantId, TraceId};

use crate::StoreError;

/// The spans of runs.
#[async_trait]
pub trait Spans: Send + Sync {
    /// Keeps spans, none of them twice. One that is there and goes on is replaced, but keeps its links where the new one has none; one that ended stays as
    /// it is.
    async fn add_spans(&self, spans: &[Span]) -> Result<(), StoreError>;

    /// The spans of a trace, in the order in which they began.
    async fn spans(&self, tenant: TenantId, trace: TraceId, limit: usize) -> Result<Vec<Span>, StoreError>;

    async fn span(&self, tenant: TenantId, trace: TraceId, id: SpanId) -> Result<Option<Span>, StoreError>;
}
