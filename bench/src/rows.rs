//! The rows of one call, as the executor leaves them for a call of `calculate`: an invocation, and one that tells of both its events.

use std::sync::Arc;

use anyhow::Context;
use serde_json::json;
use toolgate_domain::{
    AuditEvent, Caller, Clock, Decision, EventType, Evidence, Gate, IdGen, Invocation, InvocationId, KeyId,
    Lifecycle, NewEvent, Outcome, Phase, SchemaVersionId, SessionId, Surface, TenantId, Timestamp, Tool,
    ToolId, Verdict,
    ids::{OrderedIds, Uuid},
    json::{call_id, canonical_bytes, sha256_hex},
    time::SystemClock,
    tool::Origin,
};
use toolgate_store::{Entry, SchemaVersion};

pub(crate) const EXPRESSION: &str = "(2+3)*7";
/// An invocation, and what its session is told of it.
pub(crate) const ROWS_PER_CALL: f64 = 2.0;
pub(crate) const LAST_EVENT: EventType = EventType::Completed;

/// Makes rows that differ in their ids and moments alone.
pub(crate) struct Rows {
    ids: OrderedIds<SystemClock>,
    pub(crate) tool: Tool,
    pub(crate) template: Invocation,
}

impl Rows {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let ids = OrderedIds::new(SystemClock);
        let tool = tool(&ids)?;
        let template = template(&ids, &tool)?;
        Ok(Self { ids, tool, template })
    }

    pub(crate) fn registration(&self) -> AuditEvent {
        let registrar = Caller::system(self.tool.tenant_id, "default");
        AuditEvent::by(&registrar, &self.ids, &SystemClock, "tool.register", self.tool.spec.id())
    }

    pub(crate) fn schemas(&self) -> anyhow::Result<SchemaVersion> {
        Ok(SchemaVersion {
            id: SchemaVersionId::generate(&self.ids),
            tenant_id: self.tool.tenant_id,
            tool_id: self.tool.id,
            tool_name: self.tool.spec.name.clone(),
            tool_version: self.tool.spec.version.clone(),
            input_hash: sha256_hex(&canonical_bytes(&self.tool.spec.input_schema)?),
            output_hash: None,
            created_at: SystemClock.now(),
        })
    }

    /// What differs from row to row.
    pub(crate) fn next(&self) -> (Uuid, Timestamp) {
        (self.ids.uuid(), SystemClock.now())
    }

    pub(crate) fn entry(&self) -> Entry {
        let (id, now) = self.next();
        let id = InvocationId::from_uuid(id);
        let session_id = SessionId::of_lone_call(id);
        let events = [EventType::Started, LAST_EVENT].map(|kind| NewEvent {
            session_id,
            kind,
            invocation_id: id,
            data: None,
            created_at: now,
        });
        let invocation = Invocation {
            id,
            session_id,
            created_at: now,
            started_at: Some(now),
            completed_at: Some(now),
            ..self.template.clone()
        };
        Entry { events: events.into(), ..Entry::inserting(Arc::new(invocation)) }
    }
}

fn tool(ids: &dyn IdGen) -> anyhow::Result<Tool> {
    let definition = json!({
        "name": "calculate", "version": "1.0.0", "description": "for the benchmark",
        "input_schema": {"type": "object"}, "execution": {"kind": "builtin", "handler": "calculate"},
    });
    let now = SystemClock.now();
    Ok(Tool {
        id: ToolId::generate(ids),
        tenant_id: TenantId::DEFAULT,
        origin: Origin::Code,
        kind: Origin::Code.into(),
        also_required: Vec::new(),
        lifecycle: Lifecycle::Active,
        created_at: now,
        updated_at: now,
        spec: Arc::new(serde_json::from_value(definition).context("a definition")?),
    })
}

fn template(ids: &dyn IdGen, tool: &Tool) -> anyhow::Result<Invocation> {
    let id = InvocationId::generate(ids);
    let now = SystemClock.now();
    let input = json!({ "expression": EXPRESSION });
    Ok(Invocation {
        id,
        tenant_id: TenantId::DEFAULT,
        session_id: SessionId::of_lone_call(id),
        parent_id: None,
        is_test: false,
        run_id: None,
        agent_run_step_id: None,
        agent_id: None,
        tool_id: Some(tool.id),
        tool_name: tool.spec.name.to_string(),
        tool_version: tool.spec.version.to_string(),
        egress_class: tool.spec.egress_class,
        call_id: call_id(&tool.spec.id(), &input, 0)?,
        seq: 0,
        input,
        approved_input: None,
        phase: Phase::Completed(Gate::NotRequired),
        decision: Decision::from_evidence(vec![Evidence {
            rule: "scope".to_owned(),
            verdict: Verdict::Allow,
            because: "the caller holds tools:execute".to_owned(),
        }]),
        caller: KeyId::generate(ids).to_string(),
        surface: Surface::Rest,
        idempotency_key: None,
        warnings: Vec::new(),
        approval_decided_by: None,
        approval_reason: None,
        approval_expires_at: None,
        node_id: None,
        attempt: 1,
        outcome: Outcome {
            output: Some(json!({"result": "35", "number": 35, "exact": true})),
            ..Outcome::default()
        },
        created_at: now,
        started_at: Some(now),
        completed_at: Some(now),
    })
}
