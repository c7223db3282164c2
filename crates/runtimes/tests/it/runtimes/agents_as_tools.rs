//! Agents and what they may call, managed with tools: the answers, every code of a refusal, and who may do what.

use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, Caller, Envelope, ErrorCode, Principal, Scope, Surface, TenantId,
    governance::{Agent, PermissionStatus},
};
use toolgate_engine::{Answer, Approval, Call, DecideError, NewUser, PermissionEntry, Ruling, ToolFilter};
use toolgate_store::KeyBinding;

use crate::runtimes::common::{House, caller, composition};

const MANAGES: [Scope; 3] = [Scope::ToolsExecute, Scope::AgentsRead, Scope::AgentsWrite];

impl House {
    /// Somebody with these scopes and a place among the tenant's people.
    pub async fn person(&self, name: &str, scopes: &[Scope]) -> Caller {
        let new: NewUser =
            serde_json::from_value(json!({"email": format!("{name}@example.com"), "name": name})).unwrap();
        let user = self.engine.rules().create_user(&caller(), new).await.unwrap();
        Caller::with_scopes(TenantId::DEFAULT, "default", Principal::User(user.id), scopes)
    }

    /// Somebody who holds a key.
    pub async fn holder(&self, scopes: &[Scope]) -> Caller {
        let (mut by, mut bound) = (caller(), KeyBinding::default());
        if scopes.contains(&Scope::ApprovalsDecide) {
            let email = format!("{}@example.com", self.engine.ids().uuid());
            let roles = vec!["admin".to_owned()];
            let new = NewUser { email, name: "Somebody".into(), roles, workspaces: vec![], password: None };
            let person = self.engine.rules().create_user(&caller(), new).await.unwrap();
            (by.principal, bound.user_id) = (Principal::User(person.id), Some(person.id));
        }
        let key = self.engine.keys().create_bound(&by, "k", scopes, None, bound).await.unwrap();
        self.engine.keys().authenticate(&key.secret).await.unwrap().unwrap()
    }

    /// Over REST: there a tool that refuses the caller says why, where over MCP it would not exist.
    pub async fn answer(&self, by: &Caller, tool: &str, input: Value) -> Answer {
        self.engine.invoke(Call::new(by.clone(), Surface::Rest, tool, input)).await.unwrap()
    }

    pub async fn receipt(&self, by: &Caller, tool: &str, input: Value) -> Envelope {
        match self.answer(by, tool, input).await {
            Answer::Done(envelope) => *envelope,
            other => panic!("not done: {other:?}"),
        }
    }

    pub async fn output(&self, by: &Caller, tool: &str, input: Value) -> Value {
        let envelope = self.receipt(by, tool, input).await;
        assert_eq!(envelope.error, None, "{tool}");
        envelope.output.unwrap()
    }

    /// How a call is refused: the stable code, and the one beside it.
    pub async fn refused(&self, by: &Caller, tool: &str, input: Value) -> (ErrorCode, Value) {
        let error = self.receipt(by, tool, input).await.error.expect("it is refused");
        let code = error.details.and_then(|details| details.get("code").cloned());
        (error.code, code.unwrap_or_default())
    }

    /// An agent that may call these tools as freely as can be said.
    pub async fn free_agent(&self, handle: &str, tools: &[&str]) -> (Agent, Caller) {
        let agent = self.agent(handle, json!({"custom_tools": tools})).await;
        let entry = |tool: &&str| PermissionEntry {
            tool_name: (*tool).to_owned(),
            permission_status: PermissionStatus::AlwaysAllow,
            provider_key: None,
        };
        let entries = tools.iter().map(entry).collect();
        self.engine.rules().set_permissions(&caller(), agent.id, entries).await.unwrap();
        let scopes = [Scope::ToolsExecute];
        let acts = Caller::with_scopes(TenantId::DEFAULT, "default", Principal::Agent(agent.id), &scopes);
        (agent, acts)
    }
}

fn validation(code: &str) -> (ErrorCode, Value) {
    (ErrorCode::ValidationError, json!(code))
}

