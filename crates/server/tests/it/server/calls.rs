//! Calling tools.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::common::{Events, House, definition, read};

#[tokio::test]
async fn the_answer_of_invoke_is_the_envelope() {
    let house = House::new().await;
    let (status, envelope) =
        house.post("/api/tools/calculate/invoke", json!({"expression": "(2+3)*7"})).await;
    assert_eq!(status, StatusCode::OK, "{envelope}");
    assert_eq!(envelope["output"]["result"], "35");
    assert_eq!((&envelope["name"], &envelope["version"]), (&json!("calculate"), &json!("1.0.0")));
    assert_eq!(envelope["input"], json!({"expression": "(2+3)*7"}));
    let (_, explicit) =
        house.post("/api/tools/calculate@^1/invoke", json!({"input": {"expression": "(2+3)*7"}})).await;
    assert_eq!(explicit["call_id"], envelope["call_id"], "both forms are the same call");
    let id = envelope["invocation_id"].as_str().unwrap();
    let (_, again) = house.get(&format!("/api/invocations/{id}/envelope")).await;
    assert_eq!(again, envelope, "the receipt is durable");
}

#[tokio::test]
async fn a_refused_call_is_a_problem_that_carries_its_receipt() {
    let house = House::new().await;
    let (status, problem) = house.post("/api/tools/calculate/invoke", json!({"expression": 7})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        (&problem["code"], &problem["error"]["code"]),
        (&json!("VALIDATION_ERROR"), &json!("VALIDATION_ERROR"))
    );
    assert_eq!(problem["error"]["details"]["errors"][0]["path"], "/expression");
    let (_, row) =
        house.get(&format!("/api/invocations/{}", problem["invocation_id"].as_str().unwrap())).await;
    assert_eq!((&row["status"], &row["approval_status"]), (&json!("failed"), &json!("not_required")));

    let (status, problem) = house.post("/api/tools/no_such_tool/invoke", json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("NOT_FOUND")));
    let (status, problem) = house.post("/api/tools/calculate@9.9.9/invoke", json!({})).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(problem["detail"].as_str().unwrap().contains("there are 1.0.0"), "{problem}");
}

#[tokio::test]
async fn a_call_that_must_ask_answers_202_with_its_row() {
    let house = House::new().await;
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
    let (status, row) = house.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    assert_eq!((&row["status"], &row["approval_required"]), (&json!("pending"), &json!(true)));
    assert_eq!(row["decision"]["verdict"], "ask");
    let id = row["id"].as_str().unwrap();
    let (status, _) = house.get(&format!("/api/invocations/{id}/envelope")).await;
    assert_eq!(status, StatusCode::CONFLICT, "no receipt yet");
    let (_, cancelled) = house.post(&format!("/api/invocations/{id}/cancel"), json!({})).await;
    assert_eq!(cancelled["status"], "cancelled");
}

#[tokio::test]
async fn a_streamed_call_tells_its_start_its_chunks_and_its_end() {
    let house = House::new().await;
    let request =
        house.request(Method::POST, "/api/tools/wait/invoke/stream").json(&json!({"ms": 60, "every_ms": 20}));
    let mut events = Events::new(request.send().await.unwrap());
    let (name, _, started) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &started["name"]), ("started", &json!("wait")));
    for n in 1..=3 {
        let (name, _, chunk) = events.next().await.unwrap();
        assert_eq!((name.as_str(), chunk), ("output", json!({"waited_ms": 20 * n})));
    }
    let (name, _, finished) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &finished["output"]), ("finished", &json!({"waited_ms": 60})));
    assert_eq!(finished["invocation_id"], started["invocation_id"]);
    assert!(events.next().await.is_none(), "the stream ends with the call");
}

