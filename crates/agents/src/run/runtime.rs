//! Runs tools of kind `agent`: the loop itself.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::{Value, json};
use toolgate_domain::{EgressClass, ErrorCode, StepKind, Tool, ToolError, ToolSpec, tool::Execution};
use toolgate_engine::{Halt, Invoker, Output, RuleError, RunContext, Runtime, TurnAllowance, Waiting};

use super::{
    Begin, Models,
    ask::{KeptTurn, ask},
    call::{Outcome, call_all},
    course::Course,
    log::Log,
    meter::{asked_in_vain, took},
    search::search_all,
    spec::{Asked, KIND, spec},
    tell,
    trace::tell_again,
    wish::Wish,
};
use crate::llm::{StopReason, Turn};

/// The runtime of kind `agent`.
pub struct AgentRuntime {
    models: Arc<dyn Models>,
    /// What its runs are given, whoever the agent is: a recorded run is gone through again.
    given: Option<Begin>,
}

impl AgentRuntime {
    pub fn new(models: Arc<dyn Models>) -> Self {
        Self { models, given: None }
    }

    /// One whose runs begin with what another run was given.
    #[must_use]
    pub fn given(self, begin: Begin) -> Self {
        Self { given: Some(begin), ..self }
    }

    /// The definitions of the tools that it serves by itself.
    pub fn specs(&self) -> Vec<ToolSpec> {
        vec![spec()]
    }
}

#[async_trait]
impl Runtime for AgentRuntime {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn check(&self, execution: &Execution) -> Result<(), String> {
        match execution.config.keys().next() {
            None => Ok(()),
            Some(key) => Err(format!("/{key}: a tool of kind `{KIND}` has no settings")),
        }
    }

    /// What is asked leaves the house; what the agent does there, it does through its tools.
    fn egress_floor(&self, _execution: &Execution) -> EgressClass {
        EgressClass::ReadOnly
    }

    /// What it asked is kept as a step, and what it called is answered from the record.
    fn replays(&self, _execution: &Execution) -> bool {
        true
    }

    fn is_run(&self) -> bool {
        true
    }

    async fn run(&self, tool: Arc<Tool>, input: Value, context: RunContext) -> Result<Output, Halt> {
        let asked: Asked =
            serde_json::from_value(input).map_err(|error| ToolError::validation(error.to_string()))?;
        let agent = context.invoker.house()?.agent(&asked.agent).await.map_err(missing)?;
        let invoker = context.invoker.as_agent(agent.id).await?;
        let mut log = Log::open(&invoker).await?;
        let begin = match log.next() {
            Some(step) => step,
            None => {
                let begin = match &self.given {
                    Some(given) => given.clone().beginning_now(&invoker),
                    None => Begin::of(agent, asked, &invoker).await?,
                };
                let title = format!("{} begins", begin.handle);
                log.keep(StepKind::Begin, title, encoded(&begin)?).await?
            }
        };
        let begin = Begin::read(begin.body)?;
        let left_ms = begin.deadline.ms_since(invoker.now());
        let run = self.go_on(&invoker, &begin, log, tool.spec.name.as_str(), &context);
        match tokio::time::timeout(Duration::from_millis(left_ms), run).await {
            Ok(ended) => ended,
            Err(_) => Err(too_late(&begin).into()),
        }
    }
}