fn denied(code: &str) -> (ErrorCode, Value) {
    (ErrorCode::PolicyDenied, json!(code))
}

#[tokio::test]
async fn an_agent_is_made_listed_read_changed_and_archived() {
    let house = House::new().await;
    let ada = house.person("ada", &MANAGES).await;
    let new = json!({"handle": "scout", "display_name": "Scout", "model": "openai/gpt-4o"});
    let made = house.output(&ada, "create_agent", new.clone()).await;
    assert_eq!((&made["status"], &made["profile_id"]), (&json!("active"), &made["agent_id"]));
    let id: AgentId = made["agent_id"].as_str().unwrap().parse().unwrap();
    assert_eq!(house.refused(&ada, "create_agent", new).await, validation("CONFLICT"));

    let listed = house.output(&ada, "list_agents", json!({})).await;
    assert_eq!((&listed["total"], &listed["owner_id"]), (&json!(1), &json!(ada.user_id())));
    assert_eq!(listed["items"][0]["handle"], "scout");

    for reference in [id.to_string(), id.uuid().to_string(), "scout".to_owned(), "@scout".to_owned()] {
        let agent = house.output(&ada, "get_agent", json!({"agent_id": reference})).await;
        assert_eq!((&agent["agent_id"], &agent["model"]), (&json!(id), &json!("openai/gpt-4o")));
        assert!(agent["policy"]["guard"].is_object());
    }
    let patch = json!({"display_name": "The scout", "bio": "Looks ahead.", "ai_model_id": "openai/o3"});
    let changed = house.output(&ada, "update_agent", json!({"agent_id": id, "patch": patch})).await;
    assert_eq!(changed, json!({"agent_id": id, "patched_keys": ["bio", "display_name", "model"]}));

    let script = json!({"agent_id": id, "patch": {"avatar_url": "javascript:alert(1)"}});
    let refused = house.receipt(&ada, "update_agent", script).await.error.unwrap();
    assert_eq!(refused.code, ErrorCode::ValidationError);
    assert!(refused.message.contains("avatar_url is no link to a website"), "{}", refused.message);

    let over = house.output(&ada, "archive_agent", json!({"agent_id": id, "confirm": true})).await;
    assert_eq!(over, json!({"agent_id": id, "status": "archived"}));
    assert_eq!(house.output(&ada, "list_agents", json!({})).await["total"], 0);
    assert_eq!(house.output(&ada, "get_agent", json!({"agent_id": id})).await["status"], "archived");
    let late = json!({"agent_id": id, "patch": {"bio": "x"}});
    assert_eq!(house.refused(&ada, "update_agent", late).await, validation("CONFLICT"));
}

#[tokio::test]
async fn an_agent_needs_somebody_who_owns_it() {
    let house = House::new().await;
    let key = house.holder(&MANAGES).await;
    let new = json!({"handle": "scout", "display_name": "Scout"});
    assert_eq!(house.refused(&key, "create_agent", new).await, validation("MISSING_LENSER"));
    assert_eq!(house.refused(&key, "list_agents", json!({})).await, validation("MISSING_LENSER"));
    let nobody = "usr_00000000-0000-7000-8000-0000000000ff";
    let new = json!({"handle": "scout", "display_name": "Scout", "owner_id": nobody});
    assert_eq!(house.refused(&key, "create_agent", new).await, validation("MISSING_LENSER"));
    let ada = house.person("ada", &[]).await.user_id().unwrap();
    let new = json!({"handle": "scout", "display_name": "Scout", "owner_id": ada});
    house.output(&key, "create_agent", new).await;
    assert_eq!(house.output(&key, "list_agents", json!({"owner_id": ada})).await["total"], 1);
}

#[rstest]
#[case(json!({}))]
#[case(json!({"confirm": false}))]
#[case(json!({"confirm": "true"}))]
#[case(json!({"confirm": 1}))]
#[tokio::test]
async fn archiving_is_confirmed_with_the_literal_true_or_not_at_all(#[case] confirm: Value) {
    let house = House::new().await;
    let agent = house.agent("scout", json!({})).await;
    let mut input = confirm;
    input["agent_id"] = json!(agent.id);
    let (code, _) = house.refused(&caller(), "archive_agent", input).await;
    assert_eq!(code, ErrorCode::ValidationError);
    let kept = house.output(&caller(), "get_agent", json!({"agent_id": agent.id})).await;
    assert_eq!(kept["status"], "active");
}

