use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    AgentId, Attachment, AttachmentKind, AuditEvent, Clock, ErrorCode, EventType, Gate, NodeId, Outcome,
    Phase, RunId, SessionId, StepId, TenantId, ToolError, ToolId,
};

use super::Fixture;
use crate::{BlobRecord, Change, Entry, EventFilter, LedgerError, StoreError, Takeover};

pub async fn what_was_recorded_reads_back(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut row = f.invocation(&tool, Phase::Running(Gate::NotRequired));
    row.run_id = Some(RunId::generate(&f.ids));
    row.agent_id = Some(AgentId::generate(&f.ids));
    row.session_id = SessionId::generate(&f.ids);
    row.seq = 7;
    row.idempotency_key = Some("once".into());
    row.warnings = vec!["an alias was used".into()];
    f.stores.ledger.record(f.insert(&row)).await.unwrap();
    assert_eq!(f.stored(&row).await.unwrap(), row);

    let outcome = Outcome {
        output: None,
        error: Some(
            ToolError::new(ErrorCode::Timeout, "too slow").with_details(json!({"ms": 5})).retry_after(3),
        ),
        cached: true,
        truncated: true,
        attachments: vec![Attachment {
            kind: AttachmentKind::Blob,
            url: "/api/blobs/x".into(),
            content_type: Some("application/json".into()),
            bytes: Some(9),
        }],
        cost_estimate: Some(0.25),
    };
    let mut end = f.advance(&row, row.phase, Phase::Failed(Gate::NotRequired));
    let Some(Change::Advance(transition)) = &mut end.change else { unreachable!() };
    let transition = Arc::make_mut(transition);
    transition.outcome = Some(outcome.clone());
    transition.node_id = row.node_id;
    let completed_at = transition.completed_at;
    f.stores.ledger.record(end).await.unwrap();

    row.phase = Phase::Failed(Gate::NotRequired);
    // No process runs a call that has ended.
    row.node_id = None;
    row.outcome = outcome;
    row.completed_at = completed_at;
    assert_eq!(f.stored(&row).await.unwrap(), row);
    let by_key = f.stores.invocations.by_idempotency_key(row.tenant_id, "system", "once").await.unwrap();
    assert_eq!(by_key.unwrap(), row);
}

pub async fn a_row_is_born_only_in_a_first_state(f: &Fixture) {
    let tool = f.registered("probe").await;
    for phase in Phase::ALL {
        let row = f.invocation(&tool, *phase);
        let born = f.stores.ledger.record(f.insert(&row)).await.is_ok();
        assert_eq!(born, phase.is_first(), "{phase:?}");
        assert_eq!(f.stored(&row).await.is_some(), phase.is_first(), "{phase:?}");
    }
}

pub async fn only_legal_changes_pass_even_around_the_traits(f: &Fixture) {
    let tool = f.registered("probe").await;
    let legal = Phase::transitions();
    for from in Phase::ALL {
        for to in Phase::ALL {
            let row = f.in_phase(&tool, *from).await;
            let sql = format!(
                "UPDATE tool_invocations SET status = '{}', approval_status = '{}' WHERE id = {}",
                to.status().as_str(),
                to.approval_status().as_str(),
                f.id_of(&row)
            );
            let passed = f.raw.execute(&sql).await.is_ok();
            // A running call may change hands; that is not a change of state.
            let takeover = from == to && matches!(from, Phase::Running(_));
            assert_eq!(passed, legal.contains(&(*from, *to)) || takeover, "{from:?} to {to:?}");
        }
    }
}

pub async fn what_a_call_was_cannot_be_rewritten(f: &Fixture) {
    let tool = f.registered("probe").await;
    let other = f.registered("other").await;
    let row = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    let other_id = f.raw.literal(other.id.uuid());
    for assignment in [
        "input = '{\"expression\":\"forged\"}'".to_owned(),
        "tool_name = 'forged'".to_owned(),
        "caller = 'forged'".to_owned(),
        "call_id = 'forged'".to_owned(),
        "decision = '{}'".to_owned(),
        "egress_class = 'write'".to_owned(),
        "approval_expires_at = created_at".to_owned(),
        "tool_version = '9.9.9'".to_owned(),
        "seq = seq + 1".to_owned(),
        "surface = 'forged'".to_owned(),
        "idempotency_key = 'forged'".to_owned(),
        "is_test = NOT is_test".to_owned(),
        format!("run_id = {other_id}"),
        format!("agent_id = {other_id}"),
        format!("parent_id = {other_id}"),
        format!("tool_id = {other_id}"),
        format!("tenant_id = {other_id}"),
        format!("session_id = {other_id}"),
    ] {
        let sql = format!("UPDATE tool_invocations SET {assignment} WHERE id = {}", f.id_of(&row));
        assert!(f.raw.execute(&sql).await.is_err(), "{assignment}");
    }
    let done = f.in_phase(&tool, Phase::Completed(Gate::NotRequired)).await;
    let sql = format!(
        "UPDATE tool_invocations SET output = '{{\"result\":\"forged\"}}' WHERE id = {}",
        f.id_of(&done)
    );
    assert!(f.raw.execute(&sql).await.is_err(), "a receipt is immutable");
    assert_eq!(f.stored(&done).await.unwrap(), done);
}

