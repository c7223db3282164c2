//! Telling clients that their list of tools changed: because of a tool, or because of what they may do.

use std::{sync::Arc, time::Duration};

use rmcp::{
    RoleServer,
    service::{Peer, SubscriptionContext},
};
use sha2::{Digest, Sha256};
use toolgate_domain::{Caller, Surface};
use toolgate_engine::Engine;

use super::Gateway;

/// Changes come in swarms: a pack brings many tools.
pub(super) const SETTLES_IN: Duration = Duration::from_millis(200);
/// Tools that are looked at between two breaths.
const AT_ONCE: usize = 500;

impl Gateway {
    /// Follows what a session sees, for as long as the session lives.
    pub(super) fn tell_changes(&self, caller: Caller, peer: Peer<RoleServer>) {
        self.tell_lists(caller.clone(), peer.clone());
        let engine = Arc::clone(&self.engine);
        let teller = tokio::spawn(async move {
            let mut seen = Seen::new(engine, caller).await;
            // A session that ended takes its transport with it.
            while seen.changed().await && !peer.is_transport_closed() {
                if peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
        self.watching.keep(teller.abort_handle());
    }

    /// The same for a client that keeps no session and listens for as long as it likes.
    pub(super) async fn tell_subscriber(&self, caller: Caller, subscription: &SubscriptionContext) {
        let lists = self.tell_lists_to(caller.clone(), subscription);
        let watched = self.tell_updates_to(caller.clone(), subscription);
        tokio::select! {
            () = subscription.cancelled() => {}
            // Whichever ends, nobody listens any more or the engine is gone.
            () = self.tell_tools_to(caller, subscription) => {}
            () = lists => {}
            () = watched => {}
        }
    }

    async fn tell_tools_to(&self, caller: Caller, subscription: &SubscriptionContext) {
        if subscription.accepted().tools_list_changed != Some(true) {
            return std::future::pending().await;
        }
        let mut seen = Seen::new(Arc::clone(&self.engine), caller).await;
        while seen.changed().await {
            if subscription.sink().notify_tool_list_changed().await.is_err() {
                return;
            }
        }
    }
}

/// What somebody saw last.
struct Seen {
    engine: Arc<Engine>,
    caller: Caller,
    changes: tokio::sync::watch::Receiver<u64>,
    list: Option<[u8; 32]>,
}

impl Seen {
    async fn new(engine: Arc<Engine>, caller: Caller) -> Self {
        let changes = engine.changes();
        let mut seen = Self { engine, caller, changes, list: None };
        seen.list = seen.look().await;
        seen
    }

    /// Waits for another list; `false` when there is nothing more to wait for.
    async fn changed(&mut self) -> bool {
        loop {
            if self.changes.changed().await.is_err() {
                return false;
            }
            tokio::time::sleep(SETTLES_IN).await;
            self.changes.mark_unchanged();
            let now = self.look().await;
            if now != self.list {
                self.list = now;
                return true;
            }
        }
    }

    /// The list in short. Nothing when it cannot be read.
    async fn look(&self) -> Option<[u8; 32]> {
        let caller = self.engine.caller_now(&self.caller).await.ok()??;
        let (mut digest, mut after) = (Sha256::new(), None);
        loop {
            let page =
                self.engine.tools_at_hand(&caller, Surface::Mcp, after.as_ref(), AT_ONCE).await.ok()?;
            for tool in &page.items {
                digest.update(tool.id.uuid().as_bytes());
                digest.update(tool.spec.description.as_bytes());
            }
            after = page.items.last().map(|tool| tool.spec.name.clone());
            if page.next_cursor.is_none() {
                return Some(digest.finalize().into());
            }
            tokio::task::yield_now().await;
        }
    }
}
