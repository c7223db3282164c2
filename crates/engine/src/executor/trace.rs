//! Tells of calls and runs as spans, always after what they tell of is on record. A call outside any run is told of only where
//! somebody asked for it, and costs nothing otherwise.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};
use toolgate_domain::{
    AgentId, Invocation, Phase, RunId, Span, SpanId, SpanKind, SpanRef, Step, Timestamp, ToolError, TraceId,
};

use super::{Invoker, TurnAllowance, prepare::Prepared};
use crate::{
    Engine,
    registry::LiveTool,
    trace::{Place, RunFacts, approval_span, ended_root, guard_span, root_span, tool_span, whole_span},
};

/// What the trace must know of a call beyond its row.
#[derive(Clone, Default)]
pub(super) struct Thread {
    /// The call is a run; its runtime says of which agent.
    pub(super) run: Option<Arc<OnceLock<RunFacts>>>,
    /// The span that made the call, where it is outside any run.
    pub(super) origin: Option<SpanRef>,
    /// When the guard had decided; taken when it was told of.
    pub(super) judged_at: Option<Timestamp>,
}

/// The run that a call is, for its runtime.
pub(super) struct OwnRun {
    facts: Arc<OnceLock<RunFacts>>,
    /// Its span, as it begins.
    root: Span,
}

impl Thread {
    pub(super) fn own_run(&self, row: &Invocation) -> Option<Arc<OwnRun>> {
        let facts = Arc::clone(self.run.as_ref()?);
        Some(Arc::new(OwnRun { facts, root: root_span(row, None, self.origin) }))
    }

    /// The span that makes the calls of this one, where they are outside any run.
    pub(super) fn origin_of_calls(&self, row: &Invocation) -> SpanRef {
        self.place(row).whole()
    }

    fn place(&self, row: &Invocation) -> Place {
        Place::of(row, self.run.is_some(), self.origin)
    }

    /// What the call is told as, from its row.
    fn spans(&mut self, row: &Invocation) -> Vec<Span> {
        let place = self.place(row);
        let mut spans = Vec::with_capacity(3);
        if let Some(at) = self.judged_at.take() {
            spans.push(guard_span(row, &place, at));
        }
        if self.run.is_none() || row.run_id.is_some() {
            spans.push(whole_span(row, &place, self.run.is_some()));
        }
        if let Some(run) = &self.run {
            spans.push(root_span(row, run.get(), self.origin));
        }
        spans
    }
}

impl Engine {
    /// Whether every call of a tool is a run.
    pub(super) fn is_run(&self, live: &LiveTool) -> bool {
        self.run_kind.is_some_and(|kind| kind == live.tool.spec.execution.kind)
    }

    pub(super) fn run_of(&self, live: &LiveTool) -> Option<Arc<OnceLock<RunFacts>>> {
        self.is_run(live).then(Arc::default)
    }

    /// The same for a recorded call, whose tool may be gone.
    async fn is_run_row(&self, row: &Invocation) -> bool {
        self.run_kind.is_some() && matches!(self.tool_of(row).await, Ok(Some(live)) if self.is_run(&live))
    }

    fn is_traced(&self, row: &Invocation, thread: &Thread) -> bool {
        row.run_id.is_some() || thread.run.is_some() || self.tracer.exports()
    }

    /// The guard has decided.
    pub(super) fn trace_judged(&self, prepared: &mut Prepared) {
        if self.is_traced(&prepared.invocation, &prepared.thread) {
            prepared.thread.judged_at = Some(self.clock.now());
        }
    }

    /// The spans of a call as its row stands: to be told of when that is on record. None, where it is not told of.
    pub(super) fn spans_of(&self, row: &Invocation, thread: &mut Thread) -> Vec<Span> {
        if self.is_traced(row, thread) { thread.spans(row) } else { Vec::new() }
    }

    /// The call is on record, and waits for a person.
    pub(super) fn trace_parked(&self, row: &Invocation, thread: &mut Thread) {
        let spans = self.spans_of(row, thread);
        if !spans.is_empty() {
            self.tracer.tell_all(spans);
            self.tracer.tell(approval_span(row, &thread.place(row), None));
        }
    }

    /// The runtime of a call ran from this moment until now. That of a run is told of as the run.
    pub(super) fn trace_ran(
        &self,
        prepared: &Prepared,
        kind: &str,
        started_at: Timestamp,
        error: Option<&str>,
    ) {
        let (row, thread) = (&prepared.invocation, &prepared.thread);
        self.tracer.tell(tool_span(row, &thread.place(row), kind, (started_at, self.clock.now()), error));
    }

    /// When the runtime of a call begins, where it is told of.
    pub(super) fn trace_start(&self, prepared: &Prepared) -> Option<Timestamp> {
        let thread = &prepared.thread;
        (thread.run.is_none() && self.is_traced(&prepared.invocation, thread)).then(|| self.clock.now())
    }

    /// A recorded call moved on while nobody ran it: somebody decided, withdrew it, or gave it up.
    pub(crate) async fn trace_moved(
        &self,
        before: &Invocation,
        step: Step,
        now: Timestamp,
        after: &Invocation,
    ) {
        let is_run = self.is_run_row(before).await;
        if before.run_id.is_none() && !is_run && !self.tracer.exports() {
            return;
        }
        let place = Place::of(before, is_run, None);
        if before.phase == Phase::Pending {
            let outcome = match step {
                Step::Approve => "approved",
                Step::Reject => "rejected",
                _ => "withdrawn",
            };
            self.tracer.tell(approval_span(before, &place, Some((now, outcome))));
        }
        if !after.phase.is_terminal() {
            return;
        }
        if !is_run || after.run_id.is_some() {
            self.tracer.tell(whole_span(after, &place, is_run));
        }
        if is_run {
            self.tracer.flush().await;
            let run = RunId::from_uuid(after.id.uuid());
            let told =
                self.stores.spans.span(after.tenant_id, TraceId::of(run.uuid()), SpanId::of_run(run)).await;
            self.tracer.tell(ended_root(told.ok().flatten(), after));
        }
    }

