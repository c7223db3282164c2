//! What is not on record is nobody's answer, from the cache either.

use futures::future::join_all;
use serde_json::json;
use toolgate_domain::Limits;
use toolgate_engine::Refused;
use toolgate_test_databases::stores_in;

use crate::{
    common::{House, call, start},
    stumbling::Stumbling,
};

#[tokio::test]
async fn a_result_whose_call_is_not_on_record_is_kept_for_nobody() {
    let directory = tempfile::tempdir().unwrap();
    let mut stores = stores_in(directory.path()).await;
    let ledger = Stumbling::over(&stores.ledger);
    stores.ledger = ledger.clone();
    let (engine, probe) = start(&stores, Limits::default()).await;
    let house = House { engine, probe, stores, directory };
    house.tool("kept", "yield", json!({"cache": "forever"})).await;

    ledger.stumble(1);
    let lost = house.engine.invoke(call("kept", json!({"n": 1}))).await;
    assert!(matches!(lost, Err(Refused::Unavailable(_))), "{lost:?}");
    assert!(!house.done("kept", json!({"n": 1})).await.cached, "it left nothing");
    assert!(house.done("kept", json!({"n": 1})).await.cached);
    assert_eq!(house.runs(), 2);

    // Those who wait for the result are told no sooner.
    ledger.stumble(3);
    let calls = (0..8).map(|_| house.engine.invoke(call("kept", json!({"n": 2}))));
    let (mut lost, mut made, mut cached) = (0, 0, 0);
    for answer in join_all(calls).await {
        match answer {
            Err(Refused::Unavailable(_)) => lost += 1,
            Err(other) => panic!("{other}"),
            Ok(answer) if answer.envelope().unwrap().cached => cached += 1,
            Ok(_) => made += 1,
        }
    }
    assert_eq!((lost, made, cached), (3, 1, 4), "whoever could not be recorded lets the next one try");
    assert_eq!(house.runs(), 6);
}
