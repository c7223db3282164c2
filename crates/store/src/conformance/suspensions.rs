//! Calls that give their process back while they wait.

use bytes::Bytes;
use serde_json::json;
use toolgate_domain::{Clock, Gate, NodeId, Phase, TaskId, TenantId};

use super::Fixture;
use crate::{Kind, Record, RecordWrite, Suspension, Takeover};

const RUNNING: Phase = Phase::Running(Gate::NotRequired);

pub async fn a_call_that_waits_is_nobodys_until_it_is_ready(f: &Fixture) {
    let stores = &f.stores;
    let tool = f.registered("outer").await;
    let outer = f.invocation(&tool, RUNNING);
    stores.ledger.record(f.insert(&outer)).await.unwrap();
    let mut inner = f.invocation(&tool, Phase::Pending);
    inner.parent_id = Some(outer.id);
    stores.ledger.record(f.insert(&inner)).await.unwrap();
    let suspension = Suspension {
        tenant_id: outer.tenant_id,
        invocation_id: outer.id,
        task_id: None,
        state: Some(Bytes::from_static(b"\x00\xff what it knew")),
        created_at: f.clock.now(),
        wake_at: None,
    };
    let suspensions = &stores.suspensions;
    let stranger = NodeId::generate(&f.ids);
    assert!(!suspensions.suspend(&suspension, stranger).await.unwrap(), "only who runs it lets go of it");
    assert!(suspensions.suspend(&suspension, outer.node_id.unwrap()).await.unwrap());
    assert_eq!(suspensions.suspension(outer.tenant_id, outer.id).await.unwrap(), Some(suspension));
    let waiting = stores.invocations.get(outer.tenant_id, outer.id).await.unwrap().unwrap();
    assert_eq!(waiting.node_id, None);
    assert!(stores.invocations.orphans(f.clock.now(), 10).await.unwrap().is_empty(), "it is no orphan");
    assert!(suspensions.ready(f.clock.now(), 10).await.unwrap().is_empty(), "the inner call is open");
    let children = suspensions.children(outer.tenant_id, outer.id, 10).await.unwrap();
    assert_eq!(children, [inner.clone()]);

    stores.ledger.record(f.advance(&inner, Phase::Pending, Phase::Withdrawn)).await.unwrap();
    let ready = suspensions.ready(f.clock.now(), 10).await.unwrap();
    assert_eq!(ready.iter().map(|row| row.id).collect::<Vec<_>>(), [outer.id]);
    assert!(stores.invocations.adopt(&waiting, stranger, Takeover::Run).await.unwrap());
    assert!(
        !stores.invocations.adopt(&waiting, NodeId::generate(&f.ids), Takeover::Run).await.unwrap(),
        "once"
    );
    let adopted = stores.invocations.get(outer.tenant_id, outer.id).await.unwrap().unwrap();
    assert_eq!(adopted.attempt, outer.attempt, "going on is no new attempt");
    assert!(suspensions.ready(f.clock.now(), 10).await.unwrap().is_empty());
    suspensions.forget_suspension(outer.tenant_id, outer.id).await.unwrap();
    assert_eq!(suspensions.suspension(outer.tenant_id, outer.id).await.unwrap(), None);
}

pub async fn a_call_that_waits_for_a_task_is_ready_when_the_task_is_done(f: &Fixture) {
    let stores = &f.stores;
    let tool = f.registered("outer").await;
    let outer = f.invocation(&tool, RUNNING);
    stores.ledger.record(f.insert(&outer)).await.unwrap();
    let (id, now) = (TaskId::generate(&f.ids), f.clock.now());
    let mut task = Record {
        tenant_id: TenantId::DEFAULT,
        kind: Kind::Task,
        id: id.uuid(),
        name: format!("open/{id}"),
        // No text keeps a NUL in PostgreSQL, but JSON does; and nobody's call may stumble over what another's task says.
        body: json!({"status": "open", "input": {"what": "a\u{0}b"}}),
        revision: 1,
        created_at: now,
        updated_at: now,
    };
    let insert = vec![RecordWrite::Insert(task.clone())];
    stores.records.commit(TenantId::DEFAULT, insert, vec![]).await.unwrap();
    let suspension = Suspension {
        tenant_id: outer.tenant_id,
        invocation_id: outer.id,
        task_id: Some(id),
        state: None,
        created_at: now,
        wake_at: None,
    };
    assert!(stores.suspensions.suspend(&suspension, outer.node_id.unwrap()).await.unwrap());
    assert!(stores.suspensions.ready(f.clock.now(), 10).await.unwrap().is_empty());
    (task.name, task.body, task.revision) = (format!("completed/{id}"), json!({"status": "completed"}), 2);
    stores.records.commit(TenantId::DEFAULT, vec![RecordWrite::Update(task)], vec![]).await.unwrap();
    assert_eq!(stores.suspensions.ready(f.clock.now(), 10).await.unwrap().len(), 1);
}

pub async fn a_call_that_waited_long_enough_is_ready_whatever_it_waits_for(f: &Fixture) {
    let stores = &f.stores;
    let tool = f.registered("outer").await;
    let outer = f.invocation(&tool, RUNNING);
    stores.ledger.record(f.insert(&outer)).await.unwrap();
    let mut inner = f.invocation(&tool, Phase::Pending);
    inner.parent_id = Some(outer.id);
    stores.ledger.record(f.insert(&inner)).await.unwrap();
    let now = f.clock.now();
    let suspension = Suspension {
        tenant_id: outer.tenant_id,
        invocation_id: outer.id,
        task_id: None,
        state: None,
        created_at: now,
        wake_at: Some(now.plus_ms(60_000)),
    };
    assert!(stores.suspensions.suspend(&suspension, outer.node_id.unwrap()).await.unwrap());
    let kept = stores.suspensions.suspension(outer.tenant_id, outer.id).await.unwrap();
    assert_eq!(kept, Some(suspension));
    assert!(stores.suspensions.ready(now.plus_ms(59_999), 10).await.unwrap().is_empty());
    assert_eq!(stores.suspensions.ready(now.plus_ms(60_000), 10).await.unwrap().len(), 1);
}

/// Which call made it, and that it was only a try, belong to what a call was.
pub async fn the_parent_of_a_call_cannot_be_rewritten(f: &Fixture) {
    let tool = f.registered("outer").await;
    let row = f.invocation(&tool, Phase::Pending);
    f.stores.ledger.record(f.insert(&row)).await.unwrap();
    let id = f.raw.literal(row.id.uuid());
    for change in [format!("parent_id = {id}"), "is_test = NOT is_test".to_owned()] {
        let sql = format!(
            "UPDATE tool_invocations SET status = 'approved', approval_status = 'approved', {change} WHERE id = {id}"
        );
        assert!(f.raw.execute(&sql).await.unwrap_err().contains("illegal change"), "{change}");
    }
}
