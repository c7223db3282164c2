//! The file itself: what is in it, and what of a hostile one is believed.

use serde_json::{Value, json};
use toolgate_agents::{
    bundle::{Bundle, MAX_BUNDLE_BYTES, ReadError, read, write},
    replay::{Live, diff},
};

use super::stage::{bundle_of, file_of, replayed};
use crate::run::common::House;

const SCRIPT: &str = "turns:
  - tool_calls:
      - {name: calculate, arguments: {expression: 6*7}}
      - {name: get_time, arguments: {}}
    usage: {input_tokens: 20, output_tokens: 5}
  - {text: It is 42., usage: {input_tokens: 40, output_tokens: 4}}
";

async fn recorded() -> (House, Bundle) {
    let house = House::new(SCRIPT).await;
    house.agent("helper", &["calculate", "get_time"]).await;
    let envelope = house.run("helper", "what is six times seven?").await;
    let bundle = bundle_of(&house, envelope.invocation_id).await;
    (house, bundle)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_holds_what_was_given_said_and_answered() {
    let (house, bundle) = recorded().await;
    assert_eq!(bundle.format, "toolgate.run/1");
    assert_eq!(bundle.begin.message, "what is six times seven?");
    let given: Vec<&str> = bundle.begin.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(given, ["calculate", "get_time"]);
    assert!(bundle.begin.tools[0].input_schema["properties"]["expression"].is_object());
    assert_eq!(
        bundle.turns[0].answer.turn.raw,
        json!({"scripted": true, "turn": 1}),
        "as the provider said it"
    );
    assert_eq!(bundle.calls[0].envelope.as_ref().unwrap().output.as_ref().unwrap()["result"], "42");
    assert_eq!((bundle.calls[0].turn, bundle.calls[1].place), (1, 1));
    assert_eq!(bundle.ending.response.as_deref(), Some("It is 42."));
    assert_eq!(bundle.ending.tool_order, [bundle.calls[0].call_id.clone(), bundle.calls[1].call_id.clone()]);
    let run = bundle.run.invocation_id;
    assert_eq!(file_of(&house, run).await, write(&bundle).unwrap(), "the same run is the same file");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_changed_after_the_export_is_refused_and_found() {
    let (_house, bundle) = recorded().await;
    let mut value = serde_json::to_value(&bundle).unwrap();
    value["calls"][0]["envelope"]["output"]["result"] = "43".into();
    let bytes = value.to_string().into_bytes();
    let refused = read(&bytes, false).unwrap_err();
    assert!(matches!(refused, ReadError::Tampered { .. }), "{refused}");
    let forged = read(&bytes, true).unwrap();
    let found = diff(&bundle, &forged);
    let first = found.first.unwrap();
    assert_eq!(
        (first.path.as_str(), first.recorded, first.now),
        ("/output/result", json!("42"), json!("43"))
    );
    assert!(first.at.contains("calculate@"), "{}", first.at);
    assert!(found.same_calls && !found.same);
    assert_eq!((found.a.input_tokens, found.a.output_tokens, found.a.calls), (60, 9, 2));
    assert!(diff(&bundle, &bundle).same);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_that_contradicts_itself_does_not_come_out_as_it_says() {
    let (_house, bundle) = recorded().await;
    let mut other = bundle.clone();
    other.calls[0].call_id = "0".repeat(64);
    let report = replayed(other, Live::default()).await;
    assert_eq!(report.differences[0].path, "/call_id");
    let mut other = bundle.clone();
    other.ending.tool_order.reverse();
    let report = replayed(other, Live::default()).await;
    assert_eq!(
        (report.differences[0].at.as_str(), report.differences[0].path.as_str()),
        ("the end", "/tool_order/0")
    );
    let mut other = bundle.clone();
    other.calls.remove(1);
    let report = replayed(other, Live::default()).await;
    let at = &report.differences[0].at;
    assert!(at.starts_with("call 1 (get_time@"), "it is asked for, and nobody knows it: {at}");
    let mut other = bundle;
    other.turns.pop();
    let report = replayed(other, Live::default()).await;
    assert_eq!(report.differences[0].at, "the end");
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_files_are_refused_and_break_nothing() {
    let (_house, bundle) = recorded().await;
    let good = serde_json::to_value(&bundle).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        read(&value.to_string().into_bytes(), true).unwrap_err().to_string()
    };
    assert!(matches!(read(&vec![b' '; MAX_BUNDLE_BYTES + 1], true), Err(ReadError::TooBig(_))));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(read(deep.as_bytes(), true), Err(ReadError::Json(_))));
    assert!(matches!(read(b"\xff\xfe", true), Err(ReadError::Json(_))));
    assert!(matches!(read(b"{}", true), Err(ReadError::Form(_))));
    assert!(changed(&|value| value["format"] = "toolgate.run/9".into()).contains("toolgate.run/9"));
    assert!(changed(&|value| value["surprise"] = 1.into()).contains("surprise"));
    assert!(changed(&|value| value["calls"] = "none".into()).contains("no bundle"));
    assert!(changed(&|value| value["turns"][0]["answer"] = Value::Null).contains("no bundle"));
    assert!(changed(&|value| value["calls"][0]["place"] = (-1).into()).contains("no bundle"));
    assert!(changed(&|value| value["calls"][1]["place"] = 0.into()).contains("order"));
}
