//! Calls that end before their answer.

use serde_json::json;
use toolgate_domain::{ErrorCode, Surface, TenantId};
use toolgate_engine::{Answer, Call};

use crate::client::common::{House, failure, operator};

#[tokio::test]
async fn a_call_out_of_time_is_withdrawn_at_the_upstream() {
    let house = House::new().await;
    let args = [crate::client::common::PROGRAM, "2025-11-25"];
    let spec = json!({
        "name": "rude", "transport": {"kind": "stdio", "command": "python3", "args": args},
        "egress_class": "read_only", "timeout_ms": 2_000,
    });
    house.add_spec(&operator(), spec).await;
    let late = house.call("rude_hang", json!({})).await;
    assert_eq!(failure(&late).0, ErrorCode::Timeout);
    assert_eq!(house.text("rude_wait_for_cancel", json!({})).await, "1");
}

#[tokio::test]
async fn a_call_that_somebody_withdraws_is_withdrawn_at_the_upstream() {
    let house = House::new().await;
    house.add_program("rude", &["2025-11-25"]).await;
    let engine = house.engine.clone();
    let call = tokio::spawn(async move {
        engine.invoke(Call::new(operator(), Surface::Rest, "rude_hang", json!({}))).await.unwrap()
    });
    let id = house.heard_of("rude_hang").await;
    house.engine.cancel(TenantId::DEFAULT, id).await.unwrap();
    let Answer::Done(cancelled) = call.await.unwrap() else { panic!("not done") };
    assert!(cancelled.error.is_some());
    assert_eq!(house.text("rude_wait_for_cancel", json!({})).await, "1");
}
