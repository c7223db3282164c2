//! A process shows that it lives, whatever it is busy with.

use std::time::Duration;

use serde_json::json;
use toolgate_domain::{Invocation, Limits, Status};
use toolgate_store::Stores;
use toolgate_test_databases::stores_in;

use crate::{
    common::{House, start},
    faults::{Asks, Fault, Faults, held},
    recovery::begun,
};

/// The stores of a process that died while a call was running, and so were so many that the call had made.
async fn left_behind(inner_calls: usize) -> (Stores, tempfile::TempDir, Vec<Invocation>) {
    let house = House::new().await;
    house.tool("never", "echo", json!({"egress_class": "read_only"})).await;
    let like = house.row(house.done("never", json!({})).await.invocation_id).await;
    let outer = begun(&house.stores, &like, 1).await;
    let mut rows = vec![outer.clone()];
    for _ in 0..inner_calls {
        let inner = Invocation { parent_id: Some(outer.id), ..like.clone() };
        rows.push(begun(&house.stores, &inner, 1).await);
    }
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));
    (stores_in(directory.path()).await, directory, rows)
}

#[tokio::test]
async fn the_lease_is_renewed_while_calls_of_dead_processes_are_settled() {
    let (stores, _directory, _) = left_behind(0).await;
    let (stores, faults) = Faults::before(&stores);
    let (gate, holding) = held();
    faults.plan([(Asks::Children, Fault::Held(gate))]);
    let meanwhile = async {
        holding.reached.await.unwrap();
        faults.asked(Asks::Renew, 3).await;
        holding.go_on.send(()).unwrap();
    };
    tokio::join!(start(&stores, Limits { node_lease_ms: 150, ..Limits::default() }), meanwhile);
}

#[tokio::test]
async fn nobody_waits_for_the_calls_of_a_dead_process_to_end() {
    let (stores, _directory, rows) = left_behind(3).await;
    // Each of them would cost as much patience as a process that lives deserves, which is ten seconds.
    let starting = tokio::time::timeout(Duration::from_secs(10), start(&stores, Limits::default()));
    let (engine, _) = starting.await.expect("it starts at once");
    for row in rows {
        let now = engine.stores().invocations.get(row.tenant_id, row.id).await.unwrap().unwrap();
        assert_eq!(now.status(), Status::Failed);
        assert_eq!(now.outcome.error.unwrap().details.unwrap()["outcome"], "unknown");
    }
}
