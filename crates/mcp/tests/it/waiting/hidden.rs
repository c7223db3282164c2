//! A tool that is not listed for a caller cannot be told from one that does not exist.

use rmcp::{
    model::{ErrorData, ProtocolVersion},
    service::ServiceError,
};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Scope, Status};
use toolgate_store::{InvocationFilter, KeyBinding};

use crate::waiting::{
    direct::{answer_to, body},
    house::{House, call, operator, text},
    person::Person,
};

/// A tool that is there and hidden, and an invented one of as many letters.
const HIDDEN: &str = "old_greet";
const INVENTED: &str = "old_grape";

/// The key of an agent that may call `new_greet`.
async fn robot(house: &House) -> String {
    let rules = house.engine.rules();
    let new = json!({"handle": "robot", "display_name": "robot", "custom_tools": ["new_push"]});
    let agent = rules.create_agent(&operator(), serde_json::from_value(new).unwrap()).await.unwrap();
    let bound = KeyBinding { agent_id: Some(agent.id), ..KeyBinding::default() };
    let scopes = [Scope::ToolsRead, Scope::ToolsExecute];
    house.engine.keys().create_bound(&operator(), "robot", &scopes, None, bound).await.unwrap().secret
}

/// Somebody who may look and not call.
async fn viewer(house: &House) -> String {
    house.engine.keys().create(&operator(), "viewer", &[Scope::ToolsRead], None).await.unwrap().secret
}

fn without_name(answer: &impl std::fmt::Debug) -> String {
    format!("{answer:?}").replace(HIDDEN, "NAME").replace(INVENTED, "NAME")
}

#[rstest]
#[case::directly(&[])]
// What is said twice is not plain.
#[case::by_the_sdk(&[("accept", "application/json")])]
#[tokio::test]
async fn both_ways_answer_the_same_for_a_hidden_tool_and_an_invented_one(#[case] more: &[(&str, &str)]) {
    let house = House::patient(0).await;
    for key in [robot(&house).await, viewer(&house).await] {
        for version in ["", "@1.0.0", "@^9"] {
            let mut answers = Vec::new();
            for name in [HIDDEN, INVENTED] {
                let tool = format!("{name}{version}");
                let asked = body(&tool, &json!({"text": "it"}), &json!({}));
                answers.push(answer_to(&house, &key, &tool, &asked, more).await);
            }
            assert_eq!(answers[0].2["error"]["code"], -32602, "{answers:?}");
            assert_eq!(without_name(&answers[0]), without_name(&answers[1]));
        }
    }
    assert_eq!(house.calls().await, 12, "all of it is on record");
}

async fn refused(client: &crate::waiting::house::Client, tool: &str) -> ErrorData {
    match client.call_tool_once(call(tool, json!({"text": "it"}))).await {
        Err(ServiceError::McpError(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_revision_answers_the_same_for_a_hidden_tool_and_an_invented_one() {
    let house = House::patient(0).await;
    let key = robot(&house).await;
    for revision in ProtocolVersion::KNOWN_VERSIONS {
        let client = house.client_with(&key, Person::of(revision.as_str())).await;
        let listed = client.list_all_tools().await.unwrap();
        assert_eq!(listed.iter().map(|tool| &*tool.name).collect::<Vec<_>>(), ["new_push"]);
        let mut answers = Vec::new();
        for name in [HIDDEN, INVENTED] {
            let mut error = refused(&client, name).await;
            let id = error.data.as_mut().and_then(|data| data.as_object_mut()?.remove("invocation_id"));
            assert!(id.is_some_and(|id| id.is_string()), "the attempt is on record: {error:?}");
            answers.push((error.code, error.message, error.data));
        }
        assert_eq!(without_name(&answers[0]), without_name(&answers[1]), "{revision}");
    }
    let filter = InvocationFilter { tool: Some(HIDDEN.to_owned()), limit: 10, ..InvocationFilter::default() };
    let rows = house.engine.stores().invocations.list(operator().tenant_id, &filter).await.unwrap().items;
    assert_eq!(rows.len(), ProtocolVersion::KNOWN_VERSIONS.len());
    for row in rows {
        assert_eq!((row.status(), row.tool_id), (Status::Failed, None), "{row:?}");
    }
}

#[tokio::test]
async fn a_listed_tool_that_is_denied_says_why() {
    let house = House::patient(0).await;
    let key = robot(&house).await;
    let policy = json!({"rules": [{
        "id": "no-secrets", "verdict": "deny", "because": "that is secret", "tools": ["new_push"], "when": "input.text == 'it'",
        "examples": {"match": [{"tool": {"name": "new_push"}, "input": {"text": "it"}}], "no_match": [{"tool": {"name": "x"}}]},
    }]});
    let policy = serde_json::from_value(policy).unwrap();
    house.engine.rules().put_policy(&operator(), policy).await.unwrap();
    let client = house.client_with(&key, Person::of("2025-06-18")).await;
    let result = client.call_tool(call("new_push", json!({"text": "it"}))).await.unwrap();
    assert!(
        text(&result).starts_with("POLICY_DENIED") && text(&result).contains("that is secret"),
        "{result:?}"
    );
    let error: Value = house.last().await.outcome.error.map(|error| json!(error)).unwrap();
    assert_eq!(error["code"], json!(ErrorCode::PolicyDenied));
}
