//! Runs of agents over REST: started, watched, stopped.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::Scope;

use crate::server::common::{Events, House, definition};

const CALCULATES: &str = "turns:
  - tool_calls: [{name: calculate, arguments: {expression: 6*7}}]
    usage: {input_tokens: 40, output_tokens: 4}
  - {deltas: [It is, ' 42.'], usage: {input_tokens: 60, output_tokens: 5}}
";

const ANNOUNCES: &str = "turns:
  - tool_calls: [{name: announce, arguments: {ms: 1}}]
  - {text: announced}
";

async fn announcing() -> House {
    let house = House::with_script(ANNOUNCES).await;
    house.register(definition("announce", "wait", json!({"egress_class": "write"}))).await;
    let agent = json!({"handle": "helper", "display_name": "helper", "custom_tools": ["announce"]});
    house.post("/api/agents", agent).await;
    house
}

/// Everything that a run's stream tells, from the event with this id on.
async fn told(house: &House, run: &Value, after: Option<&str>) -> Vec<(String, String, Value)> {
    let path = format!("/api/runs/{}/events", run["id"].as_str().unwrap());
    let mut request = house.request(Method::GET, &path).header("accept", "text/event-stream");
    if let Some(after) = after {
        request = request.header("last-event-id", after);
    }
    let mut events = Events::new(request.send().await.unwrap());
    let mut told = Vec::new();
    while let Some(event) = events.next().await {
        told.push(event);
    }
    told
}

fn kinds(told: &[(String, String, Value)]) -> Vec<&str> {
    told.iter().map(|(kind, ..)| kind.as_str()).collect()
}

