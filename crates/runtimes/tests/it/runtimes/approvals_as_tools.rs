//! Approvals, receipts, explanations and the search, as tools: who sees them, and what they answer.

use serde_json::{Value, json};
use toolgate_domain::{Caller, ErrorCode, Invocation, Principal, Scope, Surface, TenantId};
use toolgate_engine::{Answer, ToolFilter};

use crate::runtimes::common::{House, caller, composition};

const DECIDES: [Scope; 2] = [Scope::ToolsExecute, Scope::ApprovalsDecide];

impl House {
    /// A call that waits for a person.
    async fn asks(&self, by: &Caller) -> Invocation {
        match self.answer(by, "announce", json!({"text": "hello"})).await {
            Answer::Parked(row) => *row,
            other => panic!("it does not ask: {other:?}"),
        }
    }

    async fn offered(&self, by: &Caller) -> Vec<String> {
        let filter = ToolFilter { callable: true, limit: 500, ..ToolFilter::default() };
        let page = self.engine.registry().list(by, Surface::Mcp, &filter).await.unwrap();
        page.items.iter().map(|tool| tool.spec.name.to_string()).collect()
    }
}

async fn furnished() -> House {
    let house = House::new().await;
    house.say("announce", json!({"requires_approval": true})).await;
    house
}

#[tokio::test]
async fn who_may_decide_lists_what_waits_and_decides_it() {
    let house = furnished().await;
    let (maker, decider) = (house.holder(&[Scope::ToolsExecute]).await, house.holder(&DECIDES).await);
    let (one, other) = (house.asks(&maker).await, house.asks(&maker).await);
    let listed = house.output(&decider, "list_approvals", json!({"tool": "announce", "limit": 1})).await;
    assert_eq!(listed["items"][0]["invocation_id"], json!(other.id));
    assert_eq!(listed["items"][0]["digest"], json!(other.approval_digest()));
    assert_eq!(listed["items"][0]["input"], json!({"text": "hello"}));
    let next = json!({"tool": "announce", "cursor": listed["next_cursor"]});
    let rest = house.output(&decider, "list_approvals", next).await;
    assert_eq!((&rest["items"][0]["invocation_id"], &rest["next_cursor"]), (&json!(one.id), &Value::Null));

    let yes = json!({"invocation_id": one.id, "decision": "approve", "digest": one.approval_digest(), "input": {"text": "bye"}});
    let decided = house.output(&decider, "decide_approval", yes.clone()).await;
    assert_eq!(decided["decided_by"], json!(decider.principal.to_string()));
    assert_eq!(house.ended(&one).await.approved_input, Some(json!({"text": "bye"})));
    assert_eq!(
        house.refused(&decider, "decide_approval", yes).await,
        (ErrorCode::ValidationError, json!("CONFLICT"))
    );
    let mute = json!({"invocation_id": other.id, "decision": "reject"});
    assert_eq!(house.refused(&decider, "decide_approval", mute).await.0, ErrorCode::ValidationError);
    let no = json!({"invocation_id": other.id, "decision": "reject", "reason": "not today"});
    assert_eq!(house.output(&decider, "decide_approval", no).await["status"], "rejected");
    let nothing = json!({"invocation_id": "inv_00000000-0000-7000-8000-0000000000ff", "decision": "approve"});
    assert_eq!(
        house.refused(&decider, "decide_approval", nothing).await,
        (ErrorCode::ValidationError, json!("NOT_FOUND"))
    );
}

#[tokio::test]
async fn nobody_decides_their_own_call_no_agent_any_and_no_tool_for_somebody() {
    let house = furnished().await;
    let decider = house.holder(&DECIDES).await;
    let own = house.asks(&decider).await;
    let forbidden = (ErrorCode::PolicyDenied, json!("FORBIDDEN"));
    let yes = json!({"invocation_id": own.id, "decision": "approve"});
    assert_eq!(house.refused(&decider, "decide_approval", yes.clone()).await, forbidden);

    let (agent, _) = house.free_agent("chief", &["decide_approval", "list_approvals"]).await;
    let principal = Principal::Agent(agent.id);
    let armed = Caller::with_scopes(TenantId::DEFAULT, "default", principal, &DECIDES);
    assert_eq!(house.refused(&armed, "decide_approval", yes.clone()).await, forbidden);
    assert_eq!(house.refused(&armed, "list_approvals", json!({})).await, forbidden);
    assert!(!house.offered(&armed).await.iter().any(|name| name.contains("approval")));

    let steps = json!([{"id": "a", "tool": "decide_approval", "input": yes}]);
    house.register(composition("sweet", steps)).await;
    let tricked = house.holder(&DECIDES).await;
    assert!(house.receipt(&tricked, "sweet", json!({})).await.error.is_some());
    assert_eq!(house.row(own.id).await.status().as_str(), "pending");
}

