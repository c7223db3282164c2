//! What happens to one call at the door.

use std::sync::atomic::Ordering;

use serde_json::json;
use toolgate_domain::{
    Caller, ErrorCode, Gate, KeyId, Lifecycle, Limits, Phase, Principal, Scope, Status, TenantId, Timestamp,
    ids::Uuid, json::call_id,
};
use toolgate_engine::{Answer, CallInput, CancelError};

use crate::{
    batches::begin,
    common::{House, call, caller, code},
};

#[tokio::test]
async fn a_call_leaves_a_receipt_a_row_and_two_events() {
    let house = House::new().await;
    let tool = house.tool("echo", "echo", json!({})).await;
    let receipt = house.done("echo", json!({"a": 1})).await;
    assert_eq!(receipt.output, Some(json!({"got": {"a": 1}})));
    assert_eq!(receipt.call_id, call_id("echo@1.0.0", &json!({"a": 1}), 0).unwrap());
    assert!(receipt.t_start <= receipt.t_end);
    let row = house.row(receipt.invocation_id).await;
    assert_eq!(row.phase, Phase::Completed(Gate::NotRequired));
    assert_eq!(row.tool_id, Some(tool.id));
    assert_eq!(row.envelope().unwrap(), receipt);
    assert_eq!(house.events(receipt.session_id).await, ["tool.started", "tool.completed"]);
}

#[tokio::test]
async fn what_touches_the_outside_is_on_record_before_it_does() {
    let house = House::new().await;
    house.tool("reads", "look", json!({"egress_class": "read_only"})).await;
    house.tool("pure", "look", json!({})).await;
    assert_eq!(house.done("reads", json!({})).await.output, Some(json!({"got": "running"})));
    assert_eq!(
        house.done("pure", json!({})).await.output,
        Some(json!({"got": null})),
        "one commit for a pure tool"
    );
}