    /// A call of a run that began again is answered from the record, and so is its trace: the process that made it may have died
    /// before it told of it.
    pub(super) fn trace_again(&self, row: &Invocation) {
        if row.run_id.is_some() {
            self.tracer.keep(whole_span(row, &Place::of(row, false, None), false));
        }
    }

    /// Where a recorded call outside any run comes from: the topmost call that made it.
    pub(super) fn origin_of(
        &self,
        row: &Invocation,
        top: Option<toolgate_domain::InvocationId>,
    ) -> Option<SpanRef> {
        let (parent, top) = (row.parent_id?, top?);
        self.tracer
            .exports()
            .then(|| SpanRef { trace_id: TraceId::of(top.uuid()), span_id: SpanId::of_call(parent) })
    }
}

/// A part of a run, as its runtime tells of it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpan {
    /// With `nth`, names the part within its run.
    pub key: &'static str,
    pub nth: u64,
    pub name: String,
    pub kind: SpanKind,
    pub started_at: Timestamp,
    /// Nothing while it goes on.
    pub ended_at: Option<Timestamp>,
    /// What went wrong, as a code.
    pub error: Option<String>,
    /// Never what was asked or answered.
    pub attributes: Map<String, Value>,
}

impl Invoker {
    /// The span of the outer call, as those outside are told of it who work for it (W3C Trace Context).
    pub fn traceparent(&self) -> String {
        let outer = &self.outer;
        let span = match (&outer.run, outer.run_id) {
            (Some(run), _) => SpanRef { trace_id: run.root.trace_id, span_id: run.root.span_id },
            (None, Some(run)) => {
                SpanRef { trace_id: TraceId::of(run.uuid()), span_id: SpanId::of_call(outer.id) }
            }
            (None, None) => outer.origin.unwrap_or_else(|| SpanRef {
                trace_id: TraceId::of(outer.id.uuid()),
                span_id: SpanId::of_call(outer.id),
            }),
        };
        let told_of = outer.run.is_some() || outer.run_id.is_some() || outer.origin.is_some();
        span.traceparent(told_of)
    }

    /// Says whose run the outer call is.
    pub(super) fn introduce(&self, agent_id: AgentId, agent_name: &str) {
        if let Some(run) = &self.outer.run {
            let facts = run.facts.get_or_init(|| RunFacts { agent_id, agent_name: agent_name.to_owned() });
            let mut root = run.root.clone();
            facts.name(&mut root);
            self.engine.tracer.tell(root);
        }
    }

    /// Tells of a part of the run that the outer call is.
    pub fn tell_span(&self, part: RunSpan) {
        self.part(part).into_iter().for_each(|span| self.engine.tracer.tell(span));
    }

    /// The same for a part that was told of before: it is kept once more, and exported no more.
    pub fn tell_span_again(&self, part: RunSpan) {
        self.part(part).into_iter().for_each(|span| self.engine.tracer.keep(span));
    }

    fn part(&self, part: RunSpan) -> Option<Span> {
        let run = self.own_run();
        Some(Span {
            tenant_id: self.caller().ok()?.tenant_id,
            trace_id: TraceId::of(run.uuid()),
            span_id: SpanId::of(run.uuid(), part.key, part.nth),
            parent_span_id: Some(SpanId::of_run(run)),
            name: part.name,
            kind: part.kind,
            started_at: part.started_at,
            ended_at: part.ended_at,
            error: part.error,
            attributes: part.attributes,
            links: Vec::new(),
            run_id: Some(run),
            invocation_id: None,
        })
    }

    /// Tells what the guard said of one more turn.
    pub(super) fn trace_turn(
        &self,
        allowance: TurnAllowance,
        started_at: Timestamp,
        allowed: &Result<(), ToolError>,
    ) {
        let rule = allowed.as_ref().err().map(|error| {
            error
                .details
                .as_ref()
                .and_then(|details| details["reason"].as_str())
                .unwrap_or(error.code.as_str())
        });
        let mut attributes = Map::new();
        attributes.insert("toolgate.guard.iteration".to_owned(), allowance.iteration.into());
        let decision = if rule.is_some() { "deny" } else { "allow" };
        attributes.insert("toolgate.guard.decision".to_owned(), decision.into());
        if let Some(rule) = rule {
            attributes.insert("toolgate.guard.rules".to_owned(), vec![rule].into());
            attributes.insert("error.type".to_owned(), "denied".into());
        }
        self.tell_span(RunSpan {
            key: "guard_turn",
            nth: allowance.iteration,
            name: "guard".to_owned(),
            kind: SpanKind::Internal,
            started_at,
            ended_at: Some(self.now()),
            error: rule.map(|_| "denied".to_owned()),
            attributes,
        });
    }

    /// Where the trace of the run that the outer call is can be seen.
    pub fn trace_url(&self) -> String {
        format!("{}/runs/{}/trace", self.engine.public_url.trim_end_matches('/'), self.own_run())
    }
}
