//! A call that waits gives its process back. What it waits for wakes only calls that nobody holds, so that its row is let go must not
//! fail because the database stumbled.

use std::sync::Arc;

use toolgate_domain::{Invocation, Phase, RunId, governance::Audience};
use toolgate_store::{StoreError, Suspension};

use super::{
    Refused,
    cancel::ANOTHER_PROCESS_PATIENCE,
    hands::Hand,
    prepare::Prepared,
    seal::{SEAL_ATTEMPTS, SEAL_LATER, SEAL_PAUSE},
};
use crate::{Engine, Waiting};

impl Engine {
    /// Lets a recorded call go, as persistently as the end of one is recorded; answers with its row.
    pub(super) async fn suspend(
        self: &Arc<Self>,
        prepared: Box<Prepared>,
        waiting: Waiting,
        hand: Option<Hand>,
    ) -> Result<Box<Invocation>, Refused> {
        let Prepared { invocation: mut row, audience, .. } = *prepared;
        let mut is_unsure = false;
        for attempt in 0..SEAL_ATTEMPTS {
            if attempt > 0 {
                tokio::time::sleep(SEAL_PAUSE * 2_u32.pow(attempt)).await;
            }
            match self.let_go(&row, &waiting, is_unsure).await {
                Ok(true) => {
                    self.has_let_go(&mut row, audience, hand).await;
                    return Ok(row);
                }
                Ok(false) => {
                    self.forsake(&row, hand).await;
                    return Err(Refused::Unavailable("another process settled this call".to_owned()));
                }
                Err(error) => {
                    is_unsure = true;
                    tracing::warn!(%error, attempt, "a call that waits cannot be let go yet");
                }
            }
        }
        let engine = Arc::clone(self);
        tokio::spawn(async move {
            while !engine.is_stopping() {
                tokio::time::sleep(SEAL_LATER).await;
                match engine.let_go(&row, &waiting, true).await {
                    Ok(true) => return engine.has_let_go(&mut row, audience, hand).await,
                    Ok(false) => return engine.forsake(&row, hand).await,
                    Err(_) => {}
                }
            }
        });
        Err(Refused::Unavailable("that the call waits cannot be recorded yet".to_owned()))
    }

    /// `false` when somebody else has settled the call, or took it over. `is_unsure` says that an earlier attempt may have come through.
    async fn let_go(&self, row: &Invocation, waiting: &Waiting, is_unsure: bool) -> Result<bool, StoreError> {
        let due = self.due_of(row.tenant_id, waiting.task).await?;
        let suspension = Suspension {
            tenant_id: row.tenant_id,
            invocation_id: row.id,
            task_id: waiting.task,
            state: waiting.state.clone(),
            created_at: self.clock.now(),
            wake_at: due.into_iter().chain(waiting.until).min(),
        };
        if self.stores.suspensions.suspend(&suspension, self.node_id).await? {
            return Ok(true);
        }
        if !is_unsure {
            return Ok(false);
        }
        // If the earlier attempt did, nobody holds the row now, or whoever goes on with it.
        let now = self.stores.invocations.get(row.tenant_id, row.id).await?;
        Ok(now.is_some_and(|now| !now.phase.is_terminal()))
    }

    async fn has_let_go(&self, row: &mut Invocation, audience: Option<Audience>, hand: Option<Hand>) {
        row.node_id = None;
        self.onlookers.remember(row.id, audience);
        self.tell_waiting(row).await;
        self.forget_tally(row.tenant_id, RunId::from_uuid(row.id.uuid()));
        // Nobody here takes the call while it is in hand.
        hand.into_iter().for_each(Hand::done);
        // What it waits for may have ended in the meantime.
        self.wake_later(row.tenant_id, row.id);
    }

    /// A call that wanted to wait was settled meanwhile. If it was cancelled, what it asked just now must not outlive it.
    async fn forsake(&self, row: &Invocation, hand: Option<Hand>) {
        let now = self.stores.invocations.get(row.tenant_id, row.id).await;
        if let Ok(Some(now)) = now
            && matches!(now.phase, Phase::Cancelled(_) | Phase::Failed(_))
        {
            self.abandon_children(row, ANOTHER_PROCESS_PATIENCE).await;
            self.runtimes.values().for_each(|runtime| runtime.forget(row.id));
        }
        hand.into_iter().for_each(Hand::done);
    }
}