pub async fn the_ledger_only_grows(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
    let mut entry = f.insert(&row);
    entry.events = vec![f.event(&row, EventType::Started), f.event(&row, EventType::Completed)];
    f.stores.ledger.record(entry).await.unwrap();
    for sql in [
        "DELETE FROM tool_invocations",
        "DELETE FROM session_events",
        "UPDATE session_events SET type = 'tool.failed'",
        "DELETE FROM schema_versions",
        "UPDATE schema_versions SET input_hash = 'forged'",
    ] {
        assert!(f.raw.execute(sql).await.is_err(), "{sql}");
    }
    let all = EventFilter { limit: 10, ..EventFilter::default() };
    assert_eq!(f.stores.events.list(row.tenant_id, &all).await.unwrap().len(), 2);
}

pub async fn a_late_change_conflicts_and_leaves_nothing(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    let running = Phase::Running(Gate::NotRequired);
    f.stores.ledger.record(f.advance(&row, running, Phase::Completed(Gate::NotRequired))).await.unwrap();
    let mut late = f.advance(&row, running, Phase::Failed(Gate::NotRequired));
    late.events = vec![f.event(&row, EventType::Failed)];
    assert!(matches!(f.stores.ledger.record(late).await, Err(LedgerError::Conflict)));
    assert_eq!(f.stored(&row).await.unwrap().phase, Phase::Completed(Gate::NotRequired));
    assert_eq!(f.raw.query_text("SELECT count(*) FROM session_events").await.unwrap().unwrap(), "0");
}

pub async fn only_the_process_that_runs_a_call_ends_it(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    let end = |node: Option<NodeId>| {
        let mut entry = f.advance(&row, row.phase, Phase::Completed(Gate::NotRequired));
        let Some(Change::Advance(transition)) = &mut entry.change else { unreachable!() };
        Arc::make_mut(transition).node_id = node;
        entry
    };
    let stranger = NodeId::generate(&f.ids);
    assert!(matches!(f.stores.ledger.record(end(Some(stranger))).await, Err(LedgerError::Conflict)));
    f.stores.ledger.record(end(row.node_id)).await.unwrap();
}

pub async fn an_idempotency_key_names_one_call(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut first = f.invocation(&tool, Phase::Running(Gate::NotRequired));
    first.idempotency_key = Some("k".into());
    f.stores.ledger.record(f.insert(&first)).await.unwrap();
    let mut second = f.invocation(&tool, Phase::Running(Gate::NotRequired));
    second.idempotency_key = Some("k".into());
    assert!(matches!(f.stores.ledger.record(f.insert(&second)).await, Err(LedgerError::Conflict)));
    second.caller = "key_of_someone_else".into();
    f.stores.ledger.record(f.insert(&second)).await.expect("keys are the caller's own");
}

pub async fn a_refused_neighbour_harms_nobody_in_the_group(f: &Fixture) {
    let tool = f.registered("probe").await;
    let taken = f.in_phase(&tool, Phase::Completed(Gate::NotRequired)).await;
    let rows: Vec<_> = (0..300)
        .map(|n| {
            let mut row = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
            match n % 10 {
                3 => row.id = taken.id,
                6 => row.phase = Phase::Rejected,
                _ => {}
            }
            row
        })
        .collect();
    let mut recording = tokio::task::JoinSet::new();
    for (n, row) in rows.iter().enumerate() {
        let (ledger, mut entry) = (Arc::clone(&f.stores.ledger), f.insert(row));
        entry.events = vec![f.event(row, EventType::Completed)];
        recording.spawn(async move { (n, ledger.record(entry).await.is_ok()) });
    }
    while let Some(result) = recording.join_next().await {
        let (n, recorded) = result.unwrap();
        assert_eq!(recorded, !matches!(n % 10, 3 | 6), "row {n}");
        assert_eq!(f.stored(&rows[n]).await.is_some(), n % 10 != 6, "row {n}");
    }
    assert_eq!(f.raw.query_text("SELECT count(*) FROM session_events").await.unwrap().unwrap(), "240");
}

