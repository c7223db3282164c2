//! Telling clients that their list of tools changed: because of a tool, or because of what they may do.

use rmcp::{
    RoleServer,
    service::{Peer, SubscriptionContext},
};
use tokio_util::sync::CancellationToken;
use toolgate_domain::Caller;

use super::Gateway;

impl Gateway {
    /// Follows what a session sees, for as long as the session lives.
    pub(super) fn tell_changes(&self, caller: Caller, peer: Peer<RoleServer>) {
        let ended = CancellationToken::new();
        // A client that says twice that it is ready is told once.
        if self.following.set(ended.clone().drop_guard()).is_err() {
            return;
        }
        self.tell_lists(caller.clone(), peer.clone());
        let mut list = self.outlooks.follow(caller);
        let telling = async move {
            while list.changed().await.is_ok() && peer.notify_tool_list_changed().await.is_ok() {}
        };
        tokio::spawn(ended.run_until_cancelled_owned(telling));
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
        let mut list = self.outlooks.follow(caller);
        while list.changed().await.is_ok() && subscription.sink().notify_tool_list_changed().await.is_ok() {}
    }
}
