//! The end of a call becomes durable; only then is the caller answered.

use std::{sync::Arc, time::Duration};

use toolgate_domain::{
    Envelope, EventType, Gate, Invocation, NewEvent, Outcome, Phase, Step, TenantId, Timestamp, ToolError,
    audit::Receipt,
};
use toolgate_store::{BlobRecord, Change, Entry, LedgerError, StoreError, Transition};

use super::{
    Refused,
    cache::step_of,
    hands::Hand,
    prepare::{Prepared, RUNNING},
};
use crate::Engine;

/// How often the end of a call is offered to a ledger that does not take it while the caller waits, with growing pauses.
pub(super) const SEAL_ATTEMPTS: u32 = 7;
pub(super) const SEAL_PAUSE: Duration = Duration::from_millis(25);
/// And how long apart afterwards.
pub(super) const SEAL_LATER: Duration = Duration::from_secs(5);

pub(super) const SETTLED_ELSEWHERE: &str = "another process settled this call; its receipt tells how";

/// How a call ended.
pub(super) struct Ending {
    pub(super) step: Step,
    pub(super) outcome: Outcome,
    pub(super) blobs: Vec<BlobRecord>,
    /// Whether the ledger has the call's start.
    pub(super) recorded: bool,
    /// In hand although its start is not recorded, it perhaps is: nobody answered.
    pub(super) hand: Option<Hand>,
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
        let tenant = invocation.tenant_id;
        let row = Arc::new(*invocation);
        self.record(Entry { events, ..Entry::inserting(Arc::clone(&row)) }).await?;
        let envelope = receipt(Arc::unwrap_or_clone(row))?;
        self.tracer.tell_all(spans);
        self.metrics.ended(tenant, &envelope, known_tool);
        Ok(envelope)
    }

    pub(super) async fn seal_cached(
        self: &Arc<Self>,
        prepared: Box<Prepared>,
        outcome: Outcome,
    ) -> Result<Envelope, Refused> {
        let step = step_of(&outcome);
        self.seal(prepared, Ending { step, outcome, blobs: vec![], recorded: false, hand: None }).await
    }

    pub(super) async fn seal(
        self: &Arc<Self>,
        prepared: Box<Prepared>,
        ending: Ending,
    ) -> Result<Envelope, Refused> {
        let Prepared { mut invocation, known_tool, taken, in_background, mut thread, .. } = *prepared;
        let tenant = invocation.tenant_id;
        let waits = invocation.parent_id.filter(|_| in_background);
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
        let Ending { blobs, hand, .. } = ending;
        let envelope = if ending.recorded {
            self.seal_recorded(invocation, from, ended, blobs, hand).await?
        } else {
            self.seal_at_once(invocation, from, ended, blobs, hand).await?
        };
        self.onlookers.tell_end(envelope.invocation_id);
        self.tracer.tell_all(spans);
        self.metrics.ended(tenant, &envelope, known_tool);
        if let Some(parent) = waits {
            self.wake_later(tenant, parent);
        }
        Ok(envelope)
    }

    /// Records a call from its start to its end.
    async fn seal_at_once(
        self: &Arc<Self>,
        mut invocation: Box<Invocation>,
        from: Phase,
        ended: NewEvent,
        blobs: Vec<BlobRecord>,
        hand: Option<Hand>,
    ) -> Result<Envelope, Refused> {
        debug_assert_eq!(from, RUNNING);
        let node_id = invocation.node_id.take();
        let started_at = invocation.started_at.unwrap_or(invocation.created_at);
        let events = vec![event(&invocation, EventType::Started, started_at), ended.clone()];
        let row = Arc::new(*invocation);
        let entry = Entry { events, blobs: blobs.clone(), ..Entry::inserting(Arc::clone(&row)) };
        match self.record(entry).await {
            // Its start is on record after all.
            Err(LedgerError::Conflict) if hand.is_some() => {
                let started = Box::new(Invocation { node_id, ..Arc::unwrap_or_clone(row) });
                // Only who is so unlucky pays for the size of this.
                Box::pin(self.seal_recorded(started, from, ended, blobs, hand)).await
            }
            recorded => {
                recorded?;
                hand.into_iter().for_each(Hand::done);
                receipt(Arc::unwrap_or_clone(row))
            }
        }
    }

    /// Ends a call whose start is on record.
    async fn seal_recorded(
        self: &Arc<Self>,
        mut invocation: Box<Invocation>,
        from: Phase,
        ended: NewEvent,
        blobs: Vec<BlobRecord>,
        hand: Option<Hand>,
    ) -> Result<Envelope, Refused> {
        let digest = Some(Receipt::of(&invocation).digest());
        let transition = Arc::new(Transition {
            id: invocation.id,
            from,
            to: invocation.phase,
            node_id: invocation.node_id,
            started_at: None,
            completed_at: invocation.completed_at,
            outcome: Some(std::mem::take(&mut invocation.outcome)),
            decided_by: None,
            reason: None,
            approved_input: None,
        });
        let change = Some(Change::Advance(Arc::clone(&transition)));
        let entry =
            Entry { receipt: digest, change, events: vec![ended], blobs, ..Entry::of(invocation.tenant_id) };
        self.record_end(entry, &transition, hand).await?;
        invocation.outcome = Arc::unwrap_or_clone(transition).outcome.unwrap_or_default();
        receipt(*invocation)
    }

    /// A call that began must not stay "running" because the ledger stumbled: the end is offered again while the caller
    /// waits, and then for as long as this process lives.
    async fn record_end(
        self: &Arc<Self>,
        entry: Entry,
        end: &Transition,
        hand: Option<Hand>,
    ) -> Result<(), Refused> {
        let mut is_unsure = false;
        for attempt in 0..SEAL_ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(SEAL_PAUSE * 2_u32.pow(attempt)).await;
            }
            let recorded = match self.record(entry.clone()).await {
                // An earlier attempt perhaps came through, and only its answer did not.
                Err(LedgerError::Conflict) if is_unsure => self.is_recorded(entry.tenant_id, end).await,
                recorded => recorded,
            };
            match recorded {
                Ok(()) => {
                    hand.into_iter().for_each(Hand::done);
                    return Ok(());
                }
                Err(LedgerError::Conflict) => {
                    hand.into_iter().for_each(Hand::done);
                    return Err(Refused::Unavailable(SETTLED_ELSEWHERE.to_owned()));
                }
                Err(error) => {
                    is_unsure |= is_of_unknown_fate(&error);
                    tracing::warn!(%error, attempt, "the end of a call cannot be recorded yet");
                }
            }
        }
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            while !engine.is_stopping() {
                tokio::time::sleep(SEAL_LATER).await;
                if matches!(engine.record(entry.clone()).await, Ok(()) | Err(LedgerError::Conflict)) {
                    return hand.into_iter().for_each(Hand::done);
                }
            }
        });
        Err(Refused::Unavailable("the end of the call cannot be recorded yet".to_owned()))
    }

    /// Whether the row says what was to be written.
    async fn is_recorded(&self, tenant: TenantId, end: &Transition) -> Result<(), LedgerError> {
        let row = self.stores.invocations.get(tenant, end.id).await?;
        let is_ours = |row: &Invocation| row.phase == end.to && row.completed_at == end.completed_at;
        row.filter(is_ours).map(drop).ok_or(LedgerError::Conflict)
    }
}

/// Whether what was to be recorded may be on record in spite of the error.
pub(super) fn is_of_unknown_fate(error: &LedgerError) -> bool {
    matches!(error, LedgerError::Store(StoreError::Unavailable(_)))
}

fn receipt(row: Invocation) -> Result<Envelope, Refused> {
    row.into_envelope().ok_or_else(|| Refused::Unavailable("the call has not ended".to_owned()))
}

pub(super) fn event(invocation: &Invocation, kind: EventType, created_at: Timestamp) -> NewEvent {
    NewEvent { session_id: invocation.session_id, kind, invocation_id: invocation.id, data: None, created_at }
}
