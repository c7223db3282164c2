//! Which tools a model is shown, and what it does when they are too many.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_agents::llm::{ChatRequest, Delta, LlmError, Provider, Scripted, Turn};
use toolgate_domain::{Caller, ErrorCode, Surface, ToolSpec};
use toolgate_engine::{Answer, Call, NewAgent, PermissionEntry, RuleError, definition_from_json};

use crate::run::common::{House, caller};

/// A model that plays a script, and remembers what it was asked.
pub struct Recorder {
    script: Scripted,
    asked: Mutex<Vec<ChatRequest>>,
}

impl Recorder {
    pub fn new(script: &str) -> Arc<Self> {
        Arc::new(Self { script: Scripted::parse(script).unwrap(), asked: Mutex::default() })
    }

    pub fn asked(&self) -> Vec<ChatRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// The names of the tools that it was shown first.
    pub fn shown(&self) -> Vec<String> {
        self.asked()[0].tools.iter().map(|tool| tool.name.clone()).collect()
    }
}

#[async_trait]
impl Provider for Recorder {
    fn name(&self) -> &str {
        self.script.name()
    }

    async fn chat(
        &self,
        request: &ChatRequest,
        deltas: Option<mpsc::Sender<Delta>>,
    ) -> Result<Turn, LlmError> {
        self.asked.lock().unwrap().push(request.clone());
        self.script.chat(request, deltas).await
    }
}

pub fn tool(name: &str, more: Value) -> Value {
    let mut definition = json!({
        "name": name, "version": "1.0.0", "description": "does nothing for a while", "category": "crm",
        "input_schema": {"type": "object", "properties": {"ms": {"type": "integer"}}},
        "execution": {"kind": "builtin", "handler": "wait"},
    });
    definition.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    definition
}

fn new_agent(more: Value) -> NewAgent {
    let mut agent = json!({"handle": "helper", "display_name": "Helper"});
    agent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    serde_json::from_value(agent).unwrap()
}

async fn house(model: &Arc<Recorder>) -> House {
    House::furnished(tempfile::tempdir().unwrap(), model.clone(), Vec::new()).await
}

