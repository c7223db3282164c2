//! What the models took that a call asked: kept by the call, with the step where there is one.

use serde_json::Value;
use toolgate_domain::{ErrorCode, RunId, RunStep, StepId, StepKind, Timestamp, ToolError, ids::Uuid};
use toolgate_store::{ModelUse, StoreError};

use super::Invoker;

/// What a provider says of its price may differ by so much from the price table: a tenth.
const TOLERATED: f64 = 0.1;

/// A question to a model that is over, as the one who asked saw it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub asked_at: Timestamp,
    pub latency_ms: u64,
    /// The tool whose call asked.
    pub tool: String,
    pub provider: Option<String>,
    /// The model that answered; else the one that was asked.
    pub model: Option<String>,
    pub tokens: Tokens,
    /// By the price table; where that has no price, by the provider's own word.
    pub cost: Option<f64>,
    /// By the provider's own word.
    pub self_reported_cost: Option<f64>,
    /// Why there was no answer.
    pub error: Option<ErrorCode>,
}

/// The input includes what was cached, the output what was thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    pub input: u64,
    pub cached_input: u64,
    pub output: u64,
    pub reasoning: u64,
}

impl Asked {
    /// A question that had no answer.
    pub fn in_vain(asked_at: Timestamp, latency_ms: u64, tool: &str, error: ErrorCode) -> Self {
        Self {
            asked_at,
            latency_ms,
            tool: tool.to_owned(),
            provider: None,
            model: None,
            tokens: Tokens::default(),
            cost: None,
            self_reported_cost: None,
            error: Some(error),
        }
    }

    /// Where the tokens are known, the two say the same or somebody should look.
    fn is_mismatch(&self) -> bool {
        let known = self.tokens.input + self.tokens.output > 0;
        match (self.cost, self.self_reported_cost) {
            (Some(cost), Some(said)) if known => (said - cost).abs() > TOLERATED * cost.abs(),
            _ => false,
        }
    }
}

impl Invoker {
    /// Counts a question that the outer call asked a model.
    pub async fn note_use(&self, asked: Asked) -> Result<(), ToolError> {
        let used = self.used(self.engine.ids.uuid(), self.outer.run_id, asked)?;
        self.engine.stores.meter.add_use(&used).await.map_err(uncounted)
    }

    /// Keeps a turn of the run that the outer call is, together with what it took: see [`Invoker::keep_step`].
    pub async fn keep_turn(
        &self,
        seq: u64,
        title: impl Into<String>,
        body: Value,
        asked: Asked,
    ) -> Result<RunStep, ToolError> {
        self.be_on_record().await?;
        let step = RunStep {
            id: StepId::generate(&*self.engine.ids),
            tenant_id: self.caller()?.tenant_id,
            run_id: self.own_run(),
            seq,
            kind: StepKind::Turn,
            title: title.into(),
            body,
            created_at: self.engine.clock.now(),
        };
        let used = self.used(step.id.uuid(), Some(step.run_id), asked)?;
        if self.engine.stores.meter.add_turn(&step, &used).await.map_err(uncounted)? {
            return Ok(step);
        }
        self.step_at(seq).await
    }

    fn used(&self, id: Uuid, run_id: Option<RunId>, asked: Asked) -> Result<ModelUse, ToolError> {
        let cost_mismatch = asked.is_mismatch();
        Ok(ModelUse {
            id,
            tenant_id: self.caller()?.tenant_id,
            at: asked.asked_at,
            invocation_id: self.outer.id,
            run_id,
            agent_id: self.outer.agent_id,
            tool_name: asked.tool,
            provider: asked.provider,
            model: asked.model,
            input_tokens: asked.tokens.input,
            cached_input_tokens: asked.tokens.cached_input,
            output_tokens: asked.tokens.output,
            reasoning_tokens: asked.tokens.reasoning,
            cost: asked.cost,
            self_reported_cost: asked.self_reported_cost,
            cost_mismatch,
            latency_ms: asked.latency_ms,
            error: asked.error,
        })
    }
}

fn uncounted(error: StoreError) -> ToolError {
    tracing::error!(%error, "what a model took cannot be written");
    ToolError::new(ErrorCode::Unknown, "what the model took cannot be written")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(1.0, 1.09, 10, false)]
    #[case(1.0, 1.11, 10, true)]
    #[case(1.0, 0.5, 10, true)]
    #[case(0.0, 0.0, 10, false)]
    #[case(0.0, 0.5, 10, true)]
    #[case(1.0, 2.0, 0, false)]
    fn a_price_that_is_far_from_the_table_is_marked_where_the_tokens_are_known(
        #[case] cost: f64,
        #[case] said: f64,
        #[case] tokens: u64,
        #[case] is_mismatch: bool,
    ) {
        let asked = Asked {
            cost: Some(cost),
            self_reported_cost: Some(said),
            tokens: Tokens { output: tokens, ..Tokens::default() },
            error: None,
            ..Asked::in_vain(Timestamp::EPOCH, 1, "t", ErrorCode::Unknown)
        };
        assert_eq!(asked.is_mismatch(), is_mismatch);
    }
}
