//! Workflows that an agent runs: who starts them, what is told of them, and how they end.

use serde_json::{Value, json};
use toolgate_domain::{Caller, ErrorCode, Invocation, InvocationId, RunId, Scope, Status};
use toolgate_engine::{Approval, DecideError, Ruling};

use crate::runtimes::common::{House, caller, composition};

/// Stdio, or a program in the background.
fn service() -> Caller {
    Caller { service_role: true, ..caller() }
}

/// An agent, a workflow that it was given, and a step that asks.
async fn furnished() -> House {
    let house = House::new().await;
    house.say("announce", json!({"requires_approval": true})).await;
    let sums = json!([{"id": "sum", "tool": "calculate", "input": {"expression": "$input.expression"}}]);
    house.register(composition("sums", sums)).await;
    house
        .register(composition("asks", json!([{"id": "a", "tool": "announce", "input": {"text": "x"}}])))
        .await;
    house.free_agent("scout", &["sums", "asks", "calculate", "announce"]).await;
    house
}

impl House {
    async fn started(&self, workflow: &str, policy: &str) -> (Value, Invocation) {
        let input = json!({"agent_id": "scout", "workflow_id": workflow, "inputs": {"expression": "6*7"}, "policy": policy});
        let started = self.output(&service(), "start_agent_team_run", input).await;
        let run: RunId = started["team_run_id"].as_str().unwrap().parse().unwrap();
        (started, self.row(InvocationId::from_uuid(run.uuid())).await)
    }

