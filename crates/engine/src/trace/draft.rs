//! Spans as the record tells them. Names, ids, times and codes go in; what was asked and answered does not.

use serde_json::{Map, Value, json};
use toolgate_domain::{
    AgentId, Invocation, RunId, Span, SpanId, SpanKind, SpanRef, Timestamp, TraceId, Verdict,
};

use crate::runs::is_team_run;

/// What only the runtime of a run knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunFacts {
    pub(crate) agent_id: AgentId,
    pub(crate) agent_name: String,
}

impl RunFacts {
    /// Puts them into the span of the run.
    pub(crate) fn name(&self, root: &mut Span) {
        root.name = format!("invoke_agent {}", self.agent_name);
        root.attributes.insert("gen_ai.agent.id".to_owned(), json!(self.agent_id));
        root.attributes.insert("gen_ai.agent.name".to_owned(), json!(self.agent_name));
    }
}

/// Where the spans of a call stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    trace_id: TraceId,
    /// The span of the whole call.
    whole: SpanId,
    parent: Option<SpanId>,
    /// The run in whose trace they are kept.
    run_id: Option<RunId>,
}

impl Place {
    /// `origin` is the span that made the call, where it is known and outside any run.
    pub(crate) fn of(row: &Invocation, is_run: bool, origin: Option<SpanRef>) -> Self {
        let whole = SpanId::of_call(row.id);
        match row.run_id {
            // A workflow that an agent runs is its run's own root.
            Some(_) if is_team_run(row) => Self::of_run(row),
            Some(run) => {
                let above = row.parent_id.filter(|parent| parent.uuid() != run.uuid());
                let parent = Some(above.map_or_else(|| SpanId::of_run(run), SpanId::of_call));
                Self { trace_id: TraceId::of(run.uuid()), whole, parent, run_id: Some(run) }
            }
            None if is_run => Self::of_run(row),
            None => Self {
                trace_id: origin.map_or_else(|| TraceId::of(row.id.uuid()), |origin| origin.trace_id),
                whole,
                parent: origin.map(|origin| origin.span_id),
                run_id: None,
            },
        }
    }

    /// The place of a call that is a run, in its own trace.
    fn of_run(row: &Invocation) -> Self {
        let run = own_run(row);
        let whole = SpanId::of_run(run);
        Self { trace_id: TraceId::of(run.uuid()), whole, parent: None, run_id: Some(run) }
    }

    /// The span of the whole call, for those that it makes.
    pub(crate) fn whole(&self) -> SpanRef {
        SpanRef { trace_id: self.trace_id, span_id: self.whole }
    }

    /// A span within the call.
    fn within(&self, row: &Invocation, key: &str, nth: u64, name: impl Into<String>) -> Span {
        Span {
            tenant_id: row.tenant_id,
            trace_id: self.trace_id,
            span_id: SpanId::of(row.id.uuid(), key, nth),
            parent_span_id: Some(self.whole),
            name: name.into(),
            kind: SpanKind::Internal,
            started_at: row.created_at,
            ended_at: None,
            error: None,
            attributes: Map::new(),
            links: Vec::new(),
            run_id: self.run_id,
            invocation_id: Some(row.id),
        }
    }
}

fn own_run(row: &Invocation) -> RunId {
    RunId::from_uuid(row.id.uuid())
}

fn attributes(value: Value) -> Map<String, Value> {
    let Value::Object(mut fields) = value else {
        return Map::new();
    };
    fields.retain(|_, value| !value.is_null());
    fields
}

/// From when the call came in until its receipt was there.
pub(crate) fn whole_span(row: &Invocation, place: &Place, is_run: bool) -> Span {
    let error = row.outcome.error.as_ref().map(|error| error.code.as_str());
    let ended = row.completed_at.is_some();
    let kept = |value: Value| if ended { value } else { Value::Null };
    Span {
        span_id: place.whole,
        parent_span_id: place.parent,
        ended_at: row.completed_at,
        error: error.map(str::to_owned),
        attributes: attributes(json!({
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": row.tool_name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": row.call_id,
            "toolgate.tool.version": row.tool_version,
            "toolgate.invocation_id": row.id,
            "toolgate.run_id": is_run.then(|| own_run(row)),
            "toolgate.egress_class": row.egress_class,
            "toolgate.status": row.status(),
            "toolgate.seq": row.seq,
            "toolgate.attempt": (row.attempt > 1).then_some(row.attempt),
            "toolgate.is_test": row.is_test.then_some(true),
            "toolgate.cached": kept(json!(row.outcome.cached)),
            "toolgate.cost": row.outcome.cost_estimate,
            "error.type": error,
        })),
        ..place.within(row, "execute_tool", 0, format!("execute_tool {}", row.tool_name))
    }
}

