use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::server::common::{House, definition};

async fn calls(house: &House, name: &str) -> (StatusCode, Value) {
    house.post(&format!("/api/tools/{name}/invoke"), json!({"ms": 1})).await
}

#[tokio::test]
async fn a_renamed_tool_is_found_by_its_old_name_until_that_ends() {
    let house = House::new().await;
    for version in ["1.0.0", "1.1.0"] {
        house.register(definition("pause", "wait", json!({"version": version}))).await;
    }
    let (status, done) = house.post("/api/tools/pause/rename", json!({"name": "rest"})).await;
    assert_eq!(
        (status, &done["tool"]["name"], &done["alias"]),
        (StatusCode::OK, &json!("rest"), &json!("pause")),
        "{done}"
    );
    assert_eq!(done["tool"]["version"], "1.1.0", "the newest");
    let (status, envelope) = calls(&house, "pause").await;
    assert_eq!((status, &envelope["name"]), (StatusCode::OK, &json!("rest")), "{envelope}");
    assert!(envelope["warnings"][0].as_str().unwrap().contains("alias of `rest`"), "{envelope}");
    assert_eq!(calls(&house, "rest").await.1["warnings"], Value::Null);
    let (_, listed) = house.get("/api/aliases").await;
    assert_eq!(
        (&listed["items"][0]["alias"], &listed["items"][0]["target"]),
        (&json!("pause"), &json!("rest"))
    );

    // Twice renamed, found by the first name.
    house.post("/api/tools/rest/rename", json!({"name": "sleep"})).await;
    assert_eq!(calls(&house, "pause").await.1["name"], "sleep");

    let (status, _) = house.ask(&house.key, Method::DELETE, "/api/aliases/pause", None).await;
    assert_eq!(status, StatusCode::OK);
    let (status, problem) = calls(&house, "pause").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(problem["detail"].as_str().unwrap().contains("call `rest`"), "{problem}");
    let (_, trail) = house.get("/api/audit?action=tool.rename").await;
    assert_eq!(trail["items"].as_array().unwrap().len(), 2);

    for (old, new, says) in
        [("calculate", "sums", "installation"), ("sleep", "calculate", "already"), ("rest", "x", "blocked")]
    {
        let (status, problem) = house.post(&format!("/api/tools/{old}/rename"), json!({"name": new})).await;
        assert!(status.is_client_error() && problem["detail"].as_str().unwrap().contains(says), "{problem}");
    }
}

#[tokio::test]
async fn the_usage_report_tells_who_calls_what_and_by_which_name() {
    let house = House::new().await;
    house.register(definition("pause", "wait", json!({}))).await;
    house.register(definition("other", "wait", json!({}))).await;
    house
        .post("/api/tools/pause/aliases", json!({"alias": "nap", "remove_by": "2999-01-01T00:00:00Z"}))
        .await;
    for name in ["pause", "pause", "nap", "other"] {
        assert_eq!(calls(&house, name).await.0, StatusCode::OK);
    }
    let (_, report) = house.get("/api/tools/pause/usage").await;
    let line = |line: &Value| (line["alias"].clone(), line["calls"].clone(), line["surface"].clone());
    let lines: Vec<_> = report["items"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        [(json!("nap"), json!(1), json!("rest")), (Value::Null, json!(2), json!("rest"))],
        "{report}"
    );

    let (_, going) = house.get("/api/usage/deprecated").await;
    assert_eq!(going["items"].as_array().unwrap().len(), 1, "the alias: {going}");
    house.ask(&house.key, Method::PATCH, "/api/tools/other", Some(json!({"lifecycle": "deprecated"}))).await;
    let (_, going) = house.get("/api/usage/deprecated").await;
    assert_eq!(going["items"][0]["name"], "other");
    assert_eq!(going["items"][0]["lifecycle"], "deprecated");
    let (_, none) = house.get("/api/tools/pause/usage?since=2999-01-01T00:00:00Z").await;
    assert_eq!(none["items"], json!([]));
}

#[tokio::test]
async fn deprecated_tools_are_listed_on_demand_and_say_so() {
    let house = House::new().await;
    house.register(definition("pause", "wait", json!({}))).await;
    house.ask(&house.key, Method::PATCH, "/api/tools/pause", Some(json!({"lifecycle": "deprecated"}))).await;
    let (_, active) = house.get("/api/tools?search=pause").await;
    assert_eq!(active["items"], json!([]));
    let (_, both) = house.get("/api/tools?search=pause&include_deprecated=true").await;
    assert_eq!(both["items"][0]["deprecated"], true);
    assert_eq!(both["items"][0]["warnings"], json!(["pause@1.0.0 is deprecated"]));
}
