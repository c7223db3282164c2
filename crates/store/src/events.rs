use async_trait::async_trait;
use toolgate_domain::{Event, SessionId, TenantId};

use crate::StoreError;

/// Events after a point in the log, oldest first.
#[derive(Clone, Debug, Default)]
pub struct EventFilter {
    pub session_id: Option<SessionId>,
    pub after: i64,
    pub limit: usize,
}

#[async_trait]
pub trait Events: Send + Sync {
    async fn list(&self, tenant: TenantId, filter: &EventFilter) -> Result<Vec<Event>, StoreError>;

    /// The id of the newest event; zero in an empty log.
    async fn newest(&self, tenant: TenantId) -> Result<i64, StoreError>;
}