const ANSWERS: &str = "turns: [{text: done}]\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_shown_what_its_agent_may_call_and_nothing_else() {
    let model = Recorder::new(ANSWERS);
    let house = house(&model).await;
    for (name, more) in [
        ("crm_find", json!({})),
        ("crm_blocked", json!({})),
        ("crm_denied", json!({})),
        ("crm_hidden", json!({"visibility": "internal"})),
        ("crm_demanding", json!({"required_permission": "people.tenant.update"})),
        ("crm_forbidden", json!({})),
        ("crm_on_terms", json!({})),
        ("crm_elsewhere", json!({"tenant_slugs": ["other"]})),
        ("crm_writes", json!({"egress_class": "write"})),
        ("crm_retired", json!({})),
        ("our_own", json!({"category": "private"})),
        ("unrelated", json!({"category": "private"})),
    ] {
        house.define(tool(name, more)).await;
    }
    let (rules, registry) = (house.engine.rules(), house.engine.registry());
    registry.set_lifecycle(&caller(), "crm_retired", toolgate_domain::Lifecycle::Blocked).await.unwrap();
    let examples = |name: &str| json!({"match": [{"tool": {"name": name}, "input": {"ms": 9}}], "no_match": [{"tool": {"name": "x"}}]});
    let policy = json!({"rules": [
        {"id": "never", "verdict": "deny", "because": "never", "tools": ["crm_forbidden"], "examples": examples("crm_forbidden")},
        {"id": "not-long", "verdict": "deny", "because": "too long", "tools": ["crm_on_terms"], "when": "input.ms > 5",
         "examples": examples("crm_on_terms")},
    ]});
    rules.put_policy(&caller(), serde_json::from_value(policy).unwrap()).await.unwrap();
    let new = new_agent(json!({
        "tool_groups": ["crm"], "custom_tools": ["our_own", "no_such_tool"], "guard": {"side_effects": "read_only"},
    }));
    let agent = rules.create_agent(&caller(), new).await.unwrap();
    let blocked: PermissionEntry =
        serde_json::from_value(json!({"toolName": "crm_blocked", "permissionStatus": "blocked"})).unwrap();
    rules.set_permissions(&caller(), agent.id, vec![blocked]).await.unwrap();
    rules.assign(&caller(), agent.id, "crm_denied", None, false).await.unwrap();
    house.run("helper", "hello").await;
    assert_eq!(model.shown(), ["crm_find", "crm_on_terms", "our_own"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_enabled_tools_of_a_guard_are_all_that_is_shown() {
    let model = Recorder::new(ANSWERS);
    let house = house(&model).await;
    house.define(tool("crm_find", json!({}))).await;
    house.define(tool("crm_close", json!({}))).await;
    let new = new_agent(json!({"tool_groups": ["crm"], "guard": {"enabled_tools": ["crm_close"]}}));
    house.engine.rules().create_agent(&caller(), new).await.unwrap();
    house.run("helper", "hello").await;
    assert_eq!(model.shown(), ["crm_close"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_calls_agents_only_where_somebody_said_so() {
    let model = Recorder::new("turns: [{text: done}, {text: done}]\n");
    let house = house(&model).await;
    let new = new_agent(json!({"tool_groups": ["utility", "data", "task"]}));
    let agent = house.engine.rules().create_agent(&caller(), new).await.unwrap();
    house.run("helper", "hello").await;
    assert!(model.shown().contains(&"wait".to_owned()) && !model.shown().contains(&"run_agent".to_owned()));
    house.engine.rules().assign(&caller(), agent.id, "run_agent", None, true).await.unwrap();
    house.run("helper", "hello").await;
    let again = &model.asked()[1].tools;
    assert!(again.iter().any(|tool| tool.name == "run_agent"));
}

fn spec(definition: Value) -> ToolSpec {
    ToolSpec::clone(&definition_from_json(definition).unwrap())
}

/// A tenant has a tool, and then the program ships one of the same name.
#[tokio::test(flavor = "multi_thread")]
async fn two_tools_of_one_name_are_an_error_that_names_both() {
    let model = Recorder::new(ANSWERS);
    let before = house(&model).await;
    let tenant = before.engine.rules().create_tenant(&caller(), "acme", "Acme").await.unwrap();
    let acme = Caller::system(tenant.id, "acme");
    let own = definition_from_json(tool("crm_find", json!({"version": "2.1.0"}))).unwrap();
    before.engine.registry().register(&acme, own, false).await.unwrap();
    let new =
        |handle: &str| NewAgent { handle: handle.to_owned(), ..new_agent(json!({"tool_groups": ["crm"]})) };
    before.engine.rules().create_agent(&acme, new("helper")).await.unwrap();
    before.engine.stop().await;
    let House { engine, directory, .. } = before;
    drop(engine);
    let shipped = spec(tool("crm_find", json!({})));
    let house = House::furnished(directory, model.clone(), vec![shipped]).await;
    let both = |text: &str| {
        text.contains("crm_find@2.1.0 (tenant_custom)") && text.contains("crm_find@1.0.0 (code)")
    };

    let input = json!({"agent": "helper", "message": "hello"});
    let call = Call::new(acme.clone(), Surface::Rest, "run_agent", input);
    let Answer::Done(envelope) = house.engine.invoke(call).await.unwrap() else { panic!("it must end") };
    let error = envelope.error.unwrap();
    assert_eq!(error.code, ErrorCode::ValidationError);
    assert!(both(&error.message), "{}", error.message);
    let details = error.details.unwrap();
    assert_eq!((&details["reason"], &details["name"]), (&json!("name_clash"), &json!("crm_find")));
    assert!(model.asked().is_empty(), "the model was not bothered");

    let rules = house.engine.rules();
    let refused = rules.create_agent(&acme, new("other")).await.unwrap_err();
    assert!(matches!(&refused, RuleError::Invalid(text) if both(text)), "{refused}");
    let helper = rules.find_agent(&acme, "helper").await.unwrap();
    let patch = |patch: Value| patch.as_object().unwrap().clone();
    rules.update_agent(&acme, helper.id, patch(json!({"bio": "still here"}))).await.unwrap();
    rules.update_agent(&acme, helper.id, patch(json!({"tool_groups": []}))).await.unwrap();
    let back = rules.update_agent(&acme, helper.id, patch(json!({"tool_groups": ["crm"]}))).await;
    assert!(matches!(back, Err(RuleError::Invalid(text)) if both(&text)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_may_be_called_like_a_word_of_the_search_until_there_is_a_search() {
    let model = Recorder::new(ANSWERS);
    let house = house(&model).await;
    house.define(tool("call_tool", json!({}))).await;
    house.define(tool("search_tools", json!({}))).await;
    let new = new_agent(json!({"tool_groups": ["crm"]}));
    let agent = house.engine.rules().create_agent(&caller(), new).await.unwrap();
    house.run("helper", "hello").await;
    assert_eq!(model.shown(), ["call_tool", "search_tools"]);
    for number in 0..63 {
        house.define(tool(&format!("crm_{number}"), json!({}))).await;
    }
    let error = house.run("helper", "hello").await.error.unwrap();
    assert_eq!(error.details.unwrap()["reason"], "name_clash");
    assert!(error.message.contains("call_tool@1.0.0 (tenant_custom)"), "{}", error.message);
    assert!(error.message.contains("the `call_tool` that a run with more than 64 tools brings itself"));
    let given = house.engine.rules().assign(&caller(), agent.id, "calculate", None, true).await;
    assert!(given.is_ok(), "what clashed before is not the fault of this change");
}