#[tokio::test]
async fn tools_that_could_never_be_called_are_not_offered() {
    let house = furnished().await;
    let bare = house.offered(&house.holder(&[Scope::ToolsExecute]).await).await;
    for hidden in ["list_approvals", "decide_approval", "list_agents", "create_agent", "assign_agent_tool"] {
        assert!(!bare.iter().any(|name| name == hidden), "{hidden}");
    }
    for offered in ["get_invocation", "get_receipt", "explain_decision", "search_tools", "calculate"] {
        assert!(bare.iter().any(|name| name == offered), "{offered}");
    }
    let reader = house.offered(&house.holder(&[Scope::ToolsExecute, Scope::AgentsRead]).await).await;
    assert!(reader.contains(&"list_agents".to_owned()) && !reader.contains(&"create_agent".to_owned()));
    let decider = house.offered(&house.holder(&DECIDES).await).await;
    assert!(decider.contains(&"decide_approval".to_owned()));
    assert!(house.offered(&house.holder(&[Scope::ToolsRead]).await).await.is_empty());
}

#[tokio::test]
async fn whoever_made_a_call_sees_what_becomes_of_it() {
    let house = furnished().await;
    let maker = house.holder(&[Scope::ToolsExecute]).await;
    let row = house.asks(&maker).await;
    let poll = json!({"invocation_id": row.id.uuid().to_string()});
    let pending = house.output(&maker, "get_invocation", poll.clone()).await;
    assert_eq!((&pending["status"], &pending["waits_for"]), (&json!("pending"), &json!([row.id])));
    assert!(pending["expires_at"].is_string() && pending.get("envelope").is_none());
    assert_eq!(
        house.refused(&maker, "get_receipt", poll.clone()).await,
        (ErrorCode::ValidationError, json!("CONFLICT"))
    );
    house.approve(&row).await;
    house.ended(&row).await;
    let done = house.output(&maker, "get_invocation", poll.clone()).await;
    assert_eq!((&done["status"], &done["waits_for"]), (&json!("completed"), &json!([])));
    assert!(done["envelope"]["output"]["text"].is_string());
    let receipt = house.output(&maker, "get_receipt", poll.clone()).await;
    assert_eq!(receipt["envelope"], done["envelope"]);
    assert_eq!(receipt["decision"]["verdict"], "ask");

    let missing = (ErrorCode::ValidationError, json!("NOT_FOUND"));
    let stranger = house.holder(&[Scope::ToolsExecute]).await;
    for tool in ["get_invocation", "get_receipt"] {
        assert_eq!(house.refused(&stranger, tool, poll.clone()).await, missing, "{tool}");
    }
    let reader = house.holder(&[Scope::ToolsExecute, Scope::InvocationsRead]).await;
    assert_eq!(
        house.output(&reader, "get_receipt", poll.clone()).await["caller"],
        json!(maker.principal.to_string())
    );
    let tenant = house.engine.rules().create_tenant(&caller(), "acme", "Acme").await.unwrap();
    assert_eq!(house.refused(&Caller::system(tenant.id, "acme"), "get_receipt", poll).await, missing);
}

#[tokio::test]
async fn a_decision_is_explained_for_the_caller_and_for_an_agent() {
    let house = furnished().await;
    let maker = house.holder(&[Scope::ToolsExecute]).await;
    let what = json!({"tool": "announce", "input": {"text": "x"}});
    let told = house.output(&maker, "explain_decision", what.clone()).await;
    assert_eq!((&told["would_run"], &told["decision"]["verdict"]), (&json!(false), &json!("ask")));
    let told = house.output(&maker, "explain_decision", json!({"tool": "no_such"})).await;
    assert_eq!(told["tool"], Value::Null);

    house.agent("scout", json!({})).await;
    let mut of_agent = what;
    of_agent["agent_id"] = json!("scout");
    assert_eq!(
        house.refused(&maker, "explain_decision", of_agent.clone()).await,
        (ErrorCode::PolicyDenied, json!("FORBIDDEN"))
    );
    let told = house.output(&caller(), "explain_decision", of_agent).await;
    assert_eq!(told["decision"]["verdict"], "deny", "it was not given the tool");
}

#[tokio::test]
async fn a_search_finds_what_the_caller_could_call() {
    let house = furnished().await;
    let bare = house.holder(&[Scope::ToolsExecute]).await;
    let names = |found: &Value| -> Vec<String> {
        let items = found["items"].as_array().unwrap().iter();
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    let found = house.output(&bare, "search_tools", json!({"query": "evaluate arithmetic expression"})).await;
    assert!(names(&found).contains(&"calculate".to_owned()), "{found}");
    let query = json!({"query": "approvals person", "limit": 25});
    assert!(
        !names(&house.output(&bare, "search_tools", query.clone()).await)
            .contains(&"decide_approval".to_owned())
    );
    assert!(
        names(&house.output(&caller(), "search_tools", query).await).contains(&"decide_approval".to_owned())
    );
    let few = house.output(&caller(), "search_tools", json!({"query": "agent", "limit": 2})).await;
    assert_eq!(names(&few).len(), 2);
}
