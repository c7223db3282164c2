//! The same proof on the shared database: what reads back has the digest that was chained, whatever was written.

use std::sync::Arc;

use serde_json::json;
use sqlx::{Connection, PgConnection};
use toolgate_domain::{Limits, TenantId};
use toolgate_engine::FindingKind;
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    postgres::{Postgres, PostgresOptions},
};

use crate::common::{House, start};

async fn shared() -> (House, PgConnection) {
    let url = toolgate_test_databases::create().await;
    let (postgres, _) = Postgres::connect(&PostgresOptions::new(&url)).await.unwrap();
    let directory = tempfile::tempdir().unwrap();
    let blobs = ObjectBlobs::local(directory.path()).unwrap();
    let stores = postgres.stores(
        Arc::new(blobs),
        Arc::new(MemoryCache::new(1 << 20)),
        Arc::new(MemoryLimits::default()),
    );
    let (engine, probe) = start(&stores, Limits::default()).await;
    (House { engine, probe, stores, directory }, PgConnection::connect(&url).await.unwrap())
}

#[tokio::test]
async fn the_shared_chain_verifies_until_somebody_changes_a_receipt() {
    let (house, mut shell) = shared().await;
    house.tool("echo", "echo", json!({})).await;
    let input = json!({"é": "\u{0}\u{1F600}\\", "x": 0.1 + 0.2, "tiny": 5e-324, "big": u64::MAX, "z": -0.0});
    let call = house.done("echo", input).await.invocation_id;
    for name in ["no\u{0}such tool", "no \u{fffd} tool", ""] {
        house.call(name, json!({"a": null})).await;
    }
    let found = house.engine.verify_audit(TenantId::DEFAULT).await.unwrap();
    assert_eq!((found.finding, found.totals.receipts, found.totals.events), (None, 4, 1));

    // As a superuser can: no trigger fires.
    for sql in [
        "SET session_replication_role = replica",
        "UPDATE tool_invocations SET output = '{\"got\": 1}' WHERE tool_name = 'echo'",
    ] {
        sqlx::query(sql).execute(&mut shell).await.unwrap();
    }
    let finding = house.engine.verify_audit(TenantId::DEFAULT).await.unwrap().finding.unwrap();
    assert_eq!((finding.kind, finding.record), (FindingKind::Changed, call.to_string()));
}
