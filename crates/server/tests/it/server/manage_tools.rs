//! `manageTools`: an agent makes a tool, with a person's yes to each step.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{Database, House};

const MANAGE: &str = "/api/tools/manageTools/invoke";

fn create(slug: &str) -> Value {
    json!({
        "action": "create", "slug": slug, "description": "Greets a person by name.", "category": "text",
        "input_schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
        "execution": {"kind": "builtin", "handler": "render_template", "arguments": {"template": "Hello {{ name }}", "values": "$input"}},
    })
}

/// An agent that was given the tool, and may call it as freely as can be said.
async fn agent(house: &House) -> String {
    let (_, key) = house.agent("ada").await;
    house.post("/api/agents/ada/assignments", json!({"tool": "manageTools"})).await;
    let allowed = json!({"tools": [{"toolName": "manageTools", "permissionStatus": "always_allow"}]});
    let (status, body) = house.ask(&house.key, Method::PUT, "/api/agents/ada/tools", Some(allowed)).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    key
}

async fn ask(house: &House, key: &str, input: Value) -> String {
    let (status, asked) = house.ask(key, Method::POST, MANAGE, Some(input)).await;
    assert_eq!((status, &asked["status"]), (StatusCode::ACCEPTED, &json!("pending")), "{asked}");
    asked["id"].as_str().unwrap().to_owned()
}

async fn approved(house: &House, key: &str, id: &str) -> Value {
    let (status, body) = house.ask(key, Method::POST, &format!("/api/invocations/{id}/approve"), None).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    house.ended(id).await
}

