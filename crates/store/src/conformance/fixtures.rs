use std::{
    any::Any,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, BlobId, Caller, Clock, Decision, EventType, Evidence, Gate, Invocation, InvocationId,
    Lifecycle, NewEvent, NodeId, Outcome, Phase, SchemaVersionId, SessionId, Surface, TenantId, Timestamp,
    Tool, ToolId, Verdict,
    ids::{IdGen, OrderedIds},
    json::{canonical_bytes, sha256_hex},
    tool::Origin,
};

use super::RawSql;
use crate::{BlobRecord, Change, Entry, SchemaVersion, Stores, Transition};

/// A clock that ticks once per look.
#[derive(Clone, Default)]
pub struct Ticking(Arc<AtomicI64>);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_760_000_000_000 + self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A backend under test, on an empty database.
pub struct Fixture {
    pub stores: Stores,
    pub raw: Arc<dyn RawSql>,
    pub clock: Ticking,
    pub ids: OrderedIds<Ticking>,
    /// Whatever must live as long as the database: a temporary directory, say.
    pub guard: Box<dyn Any + Send + Sync>,
}

impl Fixture {
    pub fn new(stores: Stores, raw: Arc<dyn RawSql>, guard: Box<dyn Any + Send + Sync>) -> Self {
        let clock = Ticking::default();
        Self { stores, raw, ids: OrderedIds::new(clock.clone()), clock, guard }
    }

    pub fn caller(&self) -> Caller {
        Caller::system(TenantId::DEFAULT, "default")
    }

    pub fn tool(&self, name: &str, version: &str, patch: Value) -> Tool {
        let mut definition = json!({
            "name": name, "version": version, "description": "for the suite",
            "input_schema": {"type": "object"}, "execution": {"kind": "builtin", "handler": "calculate"},
        });
        if let (Some(fields), Some(more)) = (definition.as_object_mut(), patch.as_object()) {
            fields.extend(more.clone());
        }
        let now = self.clock.now();
        Tool {
            id: ToolId::generate(&self.ids),
            tenant_id: TenantId::DEFAULT,
            origin: Origin::TenantCustom,
            kind: Origin::TenantCustom.into(),
            also_required: Vec::new(),
            lifecycle: Lifecycle::Active,
            created_at: now,
            updated_at: now,
            spec: Arc::new(serde_json::from_value(definition).expect("a definition")),
        }
    }

    pub fn schemas(&self, tool: &Tool) -> SchemaVersion {
        SchemaVersion {
            id: SchemaVersionId::generate(&self.ids),
            tenant_id: tool.tenant_id,
            tool_id: tool.id,
            tool_name: tool.spec.name.clone(),
            tool_version: tool.spec.version.clone(),
            input_hash: sha256_hex(&canonical_bytes(&tool.spec.input_schema).expect("canonical")),
            output_hash: None,
            created_at: self.clock.now(),
        }
    }

    pub fn audit(&self, action: &str) -> AuditEvent {
        AuditEvent::by(&self.caller(), &self.ids, &self.clock, action, "something")
    }

    pub async fn registered(&self, name: &str) -> Tool {
        let tool = self.tool(name, "1.0.0", json!({}));
        self.stores
            .tools
            .insert(&tool, &self.schemas(&tool), &self.audit("tool.register"))
            .await
            .expect("registers");
        tool
    }