#[tokio::test]
async fn each_tool_needs_the_scope_that_its_route_needs_and_stays_within_its_tenant() {
    let house = House::new().await;
    let agent = house.agent("scout", json!({})).await;
    let id = json!(agent.id);
    let changes = [
        ("create_agent", json!({"handle": "h", "display_name": "H"})),
        ("update_agent", json!({"agent_id": id, "patch": {"bio": "x"}})),
        ("archive_agent", json!({"agent_id": id, "confirm": true})),
        ("assign_agent_tool", json!({"agent_id": id, "tool_id": "calculate"})),
        ("revoke_agent_tool", json!({"agent_id": id, "tool_id": "calculate"})),
    ];
    let reads = [
        ("list_agents", json!({})),
        ("get_agent", json!({"agent_id": id})),
        ("list_agent_tools", json!({"agent_id": id})),
        ("list_agent_run_events", json!({"agent_id": id})),
    ];
    let reader = house.holder(&[Scope::ToolsExecute, Scope::AgentsRead]).await;
    let bare = house.holder(&[Scope::ToolsExecute]).await;
    for (tool, input) in changes.clone() {
        assert_eq!(house.refused(&reader, tool, input).await, denied("FORBIDDEN"), "{tool}");
    }
    for (tool, input) in reads.clone() {
        assert_eq!(house.refused(&bare, tool, input).await, denied("FORBIDDEN"), "{tool}");
    }
    let tenant = house.engine.rules().create_tenant(&caller(), "acme", "Acme").await.unwrap();
    let stranger = Caller::system(tenant.id, "acme");
    for (tool, input) in changes.into_iter().chain(reads).filter(|(_, input)| input.get("agent_id").is_some())
    {
        assert_eq!(house.refused(&stranger, tool, input).await, validation("NOT_FOUND"), "{tool}");
    }
}

#[tokio::test]
async fn a_tool_is_assigned_by_id_or_name_and_revoked() {
    let house = House::new().await;
    let agent = house.agent("scout", json!({})).await;
    let tool = house.engine.registry().get(&caller(), Surface::Mcp, "calculate").await.unwrap();
    let given = json!({"agent_id": "scout", "tool_id": tool.id});
    let row = house.output(&caller(), "assign_agent_tool", given).await;
    assert_eq!((&row["tool"], &row["tool_id"]), (&json!("calculate"), &json!(tool.id)));
    assert_eq!((&row["agent_id"], &row["allowed"]), (&json!(agent.id), &json!(true)));
    let kept = json!({"agent_id": agent.id, "tool_id": "calculate", "allowed": false});
    let again = house.output(&caller(), "assign_agent_tool", kept).await;
    assert_eq!((&again["id"], &again["allowed"]), (&row["id"], &json!(false)));

    let taken = json!({"agent_id": agent.id, "tool_id": tool.id.uuid().to_string()});
    let revoked = house.output(&caller(), "revoke_agent_tool", taken.clone()).await;
    assert_eq!(revoked, json!({"agent_id": agent.id, "tool_id": tool.id, "revoked": true}));
    assert_eq!(house.output(&caller(), "revoke_agent_tool", taken).await["revoked"], false);

    for unknown in ["no_such_tool", "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11"] {
        let input = json!({"agent_id": agent.id, "tool_id": unknown});
        assert_eq!(house.refused(&caller(), "assign_agent_tool", input).await, validation("NOT_FOUND"));
    }
    let unknown = json!({"agent_id": agent.id, "tool_id": "calculate", "profile_id": "no_such_profile"});
    assert_eq!(house.refused(&caller(), "assign_agent_tool", unknown).await, validation("NOT_FOUND"));
}