#[tokio::test]
async fn a_running_call_is_cancelled_over_rest() {
    let house = House::new().await;
    let request = house.request(Method::POST, "/api/tools/wait/invoke/stream").json(&json!({"ms": 60_000}));
    let mut events = Events::new(request.send().await.unwrap());
    let (_, _, started) = events.next().await.unwrap();
    let id = started["invocation_id"].as_str().unwrap();
    let (status, row) = house.post(&format!("/api/invocations/{id}/cancel"), json!({})).await;
    assert_eq!((status, &row["status"]), (StatusCode::OK, &json!("cancelled")));
    let (name, _, finished) = events.next().await.unwrap();
    assert_eq!((name.as_str(), &finished["error"]["details"]["outcome"]), ("finished", &json!("cancelled")));
}

#[tokio::test]
async fn a_batch_runs_side_by_side_and_keeps_the_order_of_its_calls() {
    let house = House::new().await;
    let session = "ses_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11";
    let batch = json!({"session_id": session, "calls": [
        {"tool": "wait", "input": {"ms": 60_000}},
        {"tool": "calculate", "input": {"expression": "1+1"}},
        {"tool": "nobody", "input": {}},
        {"tool": "calculate@1.0.0", "input": {"expression": "1+1"}},
        {"tool": "wait", "input": {"ms": 60_000}},
    ]});
    let path = format!("/api/sessions/{session}/events");
    let follow = house.request(Method::GET, &path).header("accept", "text/event-stream");
    let mut events = Events::new(follow.send().await.unwrap());
    // Both that wait have begun, and all others are over, before the test ends either of them; the last one first.
    let end_both = async {
        let (mut waiting, mut over) = (Vec::new(), Vec::new());
        while waiting.len() + over.len() < 5 {
            let (kind, _, event) = events.next().await.unwrap();
            match (kind.as_str(), event["data"]["name"].as_str().unwrap()) {
                ("tool.started", "wait") => waiting.push(event),
                ("tool.started", _) => {}
                _ => over.push(event),
            }
        }
        assert_eq!((waiting.len(), over.len()), (2, 3), "nothing waits for what was asked before it");
        for event in waiting.iter().rev() {
            let path = format!("/api/invocations/{}/cancel", event["invocation_id"].as_str().unwrap());
            let (status, row) = house.post(&path, json!({})).await;
            assert_eq!((status, &row["status"]), (StatusCode::OK, &json!("cancelled")));
        }
    };
    let ((status, answer), ()) = tokio::join!(house.post("/api/invoke/batch", batch), end_both);
    assert_eq!(status, StatusCode::OK, "{answer}");
    let results = answer["results"].as_array().unwrap();
    assert_eq!(results[0]["error"]["details"]["outcome"], "cancelled");
    assert_eq!(results[1]["output"]["result"], "2");
    assert_eq!(results[2]["error"]["code"], "VALIDATION_ERROR");
    assert_eq!(results[3]["output"]["result"], "2");
    assert_eq!(results[4]["error"]["details"]["outcome"], "cancelled");
    let ids: BTreeSet<_> = results.iter().map(|result| result["call_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 5, "the places of equal calls differ");
    let begun = answer["tool_order"].as_array().unwrap();
    assert_eq!(begun.len(), 5);
    assert_eq!(begun.iter().map(|id| id.as_str().unwrap()).collect::<BTreeSet<_>>(), ids);
    let (status, _) = house.post("/api/invoke/batch", json!({"calls": []})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn an_idempotency_key_gets_the_same_answer_twice() {
    let house = House::new().await;
    let ask = |expression: &'static str| {
        let request =
            house.request(Method::POST, "/api/tools/calculate/invoke").header("Idempotency-Key", "order-7");
        async move { read(request.json(&json!({"expression": expression})).send().await.unwrap()).await }
    };
    let (first, second) = tokio::join!(ask("1+1"), ask("1+1"));
    assert_eq!(first.1["invocation_id"], second.1["invocation_id"]);
    assert_eq!(ask("1+1").await.1, first.1);
    assert_eq!(ask("1+2").await.0, StatusCode::UNPROCESSABLE_ENTITY);
}
