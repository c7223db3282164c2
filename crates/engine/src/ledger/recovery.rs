//! Calls whose process died between start and end. One of an idempotent tool is run again; of any other nobody knows
//! how it ended, and that is what its receipt says.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{ErrorCode, EventType, Invocation, Outcome, Phase, Step, ToolError, ToolName};
use toolgate_store::StoreError;

use super::Advance;
use crate::{Engine, executor::may_be_redacted, registry::LiveTool};

const PAGE: usize = 200;

impl Engine {
    /// Settles every orphan there is; answers how many there were.
    pub(crate) async fn recover(self: &Arc<Self>) -> Result<usize, StoreError> {
        let mut settled = 0;
        loop {
            let orphans = self.stores.invocations.orphans(self.clock.now(), PAGE).await?;
            if orphans.is_empty() {
                return Ok(settled);
            }
            for orphan in orphans {
                settled += 1;
                self.settle(orphan).await?;
            }
        }
    }

    async fn settle(self: &Arc<Self>, mut orphan: Invocation) -> Result<(), StoreError> {
        self.metrics.recovered.inc();
        let Some(live) = self.retriable(&orphan).await? else {
            return self.give_up(&orphan).await;
        };
        if !self.stores.invocations.adopt(&orphan, self.node_id).await? {
            return Ok(());
        }
        (orphan.node_id, orphan.attempt) = (Some(self.node_id), orphan.attempt + 1);
        tracing::info!(invocation = %orphan.id, attempt = orphan.attempt, "runs a call of a dead process again");
        let engine = Arc::clone(self);
        let working = self.enter_quietly();
        tokio::spawn(async move {
            let _working = working;
            if let Err(error) = engine.continue_call(orphan, live).await {
                tracing::error!(%error, "a call that was run again could not be recorded");
            }
        });
        Ok(())
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

    async fn give_up(&self, orphan: &Invocation) -> Result<(), StoreError> {
        let now = self.clock.now();
        let error = ToolError::new(
            ErrorCode::Unknown,
            "the process that ran this call died; whether the tool had its effect is not known",
        )
        .with_details(json!({"outcome": "unknown", "attempt": orphan.attempt}));
        // Whoever settled it first has settled it.
        let step = Advance { step: Step::Fail, event: EventType::Failed, now, audit: vec![] };
        self.advance(orphan, step, |change| {
            change.completed_at = Some(now);
            change.outcome = Some(Outcome { error: Some(error), ..Outcome::default() });
        })
        .await?;
        self.abandon_children(orphan).await;
        Ok(())
    }
}