#[tokio::test]
async fn pages_of_assignments_go_on_where_they_ended_while_others_assign() {
    let house = House::new().await;
    let agent = house.agent("scout", json!({})).await;
    let rules = house.engine.rules();
    for n in 0..205 {
        // Names fall, so that their order is not that of the assignments.
        rules.assign(&caller(), agent.id, &format!("t{:03}", 999 - n), None, true).await.unwrap();
    }
    let first = house.output(&caller(), "list_agent_tools", json!({"agent_id": agent.id})).await;
    assert_eq!((first["items"].as_array().unwrap().len(), &first["limit"]), (50, &json!(50)));
    assert_eq!(first["total"], 205);
    assert_eq!(first["next_cursor"], first["items"][49]["id"]);
    let whole =
        house.output(&caller(), "list_agent_tools", json!({"agent_id": agent.id, "limit": 200})).await;
    assert_eq!(whole["items"].as_array().unwrap().len(), 200);

    rules.assign(&caller(), agent.id, "a_new_one", None, true).await.unwrap();
    let mut seen: Vec<String> = Vec::new();
    let mut page = first;
    loop {
        let items = page["items"].as_array().unwrap();
        seen.extend(items.iter().map(|item| item["tool"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        // A bare UUID is an id too.
        let cursor = cursor.strip_prefix("asg_").unwrap();
        let next = json!({"agent_id": agent.id, "cursor": cursor});
        page = house.output(&caller(), "list_agent_tools", next).await;
    }
    assert_eq!((seen.len(), seen.last().unwrap().as_str()), (206, "a_new_one"));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 206, "each once");
    for limit in [0, 201] {
        let input = json!({"agent_id": agent.id, "limit": limit});
        assert_eq!(house.refused(&caller(), "list_agent_tools", input).await.0, ErrorCode::ValidationError);
    }
}

#[tokio::test]
async fn the_names_of_the_sources_are_understood_and_not_listed() {
    let house = House::new().await;
    let ada = house.person("ada", &MANAGES).await;
    let old = json!({"handle": "scout", "display_name": "Scout", "ai_model_id": "m", "owner_lenser_id": ada.user_id()});
    let made = house.receipt(&ada, "create_ai_lenser", old.clone()).await;
    assert_eq!((made.name.as_str(), made.error), ("create_agent", None));
    assert!(
        made.warnings.iter().any(|told| told.contains("`create_ai_lenser` is an alias of `create_agent`"))
    );
    assert!(made.warnings.iter().any(|told| told.contains("`ai_model_id`")));
    let id = made.output.unwrap()["agent_id"].clone();

    let owned = json!({"owner_lenser_id": ada.user_id()});
    assert_eq!(house.output(&ada, "list_ai_lensers", owned).await["total"], 1);
    assert_eq!(house.output(&ada, "get_ai_lenser", json!({"ai_lenser_id": id})).await["model"], "m");
    assert_eq!(house.output(&ada, "list_agent_tools", json!({"ai_lenser_id": id})).await["total"], 0);
    let patch = json!({"ai_lenser_id": id, "patch": {"bio": "x"}});
    assert_eq!(house.output(&ada, "update_ai_lenser", patch).await["agent_id"], id);

    let both = json!({"ai_lenser_id": id, "agent_id": id});
    assert_eq!(house.output(&ada, "get_agent", both).await["agent_id"], id);
    let split = json!({"ai_lenser_id": id, "agent_id": "scout"});
    assert_eq!(house.refused(&ada, "get_agent", split).await.0, ErrorCode::ValidationError);
    let over = json!({"ai_lenser_id": id, "confirm": true});
    assert_eq!(house.output(&ada, "archive_ai_lenser", over).await["status"], "archived");

    let all = ToolFilter { limit: 500, ..ToolFilter::default() };
    let listed = house.engine.registry().list(&ada, Surface::Mcp, &all).await.unwrap().items;
    assert!(listed.iter().all(|tool| !tool.spec.name.as_str().contains("lenser")));
    assert!(listed.iter().any(|tool| tool.spec.name.as_str() == "archive_agent"));
}

#[tokio::test]
async fn a_call_under_old_names_is_repeated_under_its_key() {
    let house = House::new().await;
    let ada = house.person("ada", &MANAGES).await;
    let call = || Call {
        idempotency_key: Some("once".to_owned()),
        ..Call::new(
            ada.clone(),
            Surface::Mcp,
            "create_ai_lenser",
            json!({"handle": "scout", "display_name": "Scout", "ai_model_id": "m"}),
        )
    };
    let first = house.engine.invoke(call()).await.unwrap();
    let second = house.engine.invoke(call()).await.unwrap();
    assert_eq!(first.envelope().unwrap().error, None);
    assert_eq!(first.envelope(), second.envelope());
}

#[tokio::test]
async fn an_agent_changes_others_with_the_yes_of_somebody_who_may_and_never_itself() {
    let house = House::new().await;
    let tools = ["create_agent", "update_agent", "assign_agent_tool", "archive_agent", "get_agent"];
    let (agent, acts) = house.free_agent("chief", &tools).await;
    house.agent("scout", json!({})).await;
    assert_eq!(house.output(&acts, "get_agent", json!({"agent_id": "scout"})).await["handle"], "scout");

    let asked = |input: Value, tool: &'static str| {
        let (house, acts) = (&house, &acts);
        async move {
            match house.answer(acts, tool, input).await {
                Answer::Parked(row) => *row,
                other => panic!("{tool} does not ask: {other:?}"),
            }
        }
    };
    let yes = || Ruling::Approve(Approval::default());
    let decider = house.holder(&[Scope::ApprovalsDecide]).await;
    let manager = house.holder(&[Scope::ApprovalsDecide, Scope::AgentsWrite]).await;
    let give = json!({"agent_id": "scout", "tool_id": "calculate"});
    let row = asked(give, "assign_agent_tool").await;
    let refused = house.engine.decide(&decider, row.id, None, yes()).await;
    assert!(matches!(refused, Err(DecideError::CouldNotDoIt(Scope::AgentsWrite))), "{refused:?}");
    house.engine.decide(&manager, row.id, None, yes()).await.unwrap();
    assert_eq!(house.ended(&row).await.outcome.error, None, "the question stayed open");
    for (tool, input) in [
        ("assign_agent_tool", json!({"agent_id": agent.id, "tool_id": "calculate"})),
        ("update_agent", json!({"agent_id": "chief", "patch": {"custom_tools": ["calculate"]}})),
        ("archive_agent", json!({"agent_id": "chief", "confirm": true})),
    ] {
        let row = asked(input, tool).await;
        house.engine.decide(&manager, row.id, None, yes()).await.unwrap();
        let error = house.ended(&row).await.outcome.error.expect("it is refused");
        assert_eq!(error.code, ErrorCode::PolicyDenied, "{tool}");
        assert_eq!(error.details.unwrap()["code"], "FORBIDDEN", "{tool}");
    }
}

#[tokio::test]
async fn a_tool_of_the_house_has_no_other_name() {
    let house = House::new().await;
    let definition = json!({
        "name": "harmless", "version": "1.0.0", "description": "Says hello.", "input_schema": {"type": "object"},
        "execution": {"kind": "house", "handler": "create_agent"},
    });
    house.register(definition).await;
    let input = json!({"handle": "h", "display_name": "H"});
    assert_eq!(house.refused(&caller(), "harmless", input).await.0, ErrorCode::PolicyDenied);
    house
        .register(composition("lists", json!([{"id": "a", "tool": "get_agent", "input": {"agent_id": "x"}}])))
        .await;
}

#[tokio::test]
async fn an_action_refuses_with_the_code_of_the_sources() {
    let house = House::new().await;
    house.agent("scout", json!({})).await;
    let bare = house.holder(&[Scope::ToolsExecute]).await;
    let action =
        json!({"ai_lenser_id": "scout", "action_type": "calculate", "metadata": {"expression": "1"}});
    assert_eq!(house.refused(&bare, "run_agent_action", action).await, denied("FORBIDDEN"));
}
