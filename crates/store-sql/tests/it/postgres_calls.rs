//! Calls that a client in the database makes, decides and ends, through psql.

use crate::database::Database;
use crate::psql::{Client, person, registered};
use serde_json::json;
use toolgate_domain::{
    AuditId, Clock, EventType, Gate, InvocationId, Phase, Surface, TenantId,
    audit::{Item, ItemKind, Receipt, read_items},
    ids::Uuid,
};
use toolgate_store::{EventFilter, conformance::Fixture};

const ME: TenantId = TenantId::DEFAULT;

async fn fixture() -> Fixture {
    Database::create().await.fixture().await
}

async fn kinds(f: &Fixture) -> Vec<EventType> {
    let filter = EventFilter { limit: 50, ..EventFilter::default() };
    f.stores.events.list(ME, &filter).await.unwrap().iter().map(|event| event.kind).collect()
}

/// What the server's heartbeat does.
async fn seal(f: &Fixture) -> usize {
    let mut items: Vec<Item> = Vec::new();
    for owed in f.stores.audit.unsealed(100).await.unwrap() {
        assert_eq!(owed.tenant_id, ME);
        items.push(match owed.kind {
            ItemKind::Receipt => {
                let row = f.stores.invocations.get(ME, InvocationId::from_uuid(owed.id)).await.unwrap();
                Receipt::of(&row.unwrap()).item()
            }
            ItemKind::Event => {
                f.stores.audit.events_by_id(ME, &[AuditId::from_uuid(owed.id)]).await.unwrap()[0].item()
            }
        });
    }
    let (first, second) = tokio::join!(f.stores.audit.seal(ME, &items), f.stores.audit.seal(ME, &items));
    let sealed = first.unwrap() + second.unwrap();
    assert_eq!(sealed, items.len(), "each once, though two processes tried");
    sealed
}

async fn chained(f: &Fixture, kind: ItemKind) -> Vec<Uuid> {
    let links = f.stores.audit.links(ME, 0, 1_000).await.unwrap();
    let items = links.iter().flat_map(|link| read_items(&link.items).unwrap());
    items.filter(|item| item.kind == kind).map(|item| item.id).collect()
}

#[tokio::test]
async fn a_call_that_nobody_must_agree_to_runs_and_ends() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({})).await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let (first, second) = (me.invoke(&tool, None).await.unwrap(), me.invoke(&tool, None).await.unwrap());
    assert!(first < second, "newer calls have greater ids");
    let row = f.stores.invocations.get(ME, InvocationId::from_uuid(first)).await.unwrap().unwrap();
    assert_eq!((row.phase, row.surface), (Phase::Running(Gate::NotRequired), Surface::Sql));
    assert_eq!((row.caller.as_str(), row.tool_id, row.node_id), (me.who.as_str(), Some(tool.id), None));
    assert_eq!((row.input, row.call_id.starts_with("sql:")), (json!({"a": 1}), true));
    assert!(f.stores.invocations.orphans(f.clock.now(), 10).await.unwrap().is_empty(), "its client runs it");

    let end = |id: Uuid, rest: &str| format!("SELECT fn_complete_tool_invocation('{id}', {rest})");
    me.run(&end(first, "'completed', '{\"b\": [2.5]}', NULL, 0.25")).await.unwrap();
    me.run(&end(second, "'failed', p_error => 'it broke'")).await.unwrap();
    let row = f.stores.invocations.get(ME, InvocationId::from_uuid(first)).await.unwrap().unwrap();
    assert_eq!((row.outcome.output, row.outcome.cost_estimate), (Some(json!({"b": [2.5]})), Some(0.25)));
    let failed = f.stores.invocations.get(ME, InvocationId::from_uuid(second)).await.unwrap().unwrap();
    assert_eq!(failed.outcome.error.unwrap().message, "it broke");
    use EventType::{Completed, Failed, Started};
    assert_eq!(kinds(&f).await, [Started, Started, Completed, Failed]);

    me.refused(&end(first, "'failed', p_error => 'no'"), "illegal change").await;
    me.refused(&end(Uuid::max(), "'completed'"), "no such invocation").await;
    for bad in [
        "'running'",
        "NULL",
        "'failed'",
        "'completed', p_error => 'x'",
        "'completed', p_cost => -1",
        "'completed', '1e400'",
    ] {
        me.refused(&end(second, bad), if bad.contains('1') { "beyond" } else { "a call ends as" }).await;
    }
}

#[tokio::test]
async fn a_call_ends_by_its_own_client_and_not_by_another() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({})).await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let other = Client::new(&f, person(&f, &["admin"]).await);
    let id = me.invoke(&tool, None).await.unwrap();
    let end = |id: Uuid| format!("SELECT fn_complete_tool_invocation('{id}', 'completed')");
    other.refused(&end(id), "no such invocation of yours").await;
    let of_server = f.in_phase(&tool, Phase::Running(Gate::NotRequired)).await;
    me.refused(&end(of_server.id.uuid()), "no such invocation of yours").await;
    me.run(&end(id)).await.unwrap();
}

