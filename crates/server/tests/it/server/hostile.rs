//! The worst inputs: each gets a clear error, leaves a record where it named a tool, and the server keeps serving.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::server::common::{House, definition};

async fn recorded(house: &House, problem: &Value) {
    let (status, row) = house
        .get(&format!("/api/invocations/{}", problem["invocation_id"].as_str().expect("a record")))
        .await;
    assert_eq!(
        (status, &row["status"], &row["error"]["code"]),
        (StatusCode::OK, &json!("failed"), &json!("VALIDATION_ERROR"))
    );
}

#[tokio::test]
async fn bodies_that_cannot_be_read() {
    let house = House::new().await;
    let deep = format!("{{\"expression\":{}1{}}}", "[".repeat(1_000), "]".repeat(1_000));
    let cases: Vec<(&str, Vec<u8>, StatusCode)> = vec![
        ("malformed", b"{\"expression\": ".to_vec(), StatusCode::BAD_REQUEST),
        ("not an object", b"[1]".to_vec(), StatusCode::UNPROCESSABLE_ENTITY),
        ("duplicate keys", b"{\"expression\":\"1\",\"expression\":\"2\"}".to_vec(), StatusCode::BAD_REQUEST),
        ("invalid UTF-8", b"{\"expression\":\"\xff\xfe\"}".to_vec(), StatusCode::BAD_REQUEST),
        ("outside the double range", b"{\"expression\":1e400}".to_vec(), StatusCode::BAD_REQUEST),
        (
            "an integer that would be rounded",
            b"{\"n\":12345678901234567890}".to_vec(),
            StatusCode::BAD_REQUEST,
        ),
        ("a thousand levels", deep.into_bytes(), StatusCode::BAD_REQUEST),
        (
            "ten megabytes",
            format!("{{\"expression\":\"{}\"}}", "1+".repeat(5 << 20)).into_bytes(),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
        ("wrong type", b"{\"expression\":{}}".to_vec(), StatusCode::UNPROCESSABLE_ENTITY),
        ("null", b"null".to_vec(), StatusCode::UNPROCESSABLE_ENTITY),
        ("a session that is none", br#"{"input":{},"session_id":"ses_x"}"#.to_vec(), StatusCode::BAD_REQUEST),
        ("a session that is a number", br#"{"input":{},"session_id":7}"#.to_vec(), StatusCode::BAD_REQUEST),
        ("a run that is a list", br#"{"input":{},"run_id":[]}"#.to_vec(), StatusCode::BAD_REQUEST),
        (
            "a wish that is a text",
            br#"{"input":{},"bypass_approval":"yes"}"#.to_vec(),
            StatusCode::BAD_REQUEST,
        ),
    ];
    for (what, body, expected) in cases {
        let (status, problem) = house.post_bytes("/api/tools/calculate/invoke", body).await;
        assert_eq!(status, expected, "{what}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{what}: {problem}");
        recorded(&house, &problem).await;
        let (status, fine) = house.post("/api/tools/calculate/invoke", json!({"expression": "1+1"})).await;
        assert_eq!((status, &fine["output"]["result"]), (StatusCode::OK, &json!("2")), "after {what}");
    }
}

#[tokio::test]
async fn a_key_that_is_no_key_is_recorded_as_well() {
    let house = House::new().await;
    let request = house
        .request(reqwest::Method::POST, "/api/tools/calculate/invoke")
        .header("idempotency-key", reqwest::header::HeaderValue::from_bytes(b"caf\xe9").unwrap())
        .body("{\"expression\":\"1+1\"}");
    let (status, problem) = crate::server::common::read(request.send().await.unwrap()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
    recorded(&house, &problem).await;
}

#[tokio::test]
async fn odd_requests() {
    let house = House::new().await;
    let unlabelled = house
        .request(reqwest::Method::POST, "/api/tools/calculate/invoke")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("{\"expression\":\"1+1\"}");
    let (status, envelope) = crate::server::common::read(unlabelled.send().await.unwrap()).await;
    assert_eq!(
        (status, &envelope["output"]["result"]),
        (StatusCode::OK, &json!("2")),
        "what curl -d sends is JSON too"
    );
    let ambient = house.http.get(format!("{}/api/tools", house.url)).basic_auth("me", Some(&house.key));
    assert_eq!(
        ambient.send().await.unwrap().status(),
        StatusCode::UNAUTHORIZED,
        "what a browser sends on its own opens no data"
    );
    for (path, expected) in [
        ("/api/nothing", StatusCode::NOT_FOUND),
        ("/api/invocations/not-an-id", StatusCode::BAD_REQUEST),
        ("/api/invocations?limit=0", StatusCode::BAD_REQUEST),
        ("/api/invocations?limit=100000", StatusCode::BAD_REQUEST),
        ("/api/invocations?statsu=failed", StatusCode::BAD_REQUEST),
        ("/api/invocations?status=lost", StatusCode::BAD_REQUEST),
        ("/api/tools/%00", StatusCode::NOT_FOUND),
        ("/api/tools/%ff", StatusCode::BAD_REQUEST),
        ("/api/invocations/%ff", StatusCode::BAD_REQUEST),
        ("/api/tools/%c3%28/versions", StatusCode::BAD_REQUEST),
        ("/api/tools/..%2f..%2fetc", StatusCode::NOT_FOUND),
        ("/api/sessions/ses_x/events", StatusCode::BAD_REQUEST),
    ] {
        let (status, problem) = house.get(path).await;
        assert_eq!(status, expected, "{path}: {problem}");
        assert!(problem["code"].is_string(), "{path}: {problem}");
    }
    let (status, problem) = house.post("/healthz", json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::METHOD_NOT_ALLOWED, &json!("METHOD_NOT_ALLOWED")));
    let huge =
        house.request(reqwest::Method::GET, "/healthz").header("x-big", "x".repeat(60_000)).send().await;
    assert!(huge.map_or(true, |response| response.status() == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
    assert_eq!(house.get("/healthz").await.0, StatusCode::OK);
}

#[tokio::test]
async fn an_output_that_breaks_its_own_schema_is_an_error_of_the_tool() {
    let house = House::new().await;
    let schema = json!({"type": "object", "properties": {"waited_ms": {"type": "string"}}});
    house.register(definition("liar", "wait", json!({"output_schema": schema}))).await;
    let (status, envelope) = house.post("/api/tools/liar/invoke", json!({"ms": 0})).await;
    assert_eq!(
        (status, &envelope["error"]["code"]),
        (StatusCode::OK, &json!("PROVIDER_ERROR")),
        "{envelope}"
    );
    assert_eq!(envelope["error"]["details"]["reason"], "output_schema");
    assert!(envelope.get("output").is_none());
}

#[tokio::test]
async fn bound_arguments_that_the_built_in_refuses_are_invalid_input() {
    let house = House::new().await;
    let execution = json!({"kind": "builtin", "handler": "wait", "arguments": {"ms": "$input.n"}});
    house.register(definition("bound", "wait", json!({"execution": execution}))).await;
    let (status, envelope) = house.post("/api/tools/bound/invoke", json!({"n": 1})).await;
    assert_eq!((status, &envelope["output"]["waited_ms"]), (StatusCode::OK, &json!(1)), "{envelope}");
    let (status, envelope) = house.post("/api/tools/bound/invoke", json!({"n": -1})).await;
    assert_eq!((status, &envelope["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("VALIDATION_ERROR")));
}
