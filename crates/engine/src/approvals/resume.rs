//! What was approved begins, once: whoever moves the row from `approved` to `running` first runs it.

use std::sync::Arc;

use toolgate_domain::{ErrorCode, EventType, Invocation, Lifecycle, NewEvent, Phase, Step, ToolError};
use toolgate_store::{Change, Entry, LedgerError, StoreError, Transition};

use super::decide::is_expired;
use crate::{Engine, Refused};

const PAGE: usize = 200;

impl Engine {
    /// Begins every approved call that waits, and ends every question that expired: after a start, and now and then, for calls
    /// whose process died between the decision and the start.
    pub(crate) async fn settle_decided(self: &Arc<Self>) -> Result<usize, StoreError> {
        let waiting = self.stores.invocations.decided(self.clock.now(), PAGE).await?;
        let mut settled = 0;
        for row in waiting {
            if row.phase == Phase::Approved {
                settled += 1;
                self.resume_in_background(row);
            } else if is_expired(&row, self.clock.now()) && self.expire(&row).await? {
                settled += 1;
            }
        }
        Ok(settled)
    }

    pub(super) fn resume_in_background(self: &Arc<Self>, row: Invocation) {
        let engine = Arc::clone(self);
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            let id = row.id;
            if let Err(error) = engine.resume(row).await {
                tracing::error!(%error, invocation = %id, "an approved call could not be recorded");
            }
        });
    }

    async fn resume(self: &Arc<Self>, mut row: Invocation) -> Result<(), Refused> {
        let Ok(to) = row.phase.advance(Step::Start) else {
            return Ok(());
        };
        let now = self.clock.now();
        let started = NewEvent {
            session_id: row.session_id,
            kind: EventType::Started,
            invocation_id: row.id,
            data: None,
            created_at: now,
        };
        let claim = Transition {
            id: row.id,
            from: row.phase,
            to,
            node_id: Some(self.node_id),
            started_at: Some(now),
            completed_at: None,
            outcome: None,
            decided_by: None,
            reason: None,
        };
        let entry = Entry {
            tenant_id: row.tenant_id,
            change: Some(Change::Advance(Box::new(claim))),
            events: vec![started],
            blobs: vec![],
        };
        match self.stores.ledger.record(entry).await {
            Ok(()) => {}
            // Another process runs it, or somebody cancelled it.
            Err(LedgerError::Conflict) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        (row.phase, row.node_id, row.started_at) = (to, Some(self.node_id), Some(now));
        // The world may have changed while the person thought.
        let refusal = match self.tool_of(&row).await? {
            Some(live) if live.tool.lifecycle != Lifecycle::Blocked => {
                return self.run_approved(row, live).await.map(drop);
            }
            Some(_) => "the tool was blocked before the approved call could begin",
            None => "the tool is gone",
        };
        self.fail_approved(row, ToolError::new(ErrorCode::PolicyDenied, refusal)).await.map(drop)
    }
}
