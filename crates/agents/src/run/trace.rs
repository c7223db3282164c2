//! The model's part of a run's trace. It says who was asked, for how long and for how many tokens; never what was said.

use serde_json::{Map, Value, json};
use toolgate_domain::{SpanKind, Timestamp, ToolError};
use toolgate_engine::{Invoker, RunSpan};

use super::{Opened, ask::KeptTurn};
use crate::llm::{ChatRequest, StopReason};

/// The longest reason of a provider's own that is told.
const MAX_REASON_CHARS: usize = 64;

/// A question that is under way. Dropped before its end, it was called off.
pub(super) struct Asking<'a> {
    invoker: &'a Invoker,
    open: Option<RunSpan>,
}

impl<'a> Asking<'a> {
    pub(super) fn begin(
        invoker: &'a Invoker,
        opened: &Opened,
        request: &ChatRequest,
        iteration: u64,
        asked_at: Timestamp,
    ) -> Self {
        let question = json!({
            "gen_ai.request.temperature": request.temperature,
            "gen_ai.request.max_tokens": request.max_output_tokens,
        });
        let open = span(opened.provider.name(), &request.model, iteration, asked_at, question);
        invoker.tell_span(open.clone());
        Self { invoker, open: Some(open) }
    }

    pub(super) fn end(mut self, answered: Result<&KeptTurn, &ToolError>) {
        let Some(mut span) = self.open.take() else {
            return;
        };
        match answered {
            Ok(kept) => {
                span.attributes.extend(answer(kept));
                span.ended_at = Some(self.invoker.now());
            }
            Err(error) => fail(&mut span, error.code.as_str(), self.invoker.now()),
        }
        self.invoker.tell_span(span);
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if let Some(mut span) = self.open.take() {
            fail(&mut span, "cancelled", self.invoker.now());
            self.invoker.tell_span(span);
        }
    }
}

/// A turn that is on record is told of again: the process that asked may have died before it was written.
pub(super) fn tell_again(invoker: &Invoker, model: &str, iteration: u64, kept: &KeptTurn) {
    let mut span = span(&kept.provider, model, iteration, kept.asked_at, Value::Null);
    span.attributes.extend(answer(kept));
    let latency_ms = i64::try_from(kept.latency_ms).unwrap_or(i64::MAX);
    span.ended_at = Some(kept.asked_at.plus_ms(latency_ms));
    invoker.tell_span_again(span);
}

fn span(provider: &str, model: &str, iteration: u64, asked_at: Timestamp, question: Value) -> RunSpan {
    let mut attributes = known(json!({
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "toolgate.iteration": iteration,
    }));
    attributes.extend(known(question));
    RunSpan {
        key: "chat",
        nth: asked_at.as_micros().cast_unsigned(),
        name: format!("chat {model}"),
        kind: SpanKind::Client,
        started_at: asked_at,
        ended_at: None,
        error: None,
        attributes,
    }
}

fn answer(kept: &KeptTurn) -> Map<String, Value> {
    let (turn, usage) = (&kept.turn, &kept.turn.usage);
    let counted = |tokens: u64| (tokens > 0).then_some(tokens);
    known(json!({
        "gen_ai.response.model": turn.model,
        "gen_ai.response.finish_reasons": [reason(&turn.stop)],
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": counted(usage.cached_input_tokens),
        "toolgate.usage.reasoning_tokens": counted(usage.reasoning_tokens),
        "toolgate.cost": kept.cost,
    }))
}

fn fail(span: &mut RunSpan, code: &str, at: Timestamp) {
    span.attributes.insert("error.type".to_owned(), code.into());
    (span.error, span.ended_at) = (Some(code.to_owned()), Some(at));
}

/// As the conventions name them.
fn reason(stop: &StopReason) -> String {
    match stop {
        StopReason::End => "stop".to_owned(),
        StopReason::ToolCalls => "tool_calls".to_owned(),
        StopReason::Length => "length".to_owned(),
        StopReason::Refused => "content_filter".to_owned(),
        StopReason::Other(reason) => reason.chars().take(MAX_REASON_CHARS).collect(),
    }
}

fn known(value: Value) -> Map<String, Value> {
    let Value::Object(mut fields) = value else {
        return Map::new();
    };
    fields.retain(|_, value| !value.is_null());
    fields
}