#[tokio::test]
async fn a_person_says_yes_and_the_client_runs_it() {
    let f = fixture().await;
    let tool = registered(&f, "pusher", json!({"egress_class": "write"})).await;
    let me = Client::new(&f, person(&f, &["operator"]).await);
    let boss = Client::new(&f, person(&f, &["approver"]).await);
    let id = me.invoke(&tool, None).await.unwrap();
    assert_eq!(me.status(id).await, "pending/pending");
    let approve = format!("SELECT fn_approve_tool_invocation('{id}')");
    let complete = format!("SELECT fn_complete_tool_invocation('{id}', 'completed', '{{}}')");
    me.refused(&complete, "illegal change").await;
    me.refused(&approve, "nobody approves a call of their own").await;
    Client::new(&f, person(&f, &["member"]).await).refused(&approve, "approvals:decide").await;
    Client::new(&f, format!("agt_{}", f.new_uuid())).refused(&approve, "an agent cannot decide").await;
    boss.run(&approve).await.unwrap();
    assert_eq!(me.status(id).await, "running/approved");
    boss.refused(&approve, "a call is decided once").await;
    assert!(f.stores.invocations.decided(f.clock.now(), 10).await.unwrap().is_empty());
    me.run(&complete).await.unwrap();
    let row = f.stores.invocations.get(ME, InvocationId::from_uuid(id)).await.unwrap().unwrap();
    assert_eq!(row.approval_decided_by.as_deref(), Some(boss.who.as_str()));
    use EventType::{Approved, Completed, NeedsApproval, Started};
    assert_eq!(kinds(&f).await, [NeedsApproval, Approved, Started, Completed]);
}

#[tokio::test]
async fn a_call_of_the_servers_is_approved_here_and_begun_there() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({})).await;
    let row = f.in_phase(&tool, Phase::Pending).await;
    let boss = Client::new(&f, person(&f, &["approver"]).await);
    boss.run(&format!("SELECT fn_approve_tool_invocation({})", f.id_of(&row))).await.unwrap();
    assert_eq!(f.stored(&row).await.unwrap().phase, Phase::Approved);
    assert_eq!(f.stores.invocations.decided(f.clock.now(), 10).await.unwrap()[0].id, row.id);
}

#[tokio::test]
async fn a_no_needs_a_reason_and_an_old_question_has_been_answered() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({"requires_approval": true})).await;
    let boss = Client::new(&f, person(&f, &["approver"]).await);
    let me = Client::new(&f, person(&f, &["member"]).await);
    let id = me.invoke(&tool, None).await.unwrap();
    for reason in ["NULL", "'  '", "repeat('x', 2001)"] {
        boss.refused(&format!("SELECT fn_reject_tool_invocation('{id}', {reason})"), "needs a reason").await;
    }
    boss.run(&format!("SELECT fn_reject_tool_invocation('{id}', 'unsafe target')")).await.unwrap();
    let row = f.stores.invocations.get(ME, InvocationId::from_uuid(id)).await.unwrap().unwrap();
    assert_eq!((row.phase, row.approval_reason.as_deref()), (Phase::Rejected, Some("unsafe target")));
    assert_eq!(row.outcome.error.unwrap().message, "the call was rejected: unsafe target");

    let mut late = f.invocation(&tool, Phase::Pending);
    late.approval_expires_at = Some(late.created_at);
    f.stores.ledger.record(f.insert(&late)).await.unwrap();
    for word in ["approve_tool_invocation(", "reject_tool_invocation('no', "] {
        let (name, rest) = word.split_once('(').unwrap();
        let rest = if rest.is_empty() { String::new() } else { ", 'no'".to_owned() };
        boss.refused(&format!("SELECT fn_{name}({}{rest})", f.id_of(&late)), "the question expired").await;
    }
}

#[tokio::test]
async fn what_was_done_here_is_owed_to_the_chain_until_the_server_seals_it() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({"requires_approval": true})).await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let boss = Client::new(&f, person(&f, &["approver"]).await);
    let before = f.stores.audit.counts(ME).await.unwrap();
    let (yes, no) = (me.invoke(&tool, None).await.unwrap(), me.invoke(&tool, None).await.unwrap());
    boss.run(&format!("SELECT fn_approve_tool_invocation('{yes}')")).await.unwrap();
    boss.run(&format!("SELECT fn_reject_tool_invocation('{no}', 'no \"way\" é')")).await.unwrap();
    me.run(&format!("SELECT fn_complete_tool_invocation('{yes}', 'completed', '{{\"n\": 1.50}}')"))
        .await
        .unwrap();
    assert_eq!(f.stores.audit.counts(ME).await.unwrap(), before, "the chain need not hold them yet");
    assert_eq!(seal(&f).await, 4, "two receipts, two decisions");
    let after = f.stores.audit.counts(ME).await.unwrap();
    assert_eq!((after.receipts, after.events), (before.receipts + 2, before.events + 2));
    let receipts = chained(&f, ItemKind::Receipt).await;
    assert!(receipts.contains(&yes) && receipts.contains(&no) && receipts.len() == 2);
    assert_eq!(chained(&f, ItemKind::Event).await.len() as u64, after.events);
    assert!(f.stores.audit.unsealed(10).await.unwrap().is_empty());
}
