use async_trait::async_trait;
use toolgate_domain::{Message, MessageId, Page, RunId, TenantId, Thread, ThreadId, Timestamp};

use crate::StoreError;

/// Which threads to list; newest first.
#[derive(Clone, Debug, Default)]
pub struct ThreadFilter {
    /// Only the threads of this principal.
    pub created_by: Option<String>,
    /// Archived ones as well.
    pub with_archived: bool,
    /// Threads older than this one.
    pub before: Option<ThreadId>,
    pub limit: usize,
}

/// Which messages of a thread to list.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageFilter {
    /// Those after this place.
    pub after: u64,
    /// Those before this place.
    pub before: Option<u64>,
    /// Dropped ones as well.
    pub with_dropped: bool,
    pub newest_first: bool,
    pub limit: usize,
}

/// Conversations. Messages are added, and stay.
#[async_trait]
pub trait Threads: Send + Sync {
    async fn add_thread(&self, thread: &Thread) -> Result<(), StoreError>;

    async fn thread(&self, tenant: TenantId, id: ThreadId) -> Result<Option<Thread>, StoreError>;

    async fn list_threads(&self, tenant: TenantId, filter: &ThreadFilter)
    -> Result<Page<Thread>, StoreError>;

    /// Keeps the title, whether it is archived, and when it was changed.
    async fn update_thread(&self, thread: &Thread) -> Result<(), StoreError>;

    /// Adds messages to a thread, all or none, and drops those from the place `drop_from` on. A conflict when a place is taken: whoever
    /// wrote there was first.
    async fn add_messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        messages: &[Message],
        drop_from: Option<u64>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    async fn messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        filter: &MessageFilter,
    ) -> Result<Vec<Message>, StoreError>;

    async fn message(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        id: MessageId,
    ) -> Result<Option<Message>, StoreError>;

    /// The thread in which a run answers.
    async fn thread_of_run(&self, tenant: TenantId, run: RunId) -> Result<Option<ThreadId>, StoreError>;
}
