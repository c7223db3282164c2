//! Programs that break the rules: what they break is their own connection.

use rstest::rstest;
use serde_json::json;
use toolgate_domain::{ErrorCode, Limits, Surface};
use toolgate_engine::{Answer, Call};

use crate::client::common::{House, failure, operator};

#[rstest]
#[case::crash("crash", ErrorCode::NetworkError, "ended")]
#[case::flood("flood", ErrorCode::ProviderError, "flood")]
#[case::huge_result("huge", ErrorCode::ProviderError, "too_large")]
#[case::line_without_end("endless_line", ErrorCode::ProviderError, "too_large")]
#[case::bad_json("bad_json", ErrorCode::ProviderError, "bad_json")]
#[case::shapeless_answer("shapeless", ErrorCode::ProviderError, "protocol")]
#[case::invalid_params("refuse", ErrorCode::ValidationError, "invalid_params")]
#[case::tool_error("fail", ErrorCode::ProviderError, "tool_error")]
#[tokio::test]
async fn a_call_that_goes_wrong_has_the_right_code_and_the_next_one_works(
    #[case] tool: &str,
    #[case] code: ErrorCode,
    #[case] reason: &str,
) {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    house.add_program("other", &["2025-11-25"]).await;
    let other = house.text("other_pid", json!({})).await;
    let failed = house.call(&format!("rude_{tool}"), json!({})).await;
    assert_eq!(failure(&failed), (code, reason.to_owned()), "{:?}", failed.error);
    assert_eq!(house.text("rude_echo", json!({"text": "back"})).await, "back");
    assert_eq!(house.text("other_pid", json!({})).await, other, "the neighbour was not touched");
}

#[tokio::test]
async fn a_resource_that_is_too_large_ends_as_a_result_does() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let pid = house.text("rude_pid", json!({})).await;
    let huge = json!({"server": "rude", "uri": "file:///huge"});
    let failed = house.call("read_upstream_resource", huge).await;
    assert_eq!(failure(&failed), (ErrorCode::ProviderError, "too_large".to_owned()), "{:?}", failed.error);
    assert_ne!(house.text("rude_pid", json!({})).await, pid, "it was disconnected, and is back");
}

#[rstest]
#[case::wrong_ids("wrong_id", "yours")]
#[case::answers_twice("twice", "first")]
#[tokio::test]
async fn answers_that_nobody_waits_for_are_passed_over(#[case] tool: &str, #[case] answer: &str) {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let pid = house.text("rude_pid", json!({})).await;
    assert_eq!(house.text(&format!("rude_{tool}"), json!({})).await, answer);
    assert_eq!(house.text("rude_echo", json!({"text": "mine"})).await, "mine");
    assert_eq!(house.text("rude_pid", json!({})).await, pid, "the connection stood");
}

#[tokio::test]
async fn a_call_that_crashed_the_program_is_not_made_again() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let before: u64 = house.text("rude_pid", json!({})).await.parse().unwrap();
    let failed = house.call("rude_crash", json!({})).await;
    assert_eq!(failure(&failed), (ErrorCode::NetworkError, "ended".to_owned()));
    // Had it been made again, it would have crashed the next program, and the breaker would have counted two.
    let after: u64 = house.text("rude_pid", json!({})).await.parse().unwrap();
    assert_ne!(before, after);
}

#[tokio::test]
async fn an_upstream_that_does_not_introduce_itself_is_given_up_on() {
    let limits = Limits { mcp_connect_timeout_ms: 300, ..Limits::default() };
    let house = House::with(limits).await;
    let added = house.add_program("rude", &["2025-11-25", "mute"]).await;
    assert!(
        added.error.as_ref().is_some_and(|error| error.to_string().contains("introduce")),
        "{:?}",
        added.error
    );
}

#[tokio::test]
async fn a_call_whose_upstream_asks_a_question_waits_for_whoever_made_it() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let me = operator();
    let call = Call::new(me.clone(), Surface::Rest, "rude_ask", json!({}));
    let Answer::Parked(row) = house.engine.invoke(call).await.unwrap() else { panic!("nobody was asked") };
    let asked = house.engine.questions(&me, row.id).await.unwrap();
    assert!(asked.is_some(), "{row:?}");
}

/// A server of the newest revision tells only those who listen.
#[rstest]
#[case::with_sessions("2025-11-25")]
#[case::newest("2026-07-28")]
#[tokio::test]
async fn a_list_that_changes_in_the_middle_of_a_session_is_told(#[case] revision: &str) {
    let house = House::new().await;
    let added = house.add_program("rude", &[revision]).await;
    assert_eq!(house.text("rude_change", json!({})).await, "changed");
    let change = house.changed.lock().await.recv().await.unwrap();
    assert_eq!(change.upstream_id, added.upstream.id);
    house.engine.refresh_upstream(change.tenant_id, &change.upstream_id.to_string()).await.unwrap();
    let (_, tools) =
        house.engine.upstreams().tools(&crate::client::common::operator(), "rude").await.unwrap();
    assert!(format!("{tools:?}").contains("another"), "{tools:?}");
}
