//! Calls of this process that it dropped: the answer to a commit was lost, or something could not be read, and the ledger says that we
//! run them. No other process will ever take them, because this one lives; so a heartbeat takes them up.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{ErrorCode, Invocation, Phase, ToolError};
use toolgate_store::StoreError;

use crate::{
    Engine,
    executor::{Hand, Left},
};

const PAGE: usize = 200;

impl Engine {
    /// Settles every call that was dropped; answers how many there were.
    pub(crate) async fn settle_lost(self: &Arc<Self>) -> Result<usize, StoreError> {
        let mut settled = 0;
        for (tenant, ids) in self.hands.dropped() {
            for ids in ids.chunks(PAGE) {
                for row in self.stores.invocations.by_ids(tenant, ids).await? {
                    let is_ours = matches!(row.phase, Phase::Running(_)) && row.node_id == Some(self.node_id);
                    if is_ours && let Some((hand, left)) = self.hands.take_up(row.id) {
                        settled += 1;
                        self.settle_left(row, left, hand).await?;
                    }
                }
                self.hands.forget(ids);
            }
        }
        Ok(settled)
    }

    async fn settle_left(
        self: &Arc<Self>,
        row: Invocation,
        left: Left,
        hand: Hand,
    ) -> Result<(), StoreError> {
        match left {
            Left::Unmade => drop(self.give_up(&row, not_made(), hand).await?),
            Left::Approved => self.begin_in_background(row, hand),
            Left::Waiting => self.go_on_in_background(row, hand),
            Left::Unknown => drop(self.settle(row, hand).await?),
        }
        Ok(())
    }
}

/// Whoever made it was told so, and may have made it again.
fn not_made() -> ToolError {
    let message = "the call was not made: whether its start was recorded was not known in time";
    ToolError::new(ErrorCode::Unknown, message).with_details(json!({"outcome": "not_made"}))
}