    async fn told(&self, input: Value) -> Vec<String> {
        let mut input = input;
        input["agent_id"] = json!("scout");
        let told = self.output(&caller(), "list_agent_run_events", input).await;
        let kinds = told["items"].as_array().unwrap().iter();
        kinds.rev().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn a_run_is_started_by_the_service_role_and_told_step_by_step() {
    let house = furnished().await;
    let (started, row) = house.started("sums", "auto").await;
    assert_eq!(started["policy"], "auto");
    let ended = house.ended(&row).await;
    assert_eq!(
        (ended.status(), ended.agent_id.map(|id| json!(id))),
        (Status::Completed, Some(started["agent_id"].clone()))
    );
    let only = json!({"team_run_id": started["team_run_id"]});
    let story = house.told(only).await;
    assert_eq!(story, ["run.started", "tool.started", "tool.completed", "run.finished"]);
    assert_eq!(
        house.told(json!({"run_id": started["team_run_id"], "event_type": "run.finished"})).await.len(),
        1
    );
    let (second, row) = house.started("sums", "auto").await;
    house.ended(&row).await;
    let all = json!({"agent_id": "scout", "limit": 3});
    let all = house.output(&caller(), "list_agent_run_events", all).await;
    assert_eq!((&all["total"], all["items"].as_array().unwrap().len()), (&json!(8), 3));
    assert_eq!(all["items"][0]["run_id"], second["team_run_id"], "the newest first");
    let long = json!({"agent_id": "scout", "event_type": "x".repeat(65)});
    assert_eq!(house.refused(&caller(), "list_agent_run_events", long).await.0, ErrorCode::ValidationError);
}

#[tokio::test]
async fn a_run_that_is_started_by_hand_waits_for_somebody_else() {
    let house = furnished().await;
    let (started, row) = house.started("sums", "manual").await;
    assert_eq!((&started["status"], row.status()), (&json!("pending"), Status::Pending));
    let yes = || Ruling::Approve(Approval::default());
    let own = house.engine.decide(&service(), row.id, None, yes()).await;
    assert!(matches!(own, Err(DecideError::NoPerson)), "whoever started it does not agree to it: {own:?}");
    let decider = house.holder(&[Scope::ToolsExecute, Scope::ApprovalsDecide]).await;
    let decision = json!({"invocation_id": row.id, "decision": "approve"});
    house.output(&decider, "decide_approval", decision).await;
    assert_eq!(house.ended(&row).await.status(), Status::Completed);
}

#[tokio::test]
async fn a_run_outlives_the_call_that_started_it_and_is_cancelled() {
    let house = furnished().await;
    let (started, row) = house.started("asks", "auto").await;
    let mut ledger = house.engine.stores().signals.ledger();
    let asked = loop {
        ledger.mark_unchanged();
        let now = house.row(row.id).await;
        assert!(!now.phase.is_terminal(), "it waits: {now:?}");
        if let Some(asked) = house.asked(row.id).await.pop() {
            break asked;
        }
        ledger.changed().await.unwrap();
    };
    let input = json!({"team_run_id": started["team_run_id"], "agent_id": "scout"});
    let over = house.output(&caller(), "cancel_agent_run", input.clone()).await;
    assert_eq!((&over["cancelled"], &over["team_run_id"]), (&json!(true), &started["team_run_id"]));
    assert_eq!(house.ended(&row).await.status(), Status::Cancelled);
    assert_eq!(house.ended(&asked).await.status(), Status::Cancelled, "what it asked is taken back");
    assert_eq!(
        house.output(&caller(), "cancel_agent_run", input).await["cancelled"],
        true,
        "again is nothing"
    );

    let (done, row) = house.started("sums", "auto").await;
    house.ended(&row).await;
    let late = json!({"team_run_id": done["team_run_id"], "agent_id": "scout"});
    assert_eq!(house.output(&caller(), "cancel_agent_run", late).await["status"], "completed");
}

#[tokio::test]
async fn every_refusal_of_a_run_has_its_code() {
    let house = furnished().await;
    let input =
        |workflow: &str| json!({"agent_id": "scout", "workflow_id": workflow, "inputs": {"expression": "1"}});
    let start = "start_agent_team_run";
    let permission = (ErrorCode::PolicyDenied, json!("PERMISSION_DENIED"));
    assert_eq!(
        house.refused(&caller(), start, input("sums")).await,
        permission,
        "an administrator is no service"
    );
    for missing in ["no_such", "calculate", "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"] {
        let refused = house.refused(&service(), start, input(missing)).await;
        assert_eq!(refused, (ErrorCode::ValidationError, json!("NOT_FOUND")), "{missing}");
    }
    let forbidden = (ErrorCode::PolicyDenied, json!("FORBIDDEN"));
    house
        .register(composition(
            "unassigned",
            json!([{"id": "a", "tool": "calculate", "input": {"expression": "1"}}]),
        ))
        .await;
    assert_eq!(house.refused(&service(), start, input("unassigned")).await, forbidden);
    let narrow = Caller { service_role: true, ..house.holder(&[Scope::ToolsExecute]).await };
    assert_eq!(house.refused(&narrow, start, input("sums")).await, forbidden, "it is not their agent");

    let mut rare =
        composition("rare", json!([{"id": "a", "tool": "calculate", "input": {"expression": "1"}}]));
    rare["rate_limit"] = json!({"limit": 1, "window_s": 3600});
    house.register(rare).await;
    house.free_agent("runner", &["rare", "calculate"]).await;
    let rare = json!({"agent_id": "runner", "workflow_id": "rare"});
    house.output(&service(), start, rare.clone()).await;
    let refused = house.refused(&service(), start, rare).await;
    assert_eq!(refused, (ErrorCode::RateLimit, json!("THROTTLED")));

    let (started, row) = house.started("sums", "auto").await;
    house.ended(&row).await;
    let other = json!({"team_run_id": started["team_run_id"], "agent_id": "runner"});
    assert_eq!(
        house.refused(&caller(), "cancel_agent_run", other).await,
        (ErrorCode::ValidationError, json!("NOT_FOUND"))
    );
    let bare = house.holder(&[Scope::ToolsExecute, Scope::AgentsRead]).await;
    let own = json!({"team_run_id": started["team_run_id"], "agent_id": "scout"});
    assert_eq!(
        house.refused(&bare, "cancel_agent_run", own.clone()).await,
        (ErrorCode::ValidationError, json!("NOT_FOUND")),
        "whoever may not read calls hears of none"
    );
    let builder = [Scope::ToolsExecute, Scope::InvocationsRead, Scope::AgentsRead, Scope::AgentsWrite];
    let builder = house.holder(&builder).await;
    assert_eq!(house.refused(&builder, "cancel_agent_run", own.clone()).await, forbidden);
    let cancels = [Scope::ToolsExecute, Scope::InvocationsRead, Scope::AgentsRead, Scope::InvocationsCancel];
    let operator = house.holder(&cancels).await;
    assert_eq!(house.output(&operator, "cancel_agent_run", own).await["status"], "completed");
    let events = json!({"agent_id": "scout"});
    assert_eq!(house.refused(&bare, "list_agent_run_events", events).await, forbidden, "owners only");
}

#[tokio::test]
async fn the_owner_of_an_agent_sees_its_runs() {
    let house = furnished().await;
    let ada = house.person("ada", &[Scope::ToolsExecute]).await;
    house.agent("hers", json!({"owner": ada.user_id()})).await;
    let told = house.output(&ada, "list_agent_run_events", json!({"agent_id": "hers"})).await;
    assert_eq!(told, json!({"items": [], "total": 0}));
    let other = house.refused(&ada, "list_agent_run_events", json!({"agent_id": "scout"})).await;
    assert_eq!(other, (ErrorCode::PolicyDenied, json!("FORBIDDEN")));
}
