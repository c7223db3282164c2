//! Whatever a run says of its secrets, in whichever encoding and wherever, nobody reads it.

use crate::{
    common::{House, call, code},
    secrets::{SECRET, set_for_tenant},
};
use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER};
use serde_json::{Value, json};
use toolgate_domain::{AttachmentKind, Envelope, ErrorCode, Limits, TenantId, ToolError};
use toolgate_engine::{Answer, NewAttachment, Progress, RunContext};
use toolgate_store::EventFilter;

const ENCODINGS: [&str; 6] = ["plain", "base64", "base64url_inside", "url", "json", "hex"];

fn encode(how: &str, value: &str) -> String {
    match how {
        "plain" => value.to_owned(),
        "base64" => BASE64.encode(value.as_bytes()),
        "base64url_inside" => BASE64URL_NOPAD.encode(format!("x:{value}:y").as_bytes()),
        "url" => value.bytes().map(|byte| format!("%{byte:02X}")).collect(),
        "json" => serde_json::to_string(value).unwrap().trim_matches('"').to_owned(),
        "hex" => HEXLOWER.encode(value.as_bytes()),
        other => panic!("no encoding {other}"),
    }
}

/// What the probe does with `does: leak`: says the secret `API_KEY`, `how` and `where` the input asks for it.
pub async fn leak(input: &Value, context: &RunContext) -> Result<Value, ToolError> {
    let secret = context.secrets.get("API_KEY").expect("the run has its secret").expose();
    let said = encode(input["how"].as_str().unwrap_or("plain"), secret);
    match input["where"].as_str().unwrap_or("output") {
        "output" => Ok(json!({"got": {"deep": [said]}})),
        "key" => Ok(json!({"got": {said: 1}})),
        "error" => Err(ToolError::new(ErrorCode::ProviderError, format!("401 for {said}"))
            .with_details(json!({"header": {"authorization": said}}))),
        "chunk" => {
            context.emit(json!({"line": said})).await;
            Ok(json!({"got": "streamed"}))
        }
        "text" => {
            // Cut within the secret.
            for piece in said.as_bytes().chunks(3) {
                context.emit(json!(String::from_utf8_lossy(piece))).await;
            }
            context.emit(json!(" and more")).await;
            Ok(json!({"got": "streamed"}))
        }
        "blob" => Ok(json!({"got": [said, "x".repeat(4_000)]})),
        "lie" => Ok(json!({"got": 1, said: 2})),
        "names" => Ok(json!({"got": context.secrets.names().collect::<Vec<_>>()})),
        // Whether the tool got what the caller wrote.
        "compare" => Ok(json!({"got": input["token"] == secret})),
        other => panic!("the probe does not leak to {other}"),
    }
}

/// What the probe attaches with `does: attach`: bytes that are no text, around the secret where the tool has one.
pub fn picture(context: &RunContext) -> NewAttachment {
    let secret = context.secrets.get("API_KEY").map(|secret| secret.expose().to_owned()).unwrap_or_default();
    let bytes = [b"\x89PNG\xff\xfe".as_slice(), secret.as_bytes(), b"\xff\x00"].concat();
    NewAttachment { kind: AttachmentKind::Image, content_type: "image/png".to_owned(), bytes: bytes.into() }
}

/// Every form in which the value could be read.
fn assert_clean(text: &str) {
    for how in ENCODINGS.into_iter().filter(|how| *how != "base64url_inside") {
        assert!(!text.contains(&encode(how, SECRET)), "{how} in {text}");
    }
    // Within longer base64 the middle of it is the same wherever it stands: three bytes are four characters.
    for offset in 0..3 {
        let whole = (SECRET.len() - offset) / 3 * 3;
        let middle = BASE64URL_NOPAD.encode(&SECRET.as_bytes()[offset..offset + whole]);
        assert!(!text.contains(&middle), "base64 in {text}");
    }
}

async fn everything_kept(house: &House, receipt: &Envelope) -> String {
    let row = house.row(receipt.invocation_id).await;
    let filter = EventFilter { session_id: Some(receipt.session_id), after: 0, limit: 1_000 };
    let events = house.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
    format!("{} {row:?} {}", json!(receipt), json!(events))
}

async fn house_that_leaks(limits: Limits) -> House {
    let house = House::with(limits).await;
    house.tool("leak", "leak", json!({"secrets": ["API_KEY"], "egress_class": "read_only"})).await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    house
}

#[tokio::test]
async fn a_secret_echoed_in_any_encoding_leaves_neither_in_outputs_nor_errors_nor_chunks() {
    let house = house_that_leaks(Limits::default()).await;
    for place in ["output", "key", "error", "chunk", "text", "lie"] {
        for how in ENCODINGS {
            let receipt = house.done("leak", json!({"how": how, "where": place})).await;
            let kept = everything_kept(&house, &receipt).await;
            assert_clean(&kept);
            assert!(kept.contains("[redacted:API_KEY]"), "{how} to {place}: {kept}");
        }
    }
}