/// A whole run. `origin` is a span outside that has to do with it.
pub(crate) fn root_span(row: &Invocation, facts: Option<&RunFacts>, origin: Option<SpanRef>) -> Span {
    let run = own_run(row);
    let place = Place::of_run(row);
    let above = row
        .run_id
        .map(|above| SpanRef { trace_id: TraceId::of(above.uuid()), span_id: SpanId::of_call(row.id) });
    let error = row.outcome.error.as_ref().map(|error| error.code.as_str());
    let mut root = Span {
        span_id: place.whole,
        parent_span_id: None,
        ended_at: row.completed_at,
        error: error.map(str::to_owned),
        attributes: attributes(json!({
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.conversation.id": row.session_id,
            "toolgate.run_id": run,
            "toolgate.invocation_id": row.id,
            "toolgate.status": row.status(),
            "toolgate.attempt": (row.attempt > 1).then_some(row.attempt),
            "toolgate.cost": row.outcome.cost_estimate,
            "error.type": error,
        })),
        links: above.into_iter().chain(origin).collect(),
        ..place.within(row, "invoke_agent", 0, "invoke_agent")
    };
    if let Some(facts) = facts {
        facts.name(&mut root);
    }
    root
}

/// The span of a run that ended while nobody ran it: what was told of it, with its end.
pub(crate) fn ended_root(told: Option<Span>, row: &Invocation) -> Span {
    let ended = root_span(row, None, None);
    match told {
        None => ended,
        Some(mut told) => {
            told.attributes.extend(ended.attributes);
            Span { ended_at: ended.ended_at, error: ended.error, ..told }
        }
    }
}

/// What the guard said of a call.
pub(crate) fn guard_span(row: &Invocation, place: &Place, judged_at: Timestamp) -> Span {
    let rules: Vec<&str> = row.decision.deciding().map(|evidence| evidence.rule.as_str()).collect();
    let denied = row.decision.verdict == Verdict::Deny;
    Span {
        ended_at: Some(judged_at),
        error: denied.then(|| "denied".to_owned()),
        attributes: attributes(json!({
            "toolgate.guard.decision": row.decision.verdict,
            "toolgate.guard.rules": rules,
            "toolgate.policy.version": row.decision.policy_version,
            "toolgate.invocation_id": row.id,
            "error.type": denied.then_some("denied"),
        })),
        ..place.within(row, "guard", 0, "guard")
    }
}

/// How long a call waited for a person, and what came of it.
pub(crate) fn approval_span(row: &Invocation, place: &Place, decided: Option<(Timestamp, &str)>) -> Span {
    Span {
        ended_at: decided.map(|(at, _)| at),
        attributes: attributes(json!({
            "toolgate.approval.outcome": decided.map(|(_, outcome)| outcome),
            "toolgate.invocation_id": row.id,
        })),
        ..place.within(row, "await_approval", 0, "await approval")
    }
}

/// One stretch of time in which a call's runtime ran. A call that waited has several.
pub(crate) fn tool_span(
    row: &Invocation,
    place: &Place,
    kind: &str,
    ran: (Timestamp, Timestamp),
    error: Option<&str>,
) -> Span {
    let (started_at, ended_at) = ran;
    let nth = started_at.as_micros().cast_unsigned();
    Span {
        started_at,
        ended_at: Some(ended_at),
        error: error.map(str::to_owned),
        attributes: attributes(json!({
            "toolgate.tool.kind": kind,
            "toolgate.invocation_id": row.id,
            "error.type": error,
        })),
        ..place.within(row, "tool", nth, format!("tool {kind}"))
    }
}