impl AgentRuntime {
    /// From what the log has to the answer, or to something that the run must wait for.
    async fn go_on(
        &self,
        invoker: &Invoker,
        begin: &Begin,
        mut log: Log<'_>,
        tool: &str,
        context: &RunContext,
    ) -> Result<Output, Halt> {
        let opened = self.models.open(&context.invoker, begin.model.as_deref()).await?;
        let mut course = Course::new(begin.messages(), invoker.limits().run_result_chars);
        // Ends: the guard bounds the turns.
        loop {
            let allowance = TurnAllowance { iteration: course.turns + 1, spent: course.spent };
            let before = log.next();
            let is_again = before.is_some();
            let step = match before {
                Some(step) => step,
                None => {
                    invoker.may_go_on(allowance).await?;
                    let request = begin.request(&opened.model, course.messages.clone());
                    let asked_at = invoker.now();
                    let kept =
                        match Box::pin(ask(invoker, &opened, &request, allowance.iteration, context)).await {
                            Ok(kept) => kept,
                            Err(error) => {
                                asked_in_vain(invoker, &opened, tool, asked_at, &error).await;
                                return Err(error.into());
                            }
                        };
                    log.keep_turn(title(begin, &kept), encoded(&kept)?, took(&kept, tool)).await?
                }
            };
            let (step_id, kept) = (step.id, KeptTurn::read(step.body)?);
            if is_again {
                tell_again(invoker, &opened.model, allowance.iteration, &kept);
            } else {
                tell::turn(context, allowance.iteration, &kept).await?;
            }
            course.hear(&kept);
            let calls = &kept.turn.tool_calls;
            if calls.is_empty() {
                let response = answer(kept.turn)?;
                let cost_estimate = (course.spent > 0.0).then_some(course.spent);
                let max_bytes = invoker.limits().max_output_bytes;
                let outputs = course.outputs(&response, &invoker.trace_url(), max_bytes);
                return Ok(Output { cost_estimate, ..outputs.into() });
            }
            let mut wishes = Wish::all(begin, calls);
            search_all(invoker, begin, &mut log, &mut wishes).await?;
            // What the turn cost counts for the calls that it asks for.
            let allowance = TurnAllowance { spent: course.spent, ..allowance };
            let outcomes = call_all(&invoker.in_turn(step_id, allowance), begin, &course, &wishes).await;
            if let Some(Outcome::Broken(error)) = outcomes.iter().find(|o| matches!(o, Outcome::Broken(_))) {
                return Err(error.clone().into());
            }
            if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Waiting(_))) {
                tell::waiting(context, &outcomes).await?;
                return Err(Halt::Waiting(Waiting { until: Some(begin.deadline), ..Waiting::default() }));
            }
            course.learn(begin, &wishes, outcomes)?;
        }
    }
}

/// What the model says in the end. One that says nothing, because it refused or had no room left, has not answered.
fn answer(turn: Turn) -> Result<String, ToolError> {
    let why = match turn.stop {
        StopReason::Refused => "the model refused to answer",
        StopReason::Length => "the model used up its tokens before it answered: raise max_output_tokens",
        StopReason::End | StopReason::ToolCalls | StopReason::Other(_) => {
            return Ok(turn.text.unwrap_or_default());
        }
    };
    let said = turn.text.filter(|text| !text.trim().is_empty());
    said.ok_or_else(|| {
        ToolError::new(ErrorCode::ProviderError, why).with_details(json!({"stop_reason": turn.stop}))
    })
}

/// For people, so it holds what a line can hold.
fn title(begin: &Begin, kept: &KeptTurn) -> String {
    match Wish::all(begin, &kept.turn.tool_calls).as_slice() {
        [] => "answers".to_owned(),
        wishes => {
            let names: Vec<&str> = wishes.iter().map(|wish| wish.call.name.as_str()).collect();
            shown(&format!("calls {}", names.join(", ")))
        }
    }
}

/// A model's words in one bounded line.
pub(super) fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(200).collect()
}

fn encoded<T: serde::Serialize>(value: &T) -> Result<Value, ToolError> {
    serde_json::to_value(value).map_err(|error| ToolError::new(ErrorCode::Unknown, error.to_string()))
}

fn too_late(begin: &Begin) -> ToolError {
    ToolError::new(ErrorCode::Timeout, format!("the run had to end by {}", begin.deadline))
        .with_details(json!({"reason": "run_deadline"}))
}

fn missing(error: RuleError) -> ToolError {
    match error {
        RuleError::NotFound(message) | RuleError::Forbidden(message) => ToolError::denied(message),
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    }
}