#[tokio::test]
async fn text_that_is_streamed_in_pieces_arrives_whole_but_for_the_secret() {
    let house = house_that_leaks(Limits::default()).await;
    let (watch, mut progress) = tokio::sync::mpsc::channel(64);
    let mut asked = call("leak", json!({"where": "text"}));
    asked.progress = Some(watch);
    let Ok(Answer::Done(receipt)) = house.engine.invoke(asked).await else { panic!("it ends") };
    let mut seen = String::new();
    while let Some(told) = progress.recv().await {
        if let Progress::Chunk(Value::String(text)) = told {
            seen.push_str(&text);
        }
    }
    assert_eq!(seen, "[redacted:API_KEY] and more");
    assert_eq!(receipt.error, None);
}

#[tokio::test]
async fn what_a_tool_attaches_is_kept_with_its_call_unless_it_holds_a_secret() {
    let house = house_that_leaks(Limits::default()).await;
    house.tool("draw", "attach", json!({})).await;
    let receipt = house.done("draw", json!({})).await;
    let [attachment] = receipt.attachments.as_slice() else { panic!("one attachment: {receipt:?}") };
    assert_eq!((attachment.kind, attachment.bytes), (AttachmentKind::Image, Some(8)));
    assert_eq!(receipt.output, Some(json!({"got": "a picture"})));

    house.tool("betray", "attach", json!({"secrets": ["API_KEY"], "egress_class": "read_only"})).await;
    let receipt = house.done("betray", json!({})).await;
    assert!(receipt.attachments.is_empty());
    assert_eq!(receipt.error.unwrap().details, Some(json!({"reason": "secret"})));
}

#[tokio::test]
async fn an_output_that_goes_to_a_blob_is_redacted_before() {
    let limits = Limits { max_output_bytes: 1_000, ..Limits::default() };
    let house = house_that_leaks(limits).await;
    for how in ENCODINGS {
        let receipt = house.done("leak", json!({"how": how, "where": "blob"})).await;
        assert!(receipt.truncated);
        assert_clean(&everything_kept(&house, &receipt).await);
    }
    let mut blobs = 0;
    for file in files_under(&house.directory.path().join("blobs")) {
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        if text.contains("[redacted:API_KEY]") {
            blobs += 1;
        }
        assert_clean(&text);
    }
    assert_eq!(blobs, ENCODINGS.len());
}

#[tokio::test]
async fn a_secret_in_the_input_reaches_the_tool_and_not_the_record() {
    let house = house_that_leaks(Limits::default()).await;
    let input = json!({"where": "compare", "token": SECRET});
    let receipt = house.done("leak", input.clone()).await;
    assert_eq!(receipt.output, Some(json!({"got": true})));
    assert_eq!(receipt.input["token"], "[redacted:API_KEY]");
    assert_clean(&everything_kept(&house, &receipt).await);
    let again = json!({"where": "compare", "token": "[redacted:API_KEY]"});
    let recorded = toolgate_domain::json::call_id("leak@1.0.0", &again, 0).unwrap();
    assert_eq!(receipt.call_id, recorded, "no hash of the secret is kept either");

    let once = |input: &Value| {
        let mut asked = call("leak", input.clone());
        asked.idempotency_key = Some("k1".to_owned());
        asked
    };
    let Ok(Answer::Done(first)) = house.engine.invoke(once(&input)).await else { panic!("it ends") };
    let Ok(Answer::Done(second)) = house.engine.invoke(once(&input)).await else { panic!("it ends") };
    assert_eq!(first, second, "a repeated call is known by its redacted input");
}

#[tokio::test]
async fn a_refusal_that_quotes_the_input_does_not_quote_a_secret() {
    let house = house_that_leaks(Limits::default()).await;
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    house.tool("strict", "leak", json!({"secrets": ["API_KEY"], "input_schema": schema})).await;
    let receipt = house.done("strict", json!({"n": SECRET})).await;
    assert_eq!(code(&receipt), ErrorCode::ValidationError);
    assert_clean(&everything_kept(&house, &receipt).await);
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn nobody_is_shown_a_secret_to_approve_it() {
    let house = house_that_leaks(Limits::default()).await;
    house.tool("push", "leak", json!({"secrets": ["API_KEY"], "egress_class": "write"})).await;
    let receipt = house.done("push", json!({"where": "output", "token": SECRET})).await;
    assert_eq!(code(&receipt), ErrorCode::ValidationError);
    assert_eq!(receipt.error.as_ref().unwrap().details.as_ref().unwrap()["reason"], "secret_in_input");
    assert_clean(&everything_kept(&house, &receipt).await);
}

#[tokio::test]
async fn a_run_has_the_secrets_its_tool_declares_and_no_others() {
    let house = house_that_leaks(Limits::default()).await;
    set_for_tenant(&house, "OTHER", "another-value").await;
    assert_eq!(house.done("leak", json!({"where": "names"})).await.output, Some(json!({"got": ["API_KEY"]})));
    house.tool("plain", "echo", json!({})).await;
    let receipt = house.done("plain", json!({"text": SECRET})).await;
    assert_eq!(receipt.output, Some(json!({"got": {"text": SECRET}})), "this tool has no secrets to redact");
}

pub fn files_under(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_under(&path)) } else { files.push(path) }
    }
    files
}
