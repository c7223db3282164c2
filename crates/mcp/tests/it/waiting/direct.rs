//! Plain calls are answered directly, and in nothing else than by the SDK: what differs is only how long it takes.

use rstest::rstest;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpStream};
use toolgate_domain::Status;

use crate::waiting::house::House;

pub fn body(tool: &str, arguments: &Value, can: &Value) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": can,
    });
    json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments, "_meta": meta},
    })
    .to_string()
}

fn headers(key: &str, tool: &str) -> Vec<(&'static str, String)> {
    vec![
        ("authorization", format!("Bearer {key}")),
        ("content-type", "application/json".to_owned()),
        ("accept", "application/json, text/event-stream".to_owned()),
        ("mcp-protocol-version", "2026-07-28".to_owned()),
        ("mcp-method", "tools/call".to_owned()),
        ("mcp-name", tool.to_owned()),
    ]
}

async fn answer(
    house: &House,
    tool: &str,
    body: &str,
    more: &[(&str, &str)],
) -> (u16, Option<String>, Value) {
    answer_to(house, house.key(0), tool, body, more).await
}

pub async fn answer_to(
    house: &House,
    key: &str,
    tool: &str,
    body: &str,
    more: &[(&str, &str)],
) -> (u16, Option<String>, Value) {
    let mut request =
        reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap().post(&house.url);
    for (name, value) in headers(key, tool) {
        request = request.header(name, value);
    }
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    let answer = request.body(body.to_owned()).send().await.unwrap();
    let kind = answer.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    (answer.status().as_u16(), kind, blurred(answer.json().await.unwrap()))
}

/// Without what differs from call to call: ids, seals and moments.
fn blurred(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let moments = ["createdAt", "lastUpdatedAt", "expires_at"];
            let blur = |(key, value): (String, Value)| {
                let value =
                    if moments.contains(&key.as_str()) { json!(!value.is_null()) } else { blurred(value) };
                (key, value)
            };
            Value::Object(fields.into_iter().map(blur).collect())
        }
        Value::Array(items) => items.into_iter().map(blurred).collect(),
        Value::String(text) => {
            let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let words = text.split_inclusive(|c| !is_part(c));
            words.map(|word| if word.len() > 30 { "…" } else { word }).collect::<String>().into()
        }
        other => other,
    }
}

#[rstest]
#[case::done("old_greet", json!({"text": "it"}), json!({}), 200, "/result/resultType", json!("complete"))]
#[case::failed("old_greet", json!({"text": 5}), json!({}), 200, "/result/isError", json!(true))]
#[case::unknown("nothing_of_this_name", json!({}), json!({}), 200, "/error/code", json!(-32602))]
#[case::asks("new_greet", json!({}), json!({"elicitation": {}}), 200, "/result/resultType", json!("input_required"))]
#[case::cannot_be_asked("new_greet", json!({}), json!({}), 400, "/error/code", json!(-32021))]
#[case::waits("new_push", json!({"text": "it"}), json!({}), 200, "/result/resultType", json!("input_required"))]
#[case::is_a_task(
    "new_push", json!({"text": "it"}), json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}),
    200, "/result/resultType", json!("task")
)]
#[tokio::test]
async fn both_ways_answer_the_same(
    #[case] tool: &str,
    #[case] arguments: Value,
    #[case] can: Value,
    #[case] status: u16,
    #[case] at: &str,
    #[case] is: Value,
) {
    let house = House::patient(0).await;
    let body = body(tool, &arguments, &can);
    let directly = answer(&house, tool, &body, &[]).await;
    // What is said twice is not plain.
    let by_the_sdk = answer(&house, tool, &body, &[("accept", "application/json")]).await;
    assert_eq!(directly, by_the_sdk);
    assert_eq!((directly.0, directly.2.pointer(at)), (status, Some(&is)), "{directly:?}");
    assert_eq!(house.calls().await, 2);
}

#[tokio::test]
async fn what_is_wrong_is_refused_in_the_sdks_words() {
    let house = House::patient(0).await;
    let body = body("old_greet", &json!({}), &json!({}));
    let (status, _, said) = answer(&house, "old_greeting", &body, &[]).await;
    assert_eq!((status, &said["error"]["code"]), (400, &json!(-32020)), "{said}");
    assert_eq!(house.calls().await, 0);
}

#[tokio::test]
async fn who_hangs_up_takes_the_call_back() {
    let house = House::patient(120).await;
    let body = body("new_push", &json!({"text": "it"}), &json!({}));
    let address = house.url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
    let mut connection = TcpStream::connect(address).await.unwrap();
    let lines: String = headers(house.key(0), "new_push")
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let request =
        format!("POST /mcp HTTP/1.1\r\nhost: x\r\n{lines}content-length: {}\r\n\r\n{body}", body.len());
    connection.write_all(request.as_bytes()).await.unwrap();
    let row = house.parked().await;
    drop(connection);
    assert_eq!(house.ended(row.id).await.status(), Status::Cancelled);
}
