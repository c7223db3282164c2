//! Who may take back whose calls and runs.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{House, definition};

const ANNOUNCES: &str = "turns:
  - tool_calls: [{name: announce, arguments: {ms: 1}}]
  - {text: announced}
";

/// Somebody with a role, by their own key.
struct Person {
    id: String,
    key: String,
}

impl House {
    async fn somebody(&self, name: &str, role: &str) -> Person {
        let new = json!({"email": format!("{name}@example.org"), "name": name, "roles": [role]});
        let (status, user) = self.post("/api/users", new).await;
        assert_eq!(status, StatusCode::CREATED, "{user}");
        let id = user["id"].as_str().unwrap().to_owned();
        let key = json!({"name": name, "scopes": ["admin"], "user": id});
        let (status, made) = self.post("/api/keys", key).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        Person { id, key: made["key"].as_str().unwrap().to_owned() }
    }

    async fn cancels(&self, key: &str, what: &str) -> (StatusCode, Value) {
        self.ask(key, Method::POST, &format!("/api/{what}/cancel"), Some(json!({}))).await
    }

    async fn may_not_cancel(&self, key: &str, what: &str) {
        let (status, problem) = self.cancels(key, what).await;
        assert_eq!(
            (status, &problem["code"]),
            (StatusCode::FORBIDDEN, &json!("FORBIDDEN")),
            "{what}: {problem}"
        );
        assert!(problem["detail"].as_str().unwrap().contains("invocations.tenant.cancel"), "{problem}");
    }

    /// A call that waits for a person.
    async fn pushed(&self, key: &str) -> String {
        let (status, row) =
            self.ask(key, Method::POST, "/api/tools/push/invoke", Some(json!({"ms": 1}))).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{row}");
        format!("invocations/{}", row["id"].as_str().unwrap())
    }
}

async fn pushing() -> House {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    house
}

#[tokio::test]
async fn a_call_of_somebody_else_is_cancelled_only_with_the_permission_that_says_so() {
    let house = pushing().await;
    let ada = house.somebody("ada", "member").await;
    let asked = house.pushed(&ada.key).await;
    for (name, role) in [("grace", "member"), ("bob", "builder")] {
        let other = house.somebody(name, role).await;
        house.may_not_cancel(&other.key, &asked).await;
    }
    let blind = house.key_with(&[Scope::ToolsExecute, Scope::InvocationsCancel]).await;
    let (real, invented) = (
        house.cancels(&blind, &asked).await,
        house.cancels(&blind, "invocations/inv_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11").await,
    );
    assert_eq!(real.0, StatusCode::NOT_FOUND, "what may not be read is not there: {}", real.1);
    assert_eq!(real, invented);
    let (status, own) = house.cancels(&ada.key, &asked).await;
    assert_eq!((status, &own["status"]), (StatusCode::OK, &json!("cancelled")), "{own}");

    let operator = house.somebody("olga", "operator").await;
    let scopes = [Scope::ToolsExecute, Scope::InvocationsRead, Scope::InvocationsCancel];
    for key in [operator.key, house.key_with(&scopes).await] {
        let asked = house.pushed(&ada.key).await;
        let (status, ended) = house.cancels(&key, &asked).await;
        assert_eq!((status, &ended["status"]), (StatusCode::OK, &json!("cancelled")), "{ended}");
    }
}

#[tokio::test]
async fn the_owner_of_an_agent_cancels_what_it_called() {
    let house = pushing().await;
    let (owner, other) = (house.somebody("ada", "member").await, house.somebody("grace", "member").await);
    let (_, robot) = house.agent("robot").await;
    let own = json!({"owner": owner.id, "custom_tools": ["push"]});
    let (status, agent) = house.ask(&house.key, Method::PATCH, "/api/agents/robot", Some(own)).await;
    assert_eq!(status, StatusCode::OK, "{agent}");
    let asked = house.pushed(&robot).await;
    house.may_not_cancel(&other.key, &asked).await;
    let (status, ended) = house.cancels(&owner.key, &asked).await;
    assert_eq!((status, &ended["status"]), (StatusCode::OK, &json!("cancelled")), "{ended}");
}

/// What waits in a run that Ada started of an agent that Hal owns: the run, and its call.
async fn running() -> (House, Person, Person, String, String) {
    let house = House::with_script(ANNOUNCES).await;
    house.register(definition("announce", "wait", json!({"egress_class": "write"}))).await;
    let (ada, hal) = (house.somebody("ada", "member").await, house.somebody("hal", "member").await);
    let agent =
        json!({"handle": "helper", "display_name": "helper", "custom_tools": ["announce"], "owner": hal.id});
    let (status, agent) = house.post("/api/agents", agent).await;
    assert_eq!(status, StatusCode::CREATED, "{agent}");
    let start = Some(json!({"agent": "helper", "message": "go"}));
    let (status, run) = house.ask(&ada.key, Method::POST, "/api/runs", start).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{run}");
    let waits = run["waiting_for"][0].as_str().unwrap();
    let (id, waits) = (run["id"].as_str().unwrap(), format!("invocations/{waits}"));
    (house, ada, hal, format!("runs/{id}"), waits)
}

#[tokio::test]
async fn the_one_who_started_a_run_cancels_its_calls_and_the_owner_of_its_agent_the_run() {
    let (house, ada, hal, run, waits) = running().await;
    let grace = house.somebody("grace", "member").await;
    for what in [&run, &waits] {
        house.may_not_cancel(&grace.key, what).await;
    }
    let (status, ended) = house.cancels(&ada.key, &waits).await;
    assert_eq!((status, &ended["status"]), (StatusCode::OK, &json!("cancelled")), "{ended}");
    drop((house, hal));

    let (house, _ada, hal, run, _waits) = running().await;
    let (status, ended) = house.cancels(&hal.key, &run).await;
    assert_eq!((status, &ended["status"]), (StatusCode::OK, &json!("cancelled")), "{ended}");
}
