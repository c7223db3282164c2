//! What a run did, step by step: first what is there already, then what is added.

use serde_json::Value;
use toolgate_domain::{RunStep, StepKind, ToolError};
use toolgate_engine::{Asked, Invoker};

pub(super) struct Log<'a> {
    invoker: &'a Invoker,
    /// What was done before and is not yet gone over again.
    before: std::vec::IntoIter<RunStep>,
    next_seq: u64,
}

impl<'a> Log<'a> {
    pub(super) async fn open(invoker: &'a Invoker) -> Result<Self, ToolError> {
        Ok(Self { invoker, before: invoker.steps().await?.into_iter(), next_seq: 0 })
    }

    /// The next step that is there already.
    pub(super) fn next(&mut self) -> Option<RunStep> {
        let step = self.before.next()?;
        self.next_seq = step.seq + 1;
        Some(step)
    }

    /// Adds a step; answers with the one that is in its place.
    pub(super) async fn keep(
        &mut self,
        kind: StepKind,
        title: String,
        body: Value,
    ) -> Result<RunStep, ToolError> {
        let step = self.invoker.keep_step(self.next_seq, kind, title, body).await?;
        self.next_seq = step.seq + 1;
        Ok(step)
    }

    /// Adds a turn together with what it took.
    pub(super) async fn keep_turn(
        &mut self,
        title: String,
        body: Value,
        took: Asked,
    ) -> Result<RunStep, ToolError> {
        let step = self.invoker.keep_turn(self.next_seq, title, body, took).await?;
        self.next_seq = step.seq + 1;
        Ok(step)
    }
}
