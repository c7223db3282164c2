//! The end of a call becomes durable; only then is the caller answered.

use std::{sync::Arc, time::Duration};

use toolgate_domain::{
    Envelope, EventType, Gate, Invocation, NewEvent, Outcome, Phase, Step, Timestamp, ToolError,
    audit::Receipt,
};
use toolgate_store::{BlobRecord, Change, Entry, LedgerError, NewRow, Transition};

use super::{
    Refused,
    cache::step_of,
    prepare::{Prepared, RUNNING},
};
use crate::Engine;

/// How often the end of a call is offered to a ledger that does not take it while the caller waits, with growing pauses.
const SEAL_ATTEMPTS: u32 = 7;
const SEAL_PAUSE: Duration = Duration::from_millis(25);
/// And how long apart afterwards.
const SEAL_LATER: Duration = Duration::from_secs(5);

/// How a call ended.
pub(super) struct Ending {
    pub(super) step: Step,
    pub(super) outcome: Outcome,
    pub(super) blobs: Vec<BlobRecord>,
    /// Whether the ledger has the call's start.
    pub(super) recorded: bool,
}

impl Engine {
    /// Records a call that was turned away before it began.
    pub(super) async fn refuse(
        &self,
        prepared: Box<Prepared>,
        error: ToolError,
    ) -> Result<Envelope, Refused> {
        let Prepared { mut invocation, known_tool, taken, mut thread, .. } = *prepared;
        self.settle_cost(taken, None).await;
        let now = self.clock.now();
        invocation.phase = Phase::Failed(Gate::NotRequired);
        invocation.node_id = None;
        invocation.completed_at = Some(now);
        invocation.outcome.error = Some(error);
        self.spend(invocation.tenant_id, invocation.run_id, invocation.outcome.cost_estimate);
        let spans = self.spans_of(&invocation, &mut thread);
        let events = vec![event(&invocation, EventType::Failed, now)];
        let row = Arc::new(NewRow::of(*invocation));
        self.record(Entry { events, ..Entry::inserting(Arc::clone(&row)) }).await?;
        let envelope = receipt(Arc::unwrap_or_clone(row).invocation)?;
        self.tracer.tell_all(spans);
        self.metrics.ended(&envelope, known_tool);
        Ok(envelope)
    }

    pub(super) async fn seal_cached(
        self: &Arc<Self>,
        prepared: Box<Prepared>,
        outcome: Outcome,
    ) -> Result<Envelope, Refused> {
        self.seal(prepared, Ending { step: step_of(&outcome), outcome, blobs: vec![], recorded: false }).await
    }

    pub(super) async fn seal(
        self: &Arc<Self>,
        prepared: Box<Prepared>,
        ending: Ending,
    ) -> Result<Envelope, Refused> {
        let Prepared { mut invocation, known_tool, taken, in_background, mut thread, .. } = *prepared;
        let waits =
            invocation.parent_id.filter(|_| in_background).map(|parent| (invocation.tenant_id, parent));
        self.settle_cost(taken, ending.outcome.cost_estimate).await;
        let now = self.clock.now();
        let from = invocation.phase;
        let to = from.advance(ending.step).map_err(|e| Refused::Unavailable(e.to_string()))?;
        let last = match ending.step {
            Step::Complete => EventType::Completed,
            Step::Cancel => EventType::Cancelled,
            _ => EventType::Failed,
        };
        let ended = event(&invocation, last, now);
        (invocation.phase, invocation.completed_at, invocation.outcome) = (to, Some(now), ending.outcome);
        self.spend(invocation.tenant_id, invocation.run_id, invocation.outcome.cost_estimate);
        let spans = self.spans_of(&invocation, &mut thread);
        let blobs = ending.blobs;
        let row = if ending.recorded {
            let receipt = Some(Receipt::of(&invocation).digest());
            let transition = Arc::new(Transition {
                id: invocation.id,
                from,
                to,
                node_id: invocation.node_id,
                started_at: None,
                completed_at: Some(now),
                outcome: Some(std::mem::take(&mut invocation.outcome)),
                decided_by: None,
                reason: None,
                approved_input: None,
            });
            let change = Some(Change::Advance(Arc::clone(&transition)));
            let entry =
                Entry { receipt, change, events: vec![ended], blobs, ..Entry::of(invocation.tenant_id) };
            self.record_end(entry).await?;
            invocation.outcome = Arc::unwrap_or_clone(transition).outcome.unwrap_or_default();
            *invocation
        } else {
            debug_assert_eq!(from, RUNNING);
            invocation.node_id = None;
            let started_at = invocation.started_at.unwrap_or(invocation.created_at);
            let events = vec![event(&invocation, EventType::Started, started_at), ended];
            let row = Arc::new(NewRow::of(*invocation));
            self.record(Entry { events, blobs, ..Entry::inserting(Arc::clone(&row)) }).await?;
            Arc::unwrap_or_clone(row).invocation
        };
        let envelope = receipt(row)?;
        self.onlookers.tell_end(envelope.invocation_id);
        self.tracer.tell_all(spans);
        self.metrics.ended(&envelope, known_tool);
        if let Some((tenant, parent)) = waits {
            self.wake_later(tenant, parent);
        }
        Ok(envelope)
    }

    /// A call that began must not stay "running" because the ledger stumbled: the end is offered again while the caller
    /// waits, and then for as long as this process lives.
    async fn record_end(self: &Arc<Self>, entry: Entry) -> Result<(), Refused> {
        for attempt in 0..SEAL_ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(SEAL_PAUSE * 2_u32.pow(attempt)).await;
            }
            match self.record(entry.clone()).await {
                Ok(()) => return Ok(()),
                Err(LedgerError::Conflict) => {
                    let settled = "another process settled this call; its receipt tells how";
                    return Err(Refused::Unavailable(settled.to_owned()));
                }
                Err(error) => tracing::warn!(%error, attempt, "the end of a call cannot be recorded yet"),
            }
        }
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            while !engine.is_stopping() {
                tokio::time::sleep(SEAL_LATER).await;
                if matches!(engine.record(entry.clone()).await, Ok(()) | Err(LedgerError::Conflict)) {
                    return;
                }
            }
        });
        Err(Refused::Unavailable("the end of the call cannot be recorded yet".to_owned()))
    }
}

fn receipt(row: Invocation) -> Result<Envelope, Refused> {
    row.into_envelope().ok_or_else(|| Refused::Unavailable("the call has not ended".to_owned()))
}

pub(super) fn event(invocation: &Invocation, kind: EventType, created_at: Timestamp) -> NewEvent {
    NewEvent { session_id: invocation.session_id, kind, invocation_id: invocation.id, data: None, created_at }
}
