//! One step of a call that is on record already: the change and its event, in one entry.

use std::sync::Arc;

use toolgate_domain::{AuditEvent, EventType, Invocation, NewEvent, Phase, Step, Timestamp};
use toolgate_store::{Change, Entry, LedgerError, StoreError, Transition};

use crate::{Engine, webhooks::News};

/// Which step, which event tells of it, when, and what else is audited with it.
pub(crate) struct Advance {
    pub(crate) step: Step,
    pub(crate) event: EventType,
    pub(crate) now: Timestamp,
    pub(crate) audit: Vec<AuditEvent>,
}

impl Engine {
    /// Moves a recorded call on; `fill` says what else changes with it. `false` when the call cannot take the step, or another
    /// change came first.
    pub(crate) async fn advance(
        &self,
        row: &Invocation,
        Advance { step, event, now, audit }: Advance,
        fill: impl FnOnce(&mut Transition),
    ) -> Result<bool, StoreError> {
        let Ok(to) = row.phase.advance(step) else {
            return Ok(false);
        };
        let mut transition = Transition {
            id: row.id,
            from: row.phase,
            to,
            node_id: None,
            started_at: None,
            completed_at: None,
            outcome: None,
            decided_by: None,
            reason: None,
            approved_input: None,
        };
        fill(&mut transition);
        let event = NewEvent {
            session_id: row.session_id,
            kind: event,
            invocation_id: row.id,
            data: None,
            created_at: now,
        };
        let after = (row.phase == Phase::Pending || to.is_terminal()).then(|| Invocation {
            phase: to,
            completed_at: transition.completed_at,
            outcome: transition.outcome.clone().unwrap_or_default(),
            ..row.clone()
        });
        let entry = Entry {
            receipt: transition.receipt_of(row),
            change: Some(Change::Advance(Arc::new(transition))),
            events: vec![event],
            audit,
            ..Entry::of(row.tenant_id)
        };
        match self.stores.ledger.record(entry).await {
            Ok(()) => {
                if to.is_terminal() {
                    self.onlookers.tell_end(row.id);
                }
                if let Some(after) = &after {
                    self.trace_moved(row, step, now, after).await;
                }
                if row.phase == Phase::Pending {
                    self.post.tell(News::Decided(row.tenant_id, row.id));
                }
                if let Some(parent) = row.parent_id.filter(|_| to.is_terminal()) {
                    self.wake_later(row.tenant_id, parent);
                }
                Ok(true)
            }
            Err(LedgerError::Conflict) => Ok(false),
            Err(LedgerError::Overloaded) => {
                Err(StoreError::Unavailable("the ledger's queue is full".to_owned()))
            }
            Err(LedgerError::Store(error)) => Err(error),
        }
    }
}