    pub fn invocation(&self, tool: &Tool, phase: Phase) -> Invocation {
        let id = InvocationId::generate(&self.ids);
        let now = self.clock.now();
        let terminal = phase.is_terminal();
        Invocation {
            id,
            tenant_id: TenantId::DEFAULT,
            session_id: SessionId::of_lone_call(id),
            parent_id: None,
            run_id: None,
            agent_run_step_id: None,
            agent_id: None,
            tool_id: Some(tool.id),
            tool_name: tool.spec.name.to_string(),
            tool_version: tool.spec.version.to_string(),
            egress_class: tool.spec.egress_class,
            call_id: "c".repeat(64),
            seq: 0,
            input: json!({"expression": "1+1", "note": "é \" \\ \u{1F600}"}),
            approved_input: None,
            phase,
            decision: Decision::from_evidence(vec![Evidence {
                rule: "scope".into(),
                verdict: Verdict::Allow,
                because: "the suite says so".into(),
            }]),
            caller: "system".into(),
            surface: Surface::Rest,
            is_test: false,
            idempotency_key: None,
            warnings: vec![],
            approval_decided_by: None,
            approval_reason: None,
            approval_expires_at: None,
            node_id: (phase == Phase::Running(Gate::NotRequired)).then(|| NodeId::generate(&self.ids)),
            attempt: 1,
            outcome: Outcome { output: terminal.then(|| json!({"result": "2"})), ..Outcome::default() },
            created_at: now,
            started_at: (phase != Phase::Pending).then_some(now),
            completed_at: terminal.then_some(now),
        }
    }

    pub fn event(&self, invocation: &Invocation, kind: EventType) -> NewEvent {
        NewEvent {
            session_id: invocation.session_id,
            kind,
            invocation_id: invocation.id,
            data: None,
            created_at: self.clock.now(),
        }
    }

    pub fn blob(&self, invocation: &Invocation) -> BlobRecord {
        BlobRecord {
            id: BlobId::generate(&self.ids),
            tenant_id: invocation.tenant_id,
            invocation_id: invocation.id,
            content_type: "application/json".into(),
            bytes: 1 << 33,
            created_at: self.clock.now(),
        }
    }

    pub fn insert(&self, invocation: &Invocation) -> Entry {
        Entry::inserting(Arc::new(invocation.clone()))
    }

    pub fn advance(&self, invocation: &Invocation, from: Phase, to: Phase) -> Entry {
        let ends = to.is_terminal();
        let transition = Transition {
            id: invocation.id,
            from,
            to,
            node_id: None,
            started_at: None,
            completed_at: ends.then(|| self.clock.now()),
            outcome: ends.then(Outcome::default),
            decided_by: None,
            reason: None,
            approved_input: None,
        };
        Entry {
            receipt: transition.receipt_of(invocation),
            change: Some(Change::Advance(Arc::new(transition))),
            ..Entry::of(invocation.tenant_id)
        }
    }

    pub async fn stored(&self, invocation: &Invocation) -> Option<Invocation> {
        self.stores.invocations.get(invocation.tenant_id, invocation.id).await.expect("reads")
    }

    /// A row that reached `phase` by legal steps.
    pub async fn in_phase(&self, tool: &Tool, phase: Phase) -> Invocation {
        let path: &[Phase] = match phase {
            Phase::Pending => &[Phase::Pending],
            Phase::Approved => &[Phase::Pending, Phase::Approved],
            Phase::Rejected => &[Phase::Pending, Phase::Rejected],
            Phase::Withdrawn => &[Phase::Pending, Phase::Withdrawn],
            Phase::Running(Gate::Approved) => &[Phase::Pending, Phase::Approved, phase],
            Phase::Completed(Gate::Approved)
            | Phase::Failed(Gate::Approved)
            | Phase::Cancelled(Gate::Approved) => {
                &[Phase::Pending, Phase::Approved, Phase::Running(Gate::Approved), phase]
            }
            other => &[other],
        };
        let row = self.invocation(tool, path[0]);
        self.stores.ledger.record(self.insert(&row)).await.expect("inserts");
        for pair in path.windows(2) {
            self.stores.ledger.record(self.advance(&row, pair[0], pair[1])).await.expect("advances");
        }
        row
    }

    pub fn id_of(&self, invocation: &Invocation) -> String {
        self.raw.literal(invocation.id.uuid())
    }

    pub fn new_uuid(&self) -> toolgate_domain::ids::Uuid {
        self.ids.uuid()
    }
}
