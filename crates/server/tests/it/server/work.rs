//! Skills and tasks over REST.

use reqwest::{Method, StatusCode};
use rstest::rstest;
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{Database, House, definition};

#[tokio::test]
async fn skills_are_made_changed_and_deleted_and_the_trail_tells() {
    let house = House::new().await;
    let new = json!({"name": "summary", "instructions": "Be brief."});
    let (status, skill) = house.post("/api/skills", new.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{skill}");
    let (status, problem) = house.post("/api/skills", new).await;
    assert_eq!(
        (status, problem["detail"].as_str().unwrap().contains("summary")),
        (StatusCode::CONFLICT, true)
    );
    for bad in [
        json!({"name": "x y", "instructions": "x"}),
        json!({"name": "x", "instructions": " "}),
        json!({"name": "x", "instructions": "x", "output_schema": {"type": "strin"}}),
    ] {
        let (status, problem) = house.post("/api/skills", bad).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let changed = json!({"name": "brief", "instructions": "Be brief."});
    let (status, changed) = house.ask(&house.key, Method::PUT, "/api/skills/summary", Some(changed)).await;
    assert_eq!((status, &changed["id"]), (StatusCode::OK, &skill["id"]));
    let (_, listed) = house.get("/api/skills").await;
    assert_eq!(listed["items"], json!([changed]));
    let (status, _) = house.ask(&house.key, Method::DELETE, "/api/skills/brief", None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert_eq!(house.get("/api/skills/brief").await.0, StatusCode::NOT_FOUND);
    let (_, trail) = house.get("/api/audit?action=skill.").await;
    let actions: Vec<_> = trail["items"].as_array().unwrap().iter().map(|e| e["action"].clone()).collect();
    assert_eq!(actions, ["skill.delete", "skill.update", "skill.create"]);
}

async fn waiting(house: &House, more: Value) -> (Value, String) {
    let mut execution = json!({"kind": "task", "title": "Look at {{ what }}", "wait": true});
    execution.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let output_schema = json!({"type": "object", "properties": {"result": {"type": "string"}}});
    let patch = json!({"execution": execution, "output_schema": output_schema});
    let (status, saved) = house.register(definition("look", "", patch)).await;
    assert_eq!(status, StatusCode::CREATED, "{saved}");
    let (status, row) = house.post("/api/tools/look/invoke", json!({"what": "it"})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{row}");
    let (_, tasks) = house.get("/api/tasks").await;
    let id = tasks["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(tasks["items"][0]["invocation_id"], row["id"]);
    (row, id)
}

#[rstest]
#[case::embedded(Database::Sqlite)]
#[case::shared(Database::Postgres)]
#[tokio::test]
async fn a_task_is_started_and_completed_and_its_call_answers_after_a_restart(#[case] database: Database) {
    let house = House::on(database).await;
    let (row, id) = waiting(&house, json!({})).await;
    let (status, started) = house.post(&format!("/api/tasks/{id}/start"), json!({})).await;
    assert_eq!((status, &started["status"]), (StatusCode::OK, &json!("in_progress")));
    let (status, problem) = house.post(&format!("/api/tasks/{id}/complete"), json!({"result": 7})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(problem["detail"].as_str().unwrap().contains("/result"), "{problem}");

    let house = house.restart().await;
    let (status, done) = house.post(&format!("/api/tasks/{id}/complete"), json!({"result": "fine"})).await;
    assert_eq!((status, &done["status"]), (StatusCode::OK, &json!("completed")), "{done}");
    let ended = house.ended(row["id"].as_str().unwrap()).await;
    assert_eq!(ended["output"], json!({"task_id": id, "status": "completed", "result": "fine"}));
    assert_eq!(house.get("/api/tasks").await.1["items"], json!([]), "nothing is left to do");
    let (_, over) = house.get("/api/tasks?status=completed&assignee=nobody").await;
    assert_eq!(over["items"][0]["id"], id.as_str());
    assert_eq!(house.get("/api/tasks?status=done").await.0, StatusCode::BAD_REQUEST);
    let (status, _) = house.post(&format!("/api/tasks/{id}/cancel"), json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "a task ends once");
}

#[tokio::test]
async fn a_task_of_somebody_else_is_not_mine_to_end() {
    let house = House::new().await;
    let (_, id) = waiting(&house, json!({"assignee": {"role": "approver"}})).await;
    let key = house.key_with(&[Scope::TasksWork]).await;
    let complete = format!("/api/tasks/{id}/complete");
    let (status, _) = house.ask(&key, Method::POST, &complete, Some(json!({"result": "x"}))).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, task) = house.ask(&key, Method::GET, &format!("/api/tasks/{id}"), None).await;
    assert_eq!((status, &task["status"]), (StatusCode::OK, &json!("open")), "it can be seen");
}

#[tokio::test]
async fn a_composition_is_refused_at_its_place() {
    let house = House::new().await;
    let steps = json!([{"id": "a", "tool": "calculate", "input": {}}]);
    let patch = json!({"execution": {"kind": "composition", "steps": steps}});
    let (status, problem) = house.register(definition("sum", "", patch)).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(problem["pointer"], "/execution/steps/0/input/expression", "{problem}");
}
