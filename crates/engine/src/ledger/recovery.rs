//! Calls whose process died between start and end. One of an idempotent tool is run again; of any other nobody knows
//! how it ended, and that is what its receipt says.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use toolgate_domain::{ErrorCode, EventType, Invocation, Outcome, Phase, Step, ToolError, ToolName};
use toolgate_store::{StoreError, Takeover};

use super::Advance;
use crate::{
    Engine,
    executor::{Hand, Left, may_be_redacted},
    registry::LiveTool,
};

const PAGE: usize = 200;

impl Engine {
    /// Settles every orphan there is; answers how many there were.
    pub(crate) async fn recover(self: &Arc<Self>) -> Result<usize, StoreError> {
        let mut settled = 0;
        loop {
            let before = settled;
            let orphans = self.stores.invocations.orphans(self.clock.now(), PAGE).await?;
            // A process that is late with its lease is not dead, and knows that of itself.
            for orphan in orphans.into_iter().filter(|orphan| orphan.node_id != Some(self.node_id)) {
                let Some(hand) = self.hands.take(orphan.tenant_id, orphan.id, Left::Unknown) else {
                    continue;
                };
                if self.settle(orphan, hand).await? {
                    settled += 1;
                }
            }
            // Nothing is left, or other processes see to it.
            if settled == before {
                return Ok(settled);
            }
        }
    }

    /// `false` when somebody else came first.
    pub(super) async fn settle(
        self: &Arc<Self>,
        mut orphan: Invocation,
        mut hand: Hand,
    ) -> Result<bool, StoreError> {
        let live = self.retriable(&orphan).await?;
        let takeover = if live.is_some() { Takeover::Run } else { Takeover::Settle };
        if live.is_some() {
            hand.leaves(Left::Waiting);
        }
        // A process that only paused claims its calls again before it acts: of the two claims, the database lets one through.
        if !self.stores.invocations.adopt(&orphan, self.node_id, takeover).await? {
            hand.done();
            return Ok(false);
        }
        orphan.node_id = Some(self.node_id);
        let Some(live) = live else {
            return self.give_up(&orphan, unknown(&orphan), hand).await;
        };
        self.metrics.recovered.inc();
        orphan.attempt += 1;
        tracing::info!(invocation = %orphan.id, attempt = orphan.attempt, "runs a call again that was lost on the way");
        let engine = Arc::clone(self);
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            if let Err(error) = engine.continue_call(orphan, live, hand).await {
                tracing::error!(%error, "a call that was run again could not be recorded");
            }
        });
        Ok(true)
    }

    /// The tool, when its author vouches that running it twice does no harm, and it may still run.
    async fn retriable(&self, orphan: &Invocation) -> Result<Option<Arc<LiveTool>>, StoreError> {
        if u64::from(orphan.attempt) >= self.limits.max_attempts || !matches!(orphan.phase, Phase::Running(_))
        {
            return Ok(None);
        }
        let found = self.tool_of(orphan).await?.filter(|live| {
            (live.tool.spec.is_idempotent() || self.replays(live))
                && !may_be_redacted(&orphan.input, &live.tool)
        });
        Ok(match found {
            Some(live) if self.objection(orphan, &live).await?.is_none() => Some(live),
            _ => None,
        })
    }

    fn replays(&self, live: &LiveTool) -> bool {
        let execution = &live.tool.spec.execution;
        self.runtimes.get(execution.kind.as_str()).is_some_and(|runtime| runtime.replays(execution))
    }

    /// The tool that a recorded call names, as it is now.
    pub(crate) async fn tool_of(&self, row: &Invocation) -> Result<Option<Arc<LiveTool>>, StoreError> {
        let snapshot = self.registry.snapshot(row.tenant_id).await?;
        let versions = row
            .tool_name
            .parse::<ToolName>()
            .map(|name| [snapshot.versions(&name), snapshot.drafts(&name)].concat())
            .unwrap_or_default();
        Ok(versions.into_iter().find(|live| Some(live.tool.id) == row.tool_id))
    }

    /// Ends a call that nobody works on any more. `false` when somebody else came first.
    pub(super) async fn give_up(
        &self,
        row: &Invocation,
        error: ToolError,
        hand: Hand,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let step = Advance { step: Step::Fail, event: EventType::Failed, now, audit: vec![] };
        let is_first = self
            .advance(row, step, |change| {
                // Nobody may have taken it over in the meantime.
                change.node_id = row.node_id;
                change.completed_at = Some(now);
                change.outcome = Some(Outcome { error: Some(error), ..Outcome::default() });
            })
            .await?;
        hand.done();
        if is_first {
            self.metrics.recovered.inc();
            // What it began and another process runs is told to stop; others wait for us, so we do not wait for that.
            self.abandon_children(row, Duration::ZERO).await;
        }
        Ok(is_first)
    }
}

fn unknown(row: &Invocation) -> ToolError {
    let message =
        "the process that ran this call died, or lost it; whether the tool had its effect is not known";
    ToolError::new(ErrorCode::Unknown, message)
        .with_details(json!({"outcome": "unknown", "attempt": row.attempt}))
}
