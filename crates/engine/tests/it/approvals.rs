//! What a person's word does to a call that waits, and what it cannot do.

use std::{sync::Arc, time::Duration};

use crate::common::{House, caller, start};
use futures::future::join_all;
use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, Caller, ErrorCode, Invocation, KeyId, Limits, Scope, Status, Surface, TenantId, UserId,
    caller::Principal, ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{Answer, Approval, Call, DecideError, Engine, Ruling};
use toolgate_store::AuditFilter;
use toolgate_test_databases::stores_in;

pub fn approve() -> Ruling {
    Ruling::Approve(Approval::default())
}

/// A person who may decide.
pub fn approver() -> Caller {
    Caller { principal: Principal::User(UserId::generate(&OrderedIds::new(SystemClock))), ..caller() }
}

pub async fn parked(house: &House, does: &str) -> Invocation {
    parked_with(house, does, json!({"egress_class": "write"})).await
}

pub async fn parked_with(house: &House, does: &str, definition: Value) -> Invocation {
    house.tool("push", does, definition).await;
    let Answer::Parked(row) = house.call("push", json!({"a": 1})).await else { panic!("it must ask") };
    *row
}

pub async fn ended(engine: &Engine, row: &Invocation) -> Invocation {
    let mut ledger = engine.stores().signals.ledger();
    loop {
        ledger.mark_unchanged();
        let now = engine.stores().invocations.get(row.tenant_id, row.id).await.unwrap().unwrap();
        if now.phase.is_terminal() {
            return now;
        }
        ledger.changed().await.unwrap();
    }
}

#[tokio::test]
async fn an_approved_call_runs_once_with_what_was_asked() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    assert_eq!(house.runs(), 0, "nothing runs before the decision");
    let by = approver();
    let digest = row.approval_digest();
    let approved = house.engine.decide(&by, row.id, Some(&digest), approve()).await.unwrap();
    assert_eq!(approved.approval_decided_by, Some(by.principal.to_string()));
    let done = ended(&house.engine, &row).await;
    assert_eq!(done.status(), Status::Completed);
    assert_eq!(done.outcome.output, Some(json!({"got": {"a": 1}})));
    assert_eq!(house.runs(), 1);
    let log = ["tool.needs_approval", "tool.approved", "tool.started", "tool.completed"];
    assert_eq!(house.events(row.session_id).await, log);
}

#[tokio::test]
async fn a_rejected_call_never_runs_and_its_receipt_says_why() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    let by = approver();
    let empty = house.engine.decide(&by, row.id, None, Ruling::Reject { reason: "  ".into() }).await;
    assert!(matches!(empty, Err(DecideError::Reason)), "{empty:?}");
    let ruling = Ruling::Reject { reason: "unsafe egress target".into() };
    let rejected = house.engine.decide(&by, row.id, None, ruling).await.unwrap();
    assert_eq!(rejected.status(), Status::Rejected);
    assert_eq!(rejected.approval_reason.as_deref(), Some("unsafe egress target"));
    let receipt = rejected.envelope().unwrap().error.unwrap();
    assert_eq!(receipt.code, ErrorCode::PolicyDenied);
    assert!(receipt.message.contains("unsafe egress target"), "{}", receipt.message);
    let late = house.engine.decide(&by, row.id, None, approve()).await;
    assert!(matches!(late, Err(DecideError::Decided(Status::Rejected))), "{late:?}");
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn of_many_who_decide_at_once_one_wins_and_the_others_are_told() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    let decisions = (0..16).map(|n| {
        let ruling = if n % 2 == 0 { approve() } else { Ruling::Reject { reason: "no".into() } };
        let engine = Arc::clone(&house.engine);
        tokio::spawn(async move { engine.decide(&approver(), row.id, None, ruling).await })
    });
    let answers: Vec<_> = join_all(decisions).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert!(answers.iter().all(|answer| matches!(answer, Ok(_) | Err(DecideError::Decided(_)))));
    let end = ended(&house.engine, &row).await;
    assert_eq!(house.runs(), usize::from(end.status() == Status::Completed));
}

#[tokio::test]
async fn nobody_approves_a_call_of_their_own_and_no_agent_approves_any() {
    let house = House::new().await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let person = approver();
    let call = Call::new(person.clone(), Surface::Rest, "push", json!({"a": 1}));
    let Answer::Parked(row) = house.engine.invoke(call).await.unwrap() else { panic!("it must ask") };
    let own = house.engine.decide(&person, row.id, None, approve()).await;
    assert!(matches!(own, Err(DecideError::ConfirmSelf)), "{own:?}");
    let nobody =
        Caller { principal: Principal::Key(KeyId::generate(&OrderedIds::new(SystemClock))), ..caller() };
    for unnamed in [nobody, caller()] {
        let by_nobody = house.engine.decide(&unnamed, row.id, None, approve()).await;
        assert!(matches!(by_nobody, Err(DecideError::NoPerson)), "{by_nobody:?}");
    }
    let id = AgentId::generate(&OrderedIds::new(SystemClock));
    let agent = Caller::with_scopes(TenantId::DEFAULT, "default", Principal::Agent(id), &[Scope::Admin]);
    for ruling in [approve(), Ruling::Reject { reason: "no".into() }] {
        let by_agent = house.engine.decide(&agent, row.id, None, ruling).await;
        assert!(matches!(by_agent, Err(DecideError::ByAgent)), "{by_agent:?}");
    }
    assert_eq!(house.row(row.id).await.status(), Status::Pending);
}