pub async fn an_entry_that_speaks_of_several_tenants_is_refused(f: &Fixture) {
    let tool = f.registered("probe").await;
    let other = TenantId::generate(&f.ids);
    let row = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
    let of_another = Entry { tenant_id: other, ..f.insert(&row) };
    let mut told_to_another = f.insert(&row);
    told_to_another.audit = vec![AuditEvent { tenant_id: other, ..f.audit("probe") }];
    let mut kept_for_another = f.insert(&row);
    kept_for_another.blobs = vec![BlobRecord { tenant_id: other, ..f.blob(&row) }];
    for entry in [of_another, told_to_another, kept_for_another] {
        let refused = f.stores.ledger.record(entry).await;
        assert!(matches!(refused, Err(LedgerError::Store(StoreError::Refused(_)))), "{refused:?}");
    }
    assert_eq!(f.stored(&row).await, None);
}

pub async fn the_ledger_wakes_those_who_follow_it(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut ledger = f.stores.signals.ledger();
    ledger.mark_unchanged();
    f.in_phase(&tool, Phase::Completed(Gate::NotRequired)).await;
    let woken = tokio::time::timeout(std::time::Duration::from_secs(30), ledger.changed()).await;
    woken.expect("a wake-up").expect("the store lives");
}

pub async fn orphans_are_found_and_adopted_once(f: &Fixture) {
    let tool = f.registered("probe").await;
    let orphan = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    let kept = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    f.in_phase(&tool, Phase::Completed(Gate::NotRequired)).await;
    let now = f.clock.now();
    f.stores.nodes.renew(kept.node_id.unwrap(), now, 60_000).await.unwrap();
    assert_eq!(f.stores.invocations.orphans(now, 10).await.unwrap(), vec![orphan.clone()]);

    let (one, two) = (NodeId::generate(&f.ids), NodeId::generate(&f.ids));
    let (first, second) = tokio::join!(
        f.stores.invocations.adopt(&orphan, one, Takeover::Run),
        f.stores.invocations.adopt(&orphan, two, Takeover::Run)
    );
    assert_eq!(u8::from(first.unwrap()) + u8::from(second.unwrap()), 1, "exactly one adopts");
    assert_eq!(f.stored(&orphan).await.unwrap().attempt, 2);

    f.stores.nodes.retire(kept.node_id.unwrap()).await.unwrap();
    assert_eq!(f.stores.invocations.orphans(now, 10).await.unwrap().len(), 2);
    assert_eq!(f.stores.invocations.orphans(now, 1).await.unwrap().len(), 1);
}

pub async fn approved_calls_and_expired_questions_are_found(f: &Fixture) {
    let tool = f.registered("probe").await;
    let now = f.clock.now();
    let mut asked = Vec::new();
    for expires_at in [now.plus_ms(-1), now.plus_ms(60_000)] {
        let mut row = f.invocation(&tool, Phase::Pending);
        row.approval_expires_at = Some(expires_at);
        f.stores.ledger.record(f.insert(&row)).await.unwrap();
        assert_eq!(f.stored(&row).await.unwrap(), row);
        asked.push(row.id);
    }
    let approved = f.in_phase(&tool, Phase::Approved).await;
    f.in_phase(&tool, Phase::Rejected).await;
    let mut found: Vec<_> =
        f.stores.invocations.decided(now, 10).await.unwrap().into_iter().map(|row| row.id).collect();
    found.sort();
    let mut expected = vec![asked[0], approved.id];
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(f.stores.invocations.decided(now, 1).await.unwrap().len(), 1);
}

pub async fn the_ledger_names_tools_that_exist_and_stay(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut stranger = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
    stranger.tool_id = Some(ToolId::from_uuid(f.new_uuid()));
    assert!(f.stores.ledger.record(f.insert(&stranger)).await.is_err());
    assert_eq!(f.stored(&stranger).await, None);
    let mut stepless = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
    stepless.agent_run_step_id = Some(StepId::from_uuid(f.new_uuid()));
    assert!(f.stores.ledger.record(f.insert(&stepless)).await.is_err());
    assert_eq!(f.stored(&stepless).await, None);
    let row = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
    f.stores.ledger.record(f.insert(&row)).await.unwrap();
    f.raw.execute("DELETE FROM schema_versions").await.unwrap_err();
    f.raw.execute("DELETE FROM tools_registry").await.unwrap_err();
    let other_id = f.raw.literal(f.new_uuid());
    f.raw.execute(&format!("UPDATE tools_registry SET id = {other_id}")).await.unwrap_err();
    assert!(f.stores.tools.all(row.tenant_id).await.unwrap().iter().any(|kept| kept.id == tool.id));
}
