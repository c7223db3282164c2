//! What an agent does on its own: four results, each logged, within its terms and its day.

use futures::future::join_all;
use serde_json::{Map, Value, json};
use toolgate_domain::{
    AuditEvent, Caller, Envelope, ErrorCode, Principal, Scope, Status, Surface, TenantId, UserId,
    governance::{Agent, PermissionStatus},
    ids::Uuid,
};
use toolgate_engine::{Answer, Approval, Call, DecideError, NewAgent, NewUser, PermissionEntry, Ruling};
use toolgate_store::AuditFilter;

use crate::run::common::{House, approver, caller};

const NO_MODEL: &str = "turns: [{text: hello}]";

fn user(id: UserId, scopes: &[Scope]) -> Caller {
    Caller::with_scopes(TenantId::DEFAULT, "default", Principal::User(id), scopes)
}

impl House {
    async fn acting_agent(&self, tools: &[&str], actions: Value) -> Agent {
        let new = json!({
            "handle": "doer", "display_name": "Doer", "custom_tools": tools, "actions": actions,
        });
        let new: NewAgent = serde_json::from_value(new).unwrap();
        let agent = self.engine.rules().create_agent(&caller(), new).await.unwrap();
        let allowed = tools.iter().map(|tool| PermissionEntry {
            tool_name: (*tool).to_owned(),
            permission_status: PermissionStatus::AlwaysAllow,
            provider_key: None,
        });
        self.engine.rules().set_permissions(&caller(), agent.id, allowed.collect()).await.unwrap();
        agent
    }

    async fn change(&self, agent: &Agent, key: &str, value: Value) {
        let patch = Map::from_iter([(key.to_owned(), value)]);
        self.engine.rules().update_agent(&caller(), agent.id, patch).await.unwrap();
    }

    async fn asked_to(&self, by: Caller, input: Value) -> Answer {
        self.engine.invoke(Call::new(by, Surface::Rest, "run_agent_action", input)).await.unwrap()
    }

