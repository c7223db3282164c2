//! A call that must ask a person is written down and left: it holds no thread, no connection, no memory.

use std::sync::Arc;

use toolgate_domain::{EventType, Phase};
use toolgate_store::Entry;

use super::{Answer, Refused, prepare::Prepared, seal::event};
use crate::{Engine, webhooks::News};

impl Engine {
    pub(super) async fn park(&self, prepared: Box<Prepared>) -> Result<Answer, Refused> {
        let Prepared { mut invocation, mut thread, audience, .. } = *prepared;
        invocation.phase = Phase::Pending;
        (invocation.node_id, invocation.started_at) = (None, None);
        let patience_ms = i64::try_from(self.limits.approval_ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
        invocation.approval_expires_at = Some(invocation.created_at.plus_ms(patience_ms));
        let events = vec![event(&invocation, EventType::NeedsApproval, invocation.created_at)];
        let row = Arc::new(*invocation);
        self.record(Entry { events, ..Entry::inserting(Arc::clone(&row)) }).await?;
        let invocation = Box::new(Arc::unwrap_or_clone(row));
        self.onlookers.remember(invocation.id, audience);
        self.trace_parked(&invocation, &mut thread);
        self.metrics.parked(invocation.tenant_id);
        self.post.tell(News::Parked(invocation.tenant_id, invocation.id));
        Ok(Answer::Parked(invocation))
    }
}