#[tokio::test]
async fn a_run_is_started_read_and_listed() {
    let house = House::with_script(CALCULATES).await;
    house.free_agent("helper", &["calculate"]).await;
    let (status, run) = house.post("/api/runs", json!({"agent": "helper", "message": "6*7?"})).await;
    assert_eq!((status, &run["response"]), (StatusCode::OK, &json!("It is 42.")), "{run}");
    assert_eq!((&run["steps"]["turns"], &run["steps"]["calls"]), (&json!(2), &json!(1)));
    assert_eq!((&run["steps"]["input_tokens"], &run["agent"]), (&json!(100), &json!("helper")));
    let id = run["id"].as_str().unwrap();
    assert!(id.starts_with("run_"));
    let (_, again) = house.get(&format!("/api/runs/{id}")).await;
    assert_eq!(again, run);

    let (_, steps) = house.get(&format!("/api/runs/{id}/steps")).await;
    assert_eq!(steps["items"][0]["kind"], "begin");
    assert_eq!(steps["items"][1]["title"], "calls calculate");
    assert!(steps["items"][1]["body"]["turn"]["raw"].is_null(), "{steps}");
    let (_, raw) = house.get(&format!("/api/runs/{id}/steps?raw=true")).await;
    assert!(raw["items"][1]["body"]["turn"]["raw"].is_object(), "{raw}");
    let (_, calls) = house.get(&format!("/api/runs/{id}/calls")).await;
    assert_eq!(
        (&calls["items"][0]["tool_name"], &calls["items"][0]["run_id"]),
        (&json!("calculate"), &run["id"])
    );

    house.free_agent("other", &["calculate"]).await;
    let (_, agent) = house.get("/api/agents/helper").await;
    for named in ["helper", agent["id"].as_str().unwrap()] {
        let (_, list) = house.get(&format!("/api/runs?agent={named}&status=completed")).await;
        assert_eq!(list["items"][0]["id"], run["id"], "{list}");
        assert_eq!(list["items"][0]["agent_id"], agent["id"], "{list}");
    }
    for none in ["agent=other", "status=failed", "since=2999-01-01T00:00:00Z", "until=2001-01-01T00:00:00Z"] {
        let (_, list) = house.get(&format!("/api/runs?{none}")).await;
        assert_eq!(list["items"], json!([]), "{none}");
    }
    let (status, _) = house.get("/api/runs?agent=nobody").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn runs_are_listed_page_by_page() {
    let house = House::with_script(CALCULATES).await;
    house.free_agent("helper", &["calculate"]).await;
    let mut ids = Vec::new();
    for number in 0..3 {
        let message = json!({"agent": "helper", "message": format!("number {number}")});
        ids.push(house.post("/api/runs", message).await.1["id"].clone());
    }
    let (_, first) = house.get("/api/runs?limit=2").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let (_, second) = house.get(&format!("/api/runs?limit=2&cursor={cursor}")).await;
    let listed: Vec<_> = [&first, &second]
        .into_iter()
        .flat_map(|page| page["items"].as_array().unwrap())
        .map(|run| run["id"].clone())
        .collect();
    ids.reverse();
    assert_eq!(listed, ids);
    assert!(second["next_cursor"].is_null());
}

#[tokio::test]
async fn what_happens_in_a_run_is_told_in_order_and_a_broken_stream_goes_on_anywhere() {
    let house = House::with_script(CALCULATES).await;
    house.free_agent("helper", &["calculate"]).await;
    let (_, run) = house.post("/api/runs", json!({"agent": "helper", "message": "6*7?"})).await;
    let all = told(&house, &run, None).await;
    let order: Vec<&str> = kinds(&all).into_iter().filter(|kind| *kind != "text.delta").collect();
    let expected = ["run.started", "usage", "tool.started", "tool.completed", "usage", "run.finished"];
    assert_eq!(order, expected);
    let text: String = all
        .iter()
        .filter(|(kind, ..)| kind == "text.delta")
        .map(|(.., event)| event["data"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(text, "It is 42.");
    let of = |kind: &str| all.iter().find(|event| event.0 == kind).map(|event| &event.2["data"]).unwrap();
    let started = of("tool.started");
    assert_eq!(
        (&started["name"], &started["input"], &started["iteration"]),
        (&json!("calculate"), &json!({"expression": "6*7"}), &json!(1))
    );
    assert_eq!(of("tool.completed")["output"]["result"], "42");
    assert_eq!(
        (&of("usage")["usage"]["input_tokens"], &of("usage")["model"]),
        (&json!(40), &json!("scripted"))
    );
    assert_eq!(
        (&of("run.finished")["status"], &of("run.finished")["response"]),
        (&json!("completed"), &json!("It is 42."))
    );

    let beside = house.beside().await;
    for (number, (_, id, _)) in all.iter().enumerate() {
        assert_eq!(told(&beside, &run, Some(id)).await, all[number + 1..], "after {id}");
    }
    beside.stop().await;
    let house = house.restart().await;
    let half = all.len() / 2;
    assert_eq!(told(&house, &run, Some(&all[half].1)).await, all[half + 1..]);

    let (_, page) = house.get(&format!("/api/runs/{}/events?limit=2", run["id"].as_str().unwrap())).await;
    assert_eq!(page["items"][1]["id"].to_string(), all[1].1);
    let next = &page["next_after"];
    let (_, page) =
        house.get(&format!("/api/runs/{}/events?after={next}", run["id"].as_str().unwrap())).await;
    assert_eq!(page["items"].as_array().unwrap().len(), all.len() - 2);
}

#[tokio::test]
async fn a_run_in_the_background_is_followed_to_its_end() {
    let house = House::with_script(CALCULATES).await;
    house.free_agent("helper", &["calculate"]).await;
    let asked = json!({"agent": "helper", "message": "6*7?", "wait": false});
    let start = || async {
        let request = house.request(Method::POST, "/api/runs").header("idempotency-key", "k1").json(&asked);
        crate::server::common::read(request.send().await.unwrap()).await
    };
    let (status, run) = start().await;
    assert_eq!(status, StatusCode::ACCEPTED, "{run}");
    let all = told(&house, &run, None).await;
    assert_eq!(kinds(&all).last(), Some(&"run.finished"));
    let (status, again) = start().await;
    assert_eq!((status, &again["id"]), (StatusCode::OK, &run["id"]), "the key names one run");

    let live = house
        .request(Method::POST, "/api/runs")
        .header("accept", "text/event-stream")
        .json(&json!({"agent": "helper", "message": "6*7?"}));
    let mut events = Events::new(live.send().await.unwrap());
    let mut seen = Vec::new();
    while let Some((kind, ..)) = events.next().await {
        seen.push(kind);
    }
    assert_eq!(
        (seen.first().unwrap().as_str(), seen.last().unwrap().as_str()),
        ("run.started", "run.finished")
    );
}

#[tokio::test]
async fn a_run_that_waits_says_for_whom_and_goes_on_when_a_person_agrees() {
    let house = announcing().await;
    let (status, run) = house.post("/api/runs", json!({"agent": "helper", "message": "go"})).await;
    assert_eq!((status, &run["status"]), (StatusCode::ACCEPTED, &json!("running")), "{run}");
    let waits = run["waiting_for"][0].as_str().unwrap();
    let (_, page) = house.get(&format!("/api/runs/{}/events", run["id"].as_str().unwrap())).await;
    let last: Vec<_> = page["items"].as_array().unwrap().iter().rev().take(2).collect();
    assert_eq!(
        (&last[1]["type"], &last[1]["data"]["name"]),
        (&json!("tool.needs_approval"), &json!("announce"))
    );
    assert_eq!(last[1]["data"]["invocation_id"], waits);
    assert!(last[1]["data"]["expires_at"].is_string());
    assert_eq!((&last[0]["type"], &last[0]["data"]["for"]), (&json!("run.waiting"), &json!([waits])));

    let approver = house.key_with(&[toolgate_domain::Scope::ApprovalsDecide]).await;
    let path = format!("/api/invocations/{waits}/approve");
    let (status, body) = house.ask(&approver, Method::POST, &path, Some(json!({}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let rest = told(&house, &run, Some(&last[0]["id"].to_string())).await;
    assert_eq!(kinds(&rest)[..2], ["tool.approved", "tool.started"]);
    assert_eq!(rest.last().unwrap().2["data"]["response"], "announced");
}

#[tokio::test]
async fn a_cancelled_run_takes_back_what_it_asks_and_stays_cancelled() {
    let house = announcing().await;
    let (_, run) = house.post("/api/runs", json!({"agent": "helper", "message": "go"})).await;
    let (id, waits) = (run["id"].as_str().unwrap(), run["waiting_for"][0].as_str().unwrap());
    let narrow = house.key_with(&[Scope::ToolsExecute]).await;
    for path in [format!("/api/runs/{id}/cancel"), format!("/api/invocations/{waits}/cancel")] {
        let (status, answer) = house.ask(&narrow, Method::POST, &path, Some(json!({}))).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "it is not theirs: {answer}");
    }
    for _ in 0..2 {
        let (status, ended) = house.post(&format!("/api/runs/{id}/cancel"), json!({})).await;
        assert_eq!((status, &ended["status"]), (StatusCode::OK, &json!("cancelled")), "{ended}");
    }
    let (_, inner) = house.get(&format!("/api/invocations/{waits}")).await;
    assert_eq!(inner["status"], "cancelled");
    let (_, waiting) = house.get("/api/approvals").await;
    assert_eq!(waiting["items"], json!([]));
    let all = told(&house, &run, None).await;
    assert_eq!(all.last().unwrap().2["data"]["status"], "cancelled");
}

#[tokio::test]
async fn what_is_no_run_is_not_found_among_runs() {
    let house = House::with_script(CALCULATES).await;
    let (_, call) = house.post("/api/tools/calculate/invoke", json!({"expression": "1"})).await;
    let id = call["invocation_id"].as_str().unwrap().trim_start_matches("inv_");
    for (method, path) in [(Method::GET, ""), (Method::GET, "/events"), (Method::POST, "/cancel")] {
        let (status, _) = house.ask(&house.key, method, &format!("/api/runs/{id}{path}"), None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    let (status, problem) = house.post("/api/runs", json!({"agent": "nobody", "message": "go"})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("POLICY_DENIED")), "{problem}");
    let (status, _) = house.post("/api/runs", json!({"agent": "nobody", "message": ""})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}