    async fn receipt(&self, by: Caller, input: Value) -> Envelope {
        match self.asked_to(by, input).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    async fn act(&self, action: &str, metadata: Value) -> Value {
        let input = json!({"agent_id": "doer", "action_type": action, "metadata": metadata});
        self.receipt(caller(), input).await.output.unwrap()
    }

    async fn logged(&self, agent: &Agent) -> Vec<AuditEvent> {
        let filter = AuditFilter {
            action: Some("agent.action".to_owned()),
            target: Some(agent.id.to_string()),
            limit: 100,
            ..AuditFilter::default()
        };
        self.engine.stores().audit.events(TenantId::DEFAULT, &filter).await.unwrap()
    }

    async fn results(&self, agent: &Agent) -> Vec<Value> {
        let logged = self.logged(agent).await.into_iter().rev();
        logged.map(|event| event.after.unwrap()["result"].clone()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_of_the_four_results_is_an_answer_and_is_logged() {
    let house = House::new(NO_MODEL).await;
    let agent = house.acting_agent(&["calculate"], json!({"daily_quota": {"calculate": 1}})).await;
    let sum = json!({"expression": "6*7"});
    let failed = house.act("calculate", json!({"expression": "1/0"})).await;
    assert_eq!((&failed["result"], &failed["code"]), (&json!("failed"), &json!("VALIDATION_ERROR")));
    let success = house.act("calculate", sum.clone()).await;
    assert_eq!(success["result"], "success");
    assert_eq!((&success["action"], &success["agent_id"]), (&json!("calculate"), &json!(agent.id)));
    assert_eq!(success["output"]["result"], "42");
    let throttled = house.act("calculate", sum).await;
    assert_eq!(
        (&throttled["result"], &throttled["reason"]),
        (&json!("throttled"), &json!("daily_quota_exceeded"))
    );
    let blocked = house.act("hash_text", json!({"text": "x"})).await;
    assert_eq!(blocked["result"], "blocked_by_policy", "it was not given that tool: {blocked}");
    assert_eq!(house.results(&agent).await, ["failed", "success", "throttled", "blocked_by_policy"]);
    let newest = house.logged(&agent).await.remove(0);
    let told = newest.after.unwrap();
    assert_eq!((newest.actor.as_str(), &told["action"]), ("system", &json!("hash_text")));
    assert_eq!(told["reason"], blocked["reason"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_agent_does_has_its_own_receipt_and_is_done_as_the_agent() {
    let house = House::new(NO_MODEL).await;
    let agent = house.acting_agent(&["calculate"], json!({})).await;
    let done = house.act("calculate", json!({"expression": "1+1"})).await;
    let row = house.row(done["invocation_id"].as_str().unwrap().parse().unwrap()).await;
    assert_eq!((row.agent_id, row.caller), (Some(agent.id), agent.id.to_string()));
    assert_eq!((json!(row.call_id), row.tool_name.as_str()), (done["call_id"].clone(), "calculate"));
    assert_eq!(house.row(row.parent_id.unwrap()).await.tool_name, "run_agent_action");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_an_action_too() {
    let house = House::new(NO_MODEL).await;
    house.acting_agent(&[], json!({"allowed": ["run"], "daily_quota": {"run": 1}})).await;
    let done = house.act("run", json!({"message": "say hello"})).await;
    assert_eq!(
        (&done["result"], &done["output"]["response"]),
        (&json!("success"), &json!("hello")),
        "{done}"
    );
    let again = house.act("run_agent", json!({"message": "say hello"})).await;
    assert_eq!(again["result"], "throttled", "another name, the same quota: {again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn terms_refuse_what_is_blocked_or_not_allowed_and_what_nobody_knows() {
    let house = House::new(NO_MODEL).await;
    let agent = house.acting_agent(&["calculate", "hash_text"], json!({"blocked": ["hash_text"]})).await;
    let reason = async |action: &str| house.act(action, json!({})).await["reason"].clone();
    assert_eq!(reason("hash_text").await, "action_blocked");
    assert_eq!(reason("hash_text@1").await, "action_blocked", "by whatever name");
    assert_eq!(reason("join_battle").await, "unknown_action");
    assert_eq!(reason("run_agent_action").await, "not_an_action");
    house.change(&agent, "actions", json!({"allowed": ["hash_text"]})).await;
    assert_eq!(reason("calculate").await, "action_not_allowed");
    house.change(&agent, "status", json!("paused")).await;
    assert_eq!(reason("hash_text").await, "agent_inactive");
    let all = vec![json!("blocked_by_policy"); 6];
    assert_eq!(house.results(&agent).await, all, "each is logged");
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_edge_of_the_quota_exactly_as_many_succeed_as_it_says() {
    let house = House::new(NO_MODEL).await;
    let agent = house.acting_agent(&["calculate"], json!({"daily_quota": {"*": 10}})).await;
    let all = join_all((0..50).map(|n| house.act("calculate", json!({"expression": format!("{n}+1")}))));
    let results: Vec<Value> = all.await.into_iter().map(|answer| answer["result"].clone()).collect();
    let count = |of: &str| results.iter().filter(|result| **result == of).count();
    assert_eq!((count("success"), count("throttled")), (10, 40));
    assert_eq!(house.logged(&agent).await.len(), 50);
    let House { engine, directory, .. } = house;
    engine.stop().await;
    drop(engine);
    let house = House::open(directory, NO_MODEL).await;
    assert_eq!(
        house.act("calculate", json!({"expression": "1+1"})).await["result"],
        "throttled",
        "a restart is no new day"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_waits_for_a_person_succeeds_after_a_restart_and_counts_once() {
    let house = House::new(NO_MODEL).await;
    house.define_announce().await;
    let agent = house.acting_agent(&["calculate"], json!({"daily_quota": {"*": 2}})).await;
    house.change(&agent, "custom_tools", json!(["announce", "calculate"])).await;
    let input = json!({"agent_id": agent.id, "action_type": "announce", "metadata": {"ms": 1}});
    let new = json!({"email": "me@example.com", "name": "Me", "roles": ["admin"]});
    let new: NewUser = serde_json::from_value(new).unwrap();
    let me = house.engine.rules().create_user(&caller(), new).await.unwrap();
    let me = Caller { principal: Principal::User(me.id), ..caller() };
    let Answer::Parked(outer) = house.asked_to(me.clone(), input).await else { panic!("it must wait") };
    assert_eq!((outer.status(), outer.node_id), (Status::Running, None), "no process holds it");
    assert!(house.logged(&agent).await.is_empty(), "nothing came of it yet");
    let House { engine, directory, .. } = house;
    engine.stop().await;
    drop(engine);
    let house = House::open(directory, NO_MODEL).await;
    let children = house.engine.stores().suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    let yes = || Ruling::Approve(Approval::default());
    let own = house.engine.decide(&me, children[0].id, None, yes()).await;
    assert!(
        matches!(own, Err(DecideError::ConfirmSelf)),
        "an agent that acts in my words does not make them another's: {own:?}"
    );
    house.engine.decide(&approver(), children[0].id, None, yes()).await.unwrap();
    assert_eq!(house.ended(outer.id).await.outcome.output.unwrap()["result"], "success");
    assert_eq!(house.results(&agent).await, ["success"]);
    let sum = json!({"expression": "1+1"});
    assert_eq!(house.act("calculate", sum.clone()).await["result"], "success", "it counted once");
    assert_eq!(house.act("calculate", sum).await["result"], "throttled");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_a_person_rejects_is_blocked_and_does_not_count() {
    let house = House::new(NO_MODEL).await;
    house.define_announce().await;
    let agent = house.acting_agent(&["calculate"], json!({"daily_quota": {"*": 1}})).await;
    house.change(&agent, "custom_tools", json!(["announce", "calculate"])).await;
    let input = json!({"agent_id": agent.id, "action_type": "announce", "metadata": {"ms": 1}});
    let Answer::Parked(outer) = house.asked_to(caller(), input).await else { panic!("it must wait") };
    let meanwhile = house.act("calculate", json!({"expression": "1+1"})).await;
    assert_eq!(meanwhile["result"], "throttled", "what waits holds its place");
    let children = house.engine.stores().suspensions.children(TenantId::DEFAULT, outer.id, 10).await.unwrap();
    let no = Ruling::Reject { reason: "not today".to_owned() };
    house.engine.decide(&approver(), children[0].id, None, no).await.unwrap();
    let answer = house.ended(outer.id).await.outcome.output.unwrap();
    assert_eq!((&answer["result"], &answer["reason"]), (&json!("blocked_by_policy"), &json!("rejected")));
    assert_eq!(house.act("calculate", json!({"expression": "1+1"})).await["result"], "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_whoever_may_change_agents_and_the_agent_itself_have_it_act() {
    let house = House::new(NO_MODEL).await;
    let new: NewUser =
        serde_json::from_value(json!({"email": "ada@example.com", "name": "Ada", "roles": ["member"]}))
            .unwrap();
    let owner = house.engine.rules().create_user(&caller(), new).await.unwrap();
    let agent = house.acting_agent(&["calculate"], json!({})).await;
    house.change(&agent, "owner", json!(owner.id)).await;
    let stranger = UserId::from_uuid(Uuid::from_u128(7));
    let execute = [Scope::ToolsExecute];
    let other_agent = toolgate_domain::AgentId::from_uuid(Uuid::from_u128(8));
    let mut posing = user(owner.id, &[Scope::Admin]);
    posing.agent_id = Some(other_agent);
    let input = json!({"agent_id": "doer", "action_type": "calculate", "metadata": {"expression": "1+1"}});
    for may in [user(owner.id, &execute), user(stranger, &[Scope::ToolsExecute, Scope::AgentsWrite])] {
        assert_eq!(house.receipt(may, input.clone()).await.output.unwrap()["result"], "success");
    }
    let other = house.engine.rules().create_tenant(&caller(), "other", "Other").await.unwrap();
    let foreign = Caller::system(other.id, "other");
    for may_not in [user(stranger, &execute), posing, foreign] {
        let shown = format!("{:?}", may_not.principal);
        let error = house.receipt(may_not, input.clone()).await.error.unwrap();
        assert_eq!(error.code, ErrorCode::PolicyDenied, "{shown}: {error}");
    }
    assert_eq!(house.logged(&agent).await.len(), 2, "nobody else did anything");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_metadata_is_refused_before_anything_is_done() {
    let house = House::new(NO_MODEL).await;
    let agent = house.acting_agent(&["calculate"], json!({"daily_quota": {"*": 1}})).await;
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({"deeper": deep});
    }
    let big = json!({"expression": "1".repeat(3 * 1024 * 1024)});
    for metadata in [deep, big, json!([1]), json!("text"), json!(null)] {
        let input = json!({"agent_id": "doer", "action_type": "calculate", "metadata": metadata});
        let error = house.receipt(caller(), input).await.error.unwrap();
        assert_eq!(error.code, ErrorCode::ValidationError);
    }
    for more in [
        json!({"action_type": ""}),
        json!({"action_type": "x".repeat(65)}),
        json!({"context_type": "x".repeat(65)}),
        json!({"context_id": "not an id"}),
        json!({"tenant_id": "x"}),
    ] {
        let mut input = json!({"agent_id": "doer", "action_type": "calculate"});
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(house.receipt(caller(), input).await.error.unwrap().code, ErrorCode::ValidationError);
    }
    assert!(house.logged(&agent).await.is_empty());
    assert_eq!(house.act("calculate", json!({"expression": "1+1"})).await["result"], "success");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_asks_what_the_action_is_about_is_told() {
    let house = House::new(NO_MODEL).await;
    house
        .define(json!({
            "name": "comment", "version": "1.0.0", "description": "hashes what it is about", "egress_class": "none",
            "input_schema": {"type": "object", "properties": {
                "text": {"type": "string"}, "context_type": {"type": "string"}, "context_id": {"type": "string"},
            }},
            "execution": {"kind": "builtin", "handler": "hash_text"},
        }))
        .await;
    house.acting_agent(&["comment", "hash_text"], json!({})).await;
    let about = Uuid::from_u128(5).to_string();
    for (action, told) in [("comment", true), ("hash_text", false)] {
        let input = json!({
            "agent_id": "doer", "action_type": action, "context_type": "battle", "context_id": about,
            "metadata": {"text": "x"},
        });
        let done = house.receipt(caller(), input).await.output.unwrap();
        let row = house.row(done["invocation_id"].as_str().unwrap().parse().unwrap()).await;
        assert_eq!(row.input.get("context_id") == Some(&json!(about)), told, "{}", row.input);
    }
}