#[tokio::test]
async fn a_decision_about_something_else_does_not_count() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    let Answer::Parked(other) = house.call("push", json!({"a": 2})).await else { panic!("it must ask") };
    assert_ne!(row.approval_digest(), other.approval_digest());
    let digest = other.approval_digest();
    let wrong = house.engine.decide(&approver(), row.id, Some(&digest), approve()).await;
    assert!(matches!(wrong, Err(DecideError::Changed)), "{wrong:?}");
    let stranger = Caller { tenant_id: TenantId::from_uuid(row.id.uuid()), ..approver() };
    let unseen = house.engine.decide(&stranger, row.id, None, approve()).await;
    assert!(matches!(unseen, Err(DecideError::NotFound)), "{unseen:?}");
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn a_question_that_expired_counts_as_rejected() {
    let house = House::with(Limits { approval_ttl_s: 0, ..Limits::default() }).await;
    let row = parked(&house, "echo").await;
    let late = house.engine.decide(&approver(), row.id, None, approve()).await;
    assert!(matches!(late, Err(DecideError::Expired)), "{late:?}");
    let end = house.row(row.id).await;
    assert_eq!(end.status(), Status::Rejected);
    assert_eq!(end.approval_decided_by.as_deref(), Some("system"));
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn the_clock_ends_questions_that_nobody_looks_at() {
    let limits = Limits { approval_ttl_s: 0, node_lease_ms: 150, ..Limits::default() };
    let house = House::with(limits).await;
    let row = parked(&house, "echo").await;
    let end = tokio::time::timeout(Duration::from_secs(20), ended(&house.engine, &row)).await.unwrap();
    assert_eq!(end.status(), Status::Rejected);
}

#[tokio::test]
async fn what_was_approved_before_a_crash_runs_after_it_once() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    // The decision is on record, and the process dies before it can begin the call.
    let approved = toolgate_store::Transition {
        id: row.id,
        from: row.phase,
        to: toolgate_domain::Phase::Approved,
        node_id: None,
        started_at: None,
        completed_at: None,
        outcome: None,
        decided_by: Some("key_x".into()),
        reason: None,
        approved_input: None,
    };
    let entry = toolgate_store::Entry {
        change: Some(toolgate_store::Change::Advance(Arc::new(approved))),
        ..toolgate_store::Entry::of(row.tenant_id)
    };
    house.stores.ledger.record(entry).await.unwrap();
    let House { engine, stores, probe, directory } = house;
    engine.stop().await;
    drop((engine, stores, probe));

    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;
    let done = ended(&engine, &row).await;
    assert_eq!(done.status(), Status::Completed);
    assert_eq!(probe.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(done.approval_decided_by.as_deref(), Some("key_x"));
}

#[tokio::test]
async fn a_tool_that_was_blocked_meanwhile_does_not_run() {
    let house = House::new().await;
    let row = parked(&house, "echo").await;
    house
        .engine
        .registry()
        .set_lifecycle(&caller(), "push", toolgate_domain::Lifecycle::Blocked)
        .await
        .unwrap();
    house.engine.decide(&approver(), row.id, None, approve()).await.unwrap();
    let end = ended(&house.engine, &row).await;
    assert_eq!(end.status(), Status::Failed);
    assert_eq!(end.outcome.error.unwrap().code, ErrorCode::PolicyDenied);
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn the_service_role_alone_bypasses_approval_and_each_time_it_is_audited() {
    let house = House::new().await;
    house.tool("push", "echo", json!({"egress_class": "write"})).await;
    let bypassing = |service_role| Call {
        bypass_approval: true,
        ..Call::new(Caller { service_role, ..caller() }, Surface::Rest, "push", json!({}))
    };
    let Answer::Done(denied) = house.engine.invoke(bypassing(false)).await.unwrap() else {
        panic!("not done")
    };
    assert_eq!(denied.error.unwrap().code, ErrorCode::PolicyDenied);
    assert_eq!(house.runs(), 0);
    let Answer::Done(done) = house.engine.invoke(bypassing(true)).await.unwrap() else { panic!("not done") };
    assert!(done.error.is_none());
    let row = house.row(done.invocation_id).await;
    assert!(row.decision.evidence.iter().any(|evidence| evidence.rule == "bypass_approval"));
    let filter = AuditFilter { action: Some("approval.bypass".into()), limit: 10, ..AuditFilter::default() };
    let events = house.stores.audit.events(TenantId::DEFAULT, &filter).await.unwrap();
    assert_eq!(events.iter().map(|event| event.target.clone()).collect::<Vec<_>>(), vec![row.id.to_string()]);
}