#[tokio::test]
async fn refusals_are_recorded_and_nothing_runs() {
    let house = House::new().await;
    house.tool("strict", "echo", json!({"input_schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}})).await;
    house.tool("dead", "echo", json!({})).await;
    house.engine.registry().set_lifecycle(&caller(), "dead", Lifecycle::Blocked).await.unwrap();
    house.tool("keyed", "echo", json!({"secrets": ["API_KEY"]})).await;

    let invalid = house.done("strict", json!({"a": "one"})).await;
    assert_eq!(code(&invalid), ErrorCode::ValidationError);
    assert_eq!(invalid.error.as_ref().unwrap().details.as_ref().unwrap()["errors"][0]["path"], "/a");
    let blocked = house.done("dead", json!({})).await;
    assert_eq!(code(&blocked), ErrorCode::PolicyDenied);
    let keyless = house.done("keyed", json!({})).await;
    assert_eq!(code(&keyless), ErrorCode::AuthRequired);
    let Answer::Unknown(unknown) = house.call("no_such_tool", json!({})).await else {
        panic!("it does not exist")
    };
    let Answer::Unknown(unversioned) = house.call("strict@^9", json!({})).await else {
        panic!("no such version")
    };
    assert!(unversioned.error.as_ref().unwrap().message.contains("there are 1.0.0"));
    let mut garbled = call("strict", json!(null));
    garbled.input = CallInput::Unreadable(toolgate_domain::ToolError::validation("not JSON"));
    let Answer::Done(garbled) = house.engine.invoke(garbled).await.unwrap() else { panic!("recorded") };
    let unsafe_integer = house.done("dead@1.0.0", json!({"n": u64::MAX})).await;

    for receipt in [invalid, blocked, keyless, *unknown, *unversioned, *garbled, unsafe_integer] {
        let row = house.row(receipt.invocation_id).await;
        assert_eq!(row.status(), Status::Failed);
        assert_eq!(row.envelope().unwrap(), receipt);
        assert_eq!(house.events(receipt.session_id).await, ["tool.failed"]);
    }
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn a_tool_that_writes_parks_and_can_be_withdrawn_but_never_runs_unasked() {
    let house = House::new().await;
    let tool = house.tool("push", "echo", json!({"egress_class": "write", "requires_approval": false, "input_schema": {"type": "object", "required": ["a"]}})).await;
    assert!(tool.spec.requires_approval);
    assert_eq!(
        code(&house.done("push", json!({})).await),
        ErrorCode::ValidationError,
        "nobody is asked about a call that cannot run"
    );
    let Answer::Parked(parked) = house.call("push", json!({"a": 1})).await else { panic!("it must ask") };
    assert_eq!(
        (parked.phase, parked.decision.deciding().next().unwrap().rule.as_str()),
        (Phase::Pending, "egress_class")
    );
    assert_eq!(house.events(parked.session_id).await, ["tool.needs_approval"]);
    let withdrawn = house.engine.cancel(TenantId::DEFAULT, parked.id).await.unwrap();
    assert_eq!(withdrawn.phase, Phase::Withdrawn);
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn time_runs_out_and_panics_and_failures_are_data() {
    let house = House::new().await;
    house.tool("slow", "hang", json!({"timeout_ms": 30})).await;
    house.tool("broken", "panic", json!({})).await;
    house.tool("offline", "fail", json!({"egress_class": "read_only"})).await;
    house.tool("liar", "lie", json!({})).await;
    assert_eq!(code(&house.done("slow", json!({})).await), ErrorCode::Timeout);
    assert_eq!(code(&house.done("broken", json!({})).await), ErrorCode::Unknown);
    assert_eq!(code(&house.done("offline", json!({})).await), ErrorCode::NetworkError);
    let lie = house.done("liar", json!({})).await;
    assert_eq!(code(&lie), ErrorCode::ProviderError);
    assert_eq!(lie.error.unwrap().details.unwrap()["reason"], "output_schema");
    assert_eq!(lie.output, None);
}

#[tokio::test]
async fn a_running_call_can_be_cancelled_whatever_its_class() {
    let house = House::new().await;
    for class in ["none", "read_only"] {
        let name = format!("hang_{class}");
        house.tool(&name, "hang", json!({"egress_class": class, "timeout_ms": 600_000})).await;
        let mut asked = call(&name, json!({}));
        let (watch, mut progress) = tokio::sync::mpsc::channel(8);
        asked.progress = Some(watch);
        let engine = house.engine.clone();
        let running = tokio::spawn(async move { engine.invoke(asked).await });
        let Some(toolgate_engine::Progress::Started { invocation_id, session_id, .. }) =
            progress.recv().await
        else {
            panic!("it starts")
        };
        let cancelled = house.engine.cancel(TenantId::DEFAULT, invocation_id).await.unwrap();
        assert_eq!(cancelled.phase, Phase::Cancelled(Gate::NotRequired));
        let Ok(Answer::Done(receipt)) = running.await.unwrap() else { panic!("it ends") };
        assert_eq!(receipt.error.unwrap().details.unwrap()["outcome"], "cancelled");
        assert_eq!(house.events(session_id).await, ["tool.started", "tool.cancelled"]);
        let again = house.engine.cancel(TenantId::DEFAULT, invocation_id).await.unwrap();
        assert_eq!(again.phase, cancelled.phase, "what is over stays");
    }
    let nobody =
        house.engine.cancel(TenantId::DEFAULT, "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse().unwrap()).await;
    assert!(matches!(nobody, Err(CancelError::NotFound)));
}

#[tokio::test]
async fn a_call_that_has_no_row_yet_is_cancelled_by_its_maker_and_by_nobody_else() {
    let house = House::new().await;
    house.tool("gated", "gate", json!({})).await;
    let mut asked = call("gated", json!({}));
    let (watch, mut progress) = tokio::sync::mpsc::channel(8);
    asked.progress = Some(watch);
    let engine = house.engine.clone();
    let running = tokio::spawn(async move { engine.invoke(asked).await });
    let Some(toolgate_engine::Progress::Started { invocation_id, .. }) = progress.recv().await else {
        panic!("it starts")
    };
    let key = Principal::Key(KeyId::from_uuid(Uuid::from_u128(7)));
    let reader = |scopes| Caller::with_scopes(TenantId::DEFAULT, "default", key, scopes);
    let blind = reader(&[Scope::ToolsExecute]);
    let refused = house.engine.cancel_for(&blind, invocation_id).await;
    assert!(matches!(refused, Err(CancelError::NotFound)), "{refused:?}");
    let other = reader(&[Scope::ToolsExecute, Scope::InvocationsRead]);
    let refused = house.engine.cancel_for(&other, invocation_id).await;
    assert!(matches!(refused, Err(CancelError::Forbidden(id)) if id == invocation_id), "{refused:?}");
    let own = house.engine.cancel_for(&caller(), invocation_id).await.unwrap();
    assert_eq!(own.status(), Status::Cancelled);
    let Ok(Answer::Done(receipt)) = running.await.unwrap() else { panic!("it ends") };
    assert_eq!(receipt.error.unwrap().details.unwrap()["outcome"], "cancelled");
}

#[tokio::test]
async fn another_tenant_cannot_cancel_what_is_not_its_own() {
    let house = House::new().await;
    house.tool("gated", "gate", json!({})).await;
    let mut asked = call("gated", json!({}));
    let (watch, mut progress) = tokio::sync::mpsc::channel(8);
    asked.progress = Some(watch);
    let engine = house.engine.clone();
    let running = tokio::spawn(async move { engine.invoke(asked).await });
    let Some(toolgate_engine::Progress::Started { invocation_id, .. }) = progress.recv().await else {
        panic!("it starts")
    };
    let stranger = TenantId::from_uuid(toolgate_domain::ids::Uuid::from_u128(7));
    assert!(matches!(house.engine.cancel(stranger, invocation_id).await, Err(CancelError::NotFound)));
    house.probe.go_on.notify_one();
    let Ok(Answer::Done(receipt)) = running.await.unwrap() else { panic!("it ends") };
    assert_eq!(receipt.error, None);
}

#[tokio::test]
async fn an_output_too_big_for_its_envelope_goes_whole_to_a_blob() {
    let house = House::with(Limits {
        max_output_bytes: 10_000,
        max_preview_bytes: 500,
        max_blob_bytes: 3_000_000,
        ..Limits::default()
    })
    .await;
    house.tool("big", "big", json!({})).await;
    let small = house.done("big", json!({"bytes": 1_000})).await;
    assert!(!small.truncated && small.attachments.is_empty());
    let big = house.done("big", json!({"bytes": 2_000_000})).await;
    assert!(big.truncated);
    assert!(big.output.as_ref().unwrap()["got"].as_str().unwrap().len() <= 500);
    let attachment = &big.attachments[0];
    assert_eq!(attachment.bytes, Some(2_000_010));
    let id = attachment.url.strip_prefix("/api/blobs/").unwrap().parse().unwrap();
    let record = house.stores.blob_index.find(id).await.unwrap().expect("the ledger knows it");
    assert_eq!(record.invocation_id, big.invocation_id);
    let blob = house.stores.blobs.read(TenantId::DEFAULT, id).await.unwrap().unwrap();
    let pieces: Vec<bytes::Bytes> = futures::TryStreamExt::try_collect(blob.stream).await.unwrap();
    let text = pieces.concat();
    assert_eq!(text.len(), 2_000_010);
    assert_eq!(code(&house.done("big", json!({"bytes": 4_000_000})).await), ErrorCode::ProviderError);
}

#[tokio::test]
async fn cached_results_are_shared_by_equal_inputs_only_and_say_so() {
    let house = House::new().await;
    house.tool("kept", "echo", json!({"cache": "forever", "egress_class": "read_only"})).await;
    house.tool("fails", "fail", json!({"cache": "forever"})).await;
    assert!(!house.done("kept", json!({"a": 1, "b": 2})).await.cached);
    let hit = house.done("kept", json!({"b": 2.0, "a": 1})).await;
    assert!(hit.cached);
    assert_eq!(hit.output, Some(json!({"got": {"a": 1, "b": 2}})));
    assert!(!house.done("kept", json!({"a": 1})).await.cached);
    assert_eq!(house.runs(), 2);
    house.done("fails", json!({})).await;
    house.done("fails", json!({})).await;
    assert_eq!(house.runs(), 4, "failures are not kept");
    assert_eq!(house.row(hit.invocation_id).await.envelope().unwrap(), hit, "a hit is a call like any other");
}

#[tokio::test]
async fn rates_and_places_are_limited() {
    let house = House::new().await;
    house.tool("rated", "echo", json!({"rate_limit": {"limit": 2, "window_s": 3600}})).await;
    house.done("rated", json!({})).await;
    house.done("rated", json!({})).await;
    let limited = house.done("rated", json!({})).await;
    assert_eq!(code(&limited), ErrorCode::RateLimit);
    assert!(limited.error.unwrap().retry_after_s.unwrap() >= 1);

    let narrow = json!({"limit": 1000, "window_s": 1, "concurrency": 2});
    house.tool("narrow", "in_turn", json!({"rate_limit": narrow})).await;
    let batch = begin(&house, (0..40).map(|n| call("narrow", json!({"n": n}))).collect());
    house.probe.turns.came_in(2).await;
    (0..40).for_each(|n| house.probe.turns.let_out(n));
    let done = batch.await.unwrap();
    assert!(done.results.iter().all(|result| result.as_ref().unwrap().envelope().unwrap().error.is_none()));
    assert_eq!(house.probe.most_at_once.load(Ordering::SeqCst), 2, "as many as there are places");
}

#[tokio::test]
async fn an_idempotency_key_runs_once_and_answers_the_same_ever_after() {
    let house = House::new().await;
    house.tool("gated", "gate", json!({})).await;
    let keyed = |input| toolgate_engine::Call { idempotency_key: Some("k-1".into()), ..call("gated", input) };
    let racing: Vec<_> = (0..10)
        .map(|_| {
            let (engine, call) = (house.engine.clone(), keyed(json!({"a": 1})));
            tokio::spawn(async move { engine.invoke(call).await.unwrap() })
        })
        .collect();
    house.probe.entered.notified().await;
    house.probe.go_on.notify_one();
    let mut ids = std::collections::BTreeSet::new();
    for answer in racing {
        ids.insert(answer.await.unwrap().envelope().unwrap().invocation_id);
    }
    assert_eq!((ids.len(), house.runs()), (1, 1));
    let later = house.engine.invoke(keyed(json!({"a": 1.0}))).await.unwrap();
    assert!(ids.contains(&later.envelope().unwrap().invocation_id));
    let misused = house.engine.invoke(keyed(json!({"a": 2}))).await.unwrap();
    assert_eq!(code(misused.envelope().unwrap()), ErrorCode::ValidationError);
    assert_eq!(house.runs(), 1);
}

#[tokio::test]
async fn streamed_chunks_are_logged_in_order_and_bounded() {
    let house = House::with(Limits { max_output_chunks: 5, ..Limits::default() }).await;
    house.tool("stream", "stream", json!({})).await;
    let receipt = house.done("stream", json!({"chunks": 5})).await;
    let mut expected = vec!["tool.started"];
    expected.extend(["tool.output_appended"; 5]);
    expected.push("tool.completed");
    assert_eq!(house.events(receipt.session_id).await, expected);
    let flood = house.done("stream", json!({"chunks": 1_000_000})).await;
    assert_eq!(code(&flood), ErrorCode::ProviderError);
}

#[tokio::test]
async fn versions_ranges_and_aliases_lead_to_the_right_tool() {
    let house = House::new().await;
    house.tool("echo", "echo", json!({})).await;
    house.tool("echo", "echo", json!({"version": "1.4.0"})).await;
    house.tool("echo", "echo", json!({"version": "2.0.0-beta"})).await;
    for (reference, version) in
        [("echo", "1.4.0"), ("echo@^1", "1.4.0"), ("echo@1.0.0", "1.0.0"), ("echo@2.0.0-beta", "2.0.0-beta")]
    {
        assert_eq!(house.done(reference, json!({})).await.version, version, "{reference}");
    }
    house.engine.registry().set_lifecycle(&caller(), "echo@1.4.0", Lifecycle::Blocked).await.unwrap();
    assert_eq!(house.done("echo", json!({})).await.version, "1.0.0", "a blocked version is passed over");
    house.engine.registry().set_lifecycle(&caller(), "echo@1.0.0", Lifecycle::Deprecated).await.unwrap();
    let warned = house.done("echo", json!({})).await;
    assert!(warned.warnings[0].contains("deprecated"), "{:?}", warned.warnings);

    let tomorrow: Timestamp = "2999-01-01T00:00:00Z".parse().unwrap();
    house
        .engine
        .registry()
        .put_alias(&caller(), "old_echo".parse().unwrap(), "echo", tomorrow)
        .await
        .unwrap();
    let aliased = house.done("old_echo", json!({})).await;
    assert_eq!(aliased.name, "echo");
    assert!(aliased.warnings[0].contains("alias"), "{:?}", aliased.warnings);
    house.engine.registry().set_lifecycle(&caller(), "echo", Lifecycle::Active).await.unwrap();
    assert!(house.done("echo", json!({})).await.warnings.is_empty(), "and back");
}

#[tokio::test]
async fn a_stopping_engine_lets_calls_end_and_takes_no_new_ones() {
    let house = House::new().await;
    house.tool("gated", "gate", json!({"egress_class": "read_only"})).await;
    let engine = house.engine.clone();
    let running = tokio::spawn(async move { engine.invoke(call("gated", json!({}))).await });
    house.probe.entered.notified().await;
    let engine = house.engine.clone();
    let stopping = tokio::spawn(async move { engine.stop().await });
    tokio::task::yield_now().await;
    assert!(matches!(
        house.engine.invoke(call("gated", json!({}))).await,
        Err(toolgate_engine::Refused::Stopping)
    ));
    house.probe.go_on.notify_one();
    stopping.await.unwrap();
    let Ok(Answer::Done(receipt)) = running.await.unwrap() else { panic!("it ends") };
    assert_eq!(receipt.error, None);
}

#[tokio::test]
async fn an_execution_block_is_read_once_for_all_calls_of_a_tool() {
    let house = House::new().await;
    house.tool("poem", "recite", json!({})).await;
    for _ in 0..3 {
        let output = house.done("poem", json!({})).await.output.unwrap();
        assert_eq!(output["got"]["plan"], "recite");
        assert_eq!(output["got"]["foreign"], "the tool was compiled by another runtime");
    }
    // What is published beside it changes nothing of it.
    house.tool("other", "echo", json!({})).await;
    house.done("poem", json!({})).await;
    assert_eq!(house.probe.compiled.load(Ordering::SeqCst), 1);
}

#[rstest::rstest]
#[case::refused("misread", "the block cannot be read")]
#[case::panics("choke", "the tool broke down while it was read; the server's log says more")]
#[tokio::test]
async fn a_block_that_cannot_be_read_any_more_fails_the_call(#[case] does: &str, #[case] says: &str) {
    let house = House::new().await;
    house.tool("old", does, json!({})).await;
    for _ in 0..2 {
        let error = house.done("old", json!({})).await.error.unwrap();
        assert_eq!((error.code, error.message.as_str()), (ErrorCode::Unknown, says));
    }
    assert_eq!((house.runs(), house.probe.compiled.load(Ordering::SeqCst)), (0, 1));
}