#[rstest]
#[case::embedded(Database::Sqlite)]
#[case::shared(Database::Postgres)]
#[tokio::test]
async fn an_agent_makes_changes_and_deletes_a_tool_with_a_persons_yes_to_each(#[case] database: Database) {
    let house = House::on(database).await;
    let key = agent(&house).await;
    let id = ask(&house, &key, create("greet")).await;
    assert_eq!(
        house.get("/api/tools/greet").await.0,
        StatusCode::NOT_FOUND,
        "nothing happens before the yes"
    );
    let (status, _) = house.ask(&key, Method::POST, &format!("/api/invocations/{id}/approve"), None).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "an agent cannot approve itself");
    let done = approved(&house, &house.approver().await, &id).await;
    assert_eq!(
        (&done["status"], &done["output"]["tool"]["kind"]),
        (&json!("completed"), &json!("tenant_custom")),
        "{done}"
    );
    let (_, envelope) = house.post("/api/tools/greet/invoke", json!({"name": "Ada"})).await;
    assert_eq!(envelope["output"]["text"], "Hello Ada");
    let (_, foreign) = house.tenant("ims").await;
    let (status, _) = house.ask(&foreign, Method::GET, "/api/tools/greet", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "another tenant sees nothing of it");

    let id =
        ask(&house, &key, json!({"action": "update", "slug": "greet", "description": "Says hello."})).await;
    let done = approved(&house, &house.approver().await, &id).await;
    assert_eq!(
        (&done["output"]["created"], &done["output"]["tool"]["version"]),
        (&json!(true), &json!("1.0.1")),
        "{done}"
    );
    let id =
        ask(&house, &key, json!({"action": "update", "slug": "calculate", "requires_approval": true})).await;
    let done = approved(&house, &house.approver().await, &id).await;
    assert_eq!(done["output"]["tool"]["kind"], "system_override", "{done}");
    let id = ask(&house, &key, json!({"action": "get", "slug": "greet"})).await;
    assert_eq!(
        approved(&house, &house.approver().await, &id).await["output"]["tool"]["description"],
        "Says hello."
    );
    let id = ask(&house, &key, json!({"action": "delete", "slug": "greet"})).await;
    assert_eq!(
        approved(&house, &house.approver().await, &id).await["output"],
        json!({"action": "delete", "deleted": "greet"})
    );
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_yes_of_somebody_who_may_not_change_tools_is_not_enough() {
    let house = House::new().await;
    let key = agent(&house).await;
    let id = ask(&house, &key, create("greet")).await;
    let only_approves = house.key_with(&[Scope::ApprovalsDecide]).await;
    let path = format!("/api/invocations/{id}/approve");
    let (status, told) = house.ask(&only_approves, Method::POST, &path, None).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{told}");
    assert!(told["detail"].as_str().unwrap().contains("tools:write"), "{told}");
    let (_, row) = house.get(&format!("/api/invocations/{id}")).await;
    assert_eq!(row["status"], "pending", "the question stays open for somebody who may: {row}");
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_tool_that_stands_on_it_does_not_get_an_agent_past_the_question() {
    let house = House::new().await;
    let (_, key) = house.agent("ada").await;
    let disguise = json!({
        "name": "make", "version": "1.0.0", "description": "d", "input_schema": {"type": "object"},
        "execution": {"kind": "builtin", "handler": "manageTools"},
    });
    assert_eq!(house.register(disguise).await.0, StatusCode::CREATED);
    house.post("/api/agents/ada/assignments", json!({"tool": "make"})).await;
    let allowed = json!({"tools": [{"toolName": "make", "permissionStatus": "always_allow"}]});
    house.ask(&house.key, Method::PUT, "/api/agents/ada/tools", Some(allowed)).await;
    let (status, denied) =
        house.ask(&key, Method::POST, "/api/tools/make/invoke", Some(create("greet"))).await;
    assert_eq!((status, &denied["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")), "{denied}");
    assert_eq!(house.get("/api/tools/greet").await.0, StatusCode::NOT_FOUND);
}

#[rstest]
#[case(json!({"action": "create"}), "manageTools.create requires 'slug'")]
#[case(json!({"action": "create", "slug": "x", "description": "d", "execution": {"kind": "builtin"}}), "manageTools.create requires 'input_schema'")]
#[case(json!({"action": "update"}), "manageTools.update requires 'slug'")]
#[case(json!({"action": "update", "slug": "x"}), "manageTools.update requires a field to change")]
#[case(json!({"action": "delete"}), "manageTools.delete requires 'slug'")]
#[case(json!({"action": "get"}), "manageTools.get requires 'slug'")]
#[case(json!({"action": "rename", "slug": "x"}), "")]
#[case(json!({"action": "list", "tenant_id": "t"}), "tenant_id")]
#[tokio::test]
async fn nobody_is_asked_about_what_cannot_be_done(#[case] input: Value, #[case] message: &str) {
    let house = House::new().await;
    let key = agent(&house).await;
    let (status, refused) = house.ask(&key, Method::POST, MANAGE, Some(input)).await;
    assert_eq!(
        (status, &refused["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("VALIDATION_ERROR")),
        "{refused}"
    );
    assert!(refused["detail"].as_str().unwrap().contains(message), "{refused}");
    assert_eq!(house.get("/api/approvals").await.1["items"], json!([]));
}

#[tokio::test]
async fn a_person_needs_the_scope_that_the_routes_need_and_is_not_asked() {
    let house = House::new().await;
    let caller = house.key_with(&[Scope::ToolsExecute, Scope::ToolsRead]).await;
    let (status, denied) = house.ask(&caller, Method::POST, MANAGE, Some(create("greet"))).await;
    assert_eq!((status, &denied["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")), "{denied}");
    let (status, listed) = house
        .ask(&caller, Method::POST, MANAGE, Some(json!({"action": "list", "search": "percentiles"})))
        .await;
    assert_eq!(
        (status, &listed["output"]["items"][0]["slug"]),
        (StatusCode::OK, &json!("summarize_numbers")),
        "{listed}"
    );
    let (status, done) = house.post(MANAGE, create("greet")).await;
    assert_eq!((status, &done["output"]["created"]), (StatusCode::OK, &json!(true)), "{done}");
    let (status, twice) = house.post(MANAGE, create("greet")).await;
    assert_eq!(
        (status, &twice["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("VALIDATION_ERROR")),
        "{twice}"
    );
    let (_, looser) =
        house.post(MANAGE, json!({"action": "update", "slug": "calculate", "timeout_ms": 999_999})).await;
    assert!(
        looser["detail"].as_str().unwrap().contains("`timeout_ms` can only be made stricter"),
        "{looser}"
    );
}
