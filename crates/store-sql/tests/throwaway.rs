mod common;
mod database;
use std::{sync::Arc, time::Instant};
use toolgate_domain::{EventType, Gate, Phase};
use toolgate_store::conformance::Fixture;
use toolgate_store_sql::{local::*, objects::ObjectBlobs, sqlite::*};

async fn run(f: Fixture, label: &str) {
    let callers: usize = std::env::var("CALLERS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(64);
    let each: usize = 40_000 / callers;
    let f = Arc::new(f);
    let tool = f.registered("probe").await;
    for round in 0..3 {
        let start = Instant::now();
        let mut set = tokio::task::JoinSet::new();
        for _ in 0..callers {
            let (f, tool) = (f.clone(), tool.clone());
            set.spawn(async move {
                for _ in 0..each {
                    let row = f.invocation(&tool, Phase::Completed(Gate::NotRequired));
                    let mut entry = f.insert(&row);
                    entry.events = vec![
                        f.event(&row, EventType::Started),
                        f.event(&row, EventType::Completed),
                    ];
                    f.stores.ledger.record(entry).await.unwrap();
                }
            });
        }
        set.join_all().await;
        let s = start.elapsed().as_secs_f64();
        println!(
            "{label} round {round}: {:.0} invocations/s",
            (callers * each) as f64 / s
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pg() {
    run(database::Database::create().await.fixture().await, "postgres").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lite() {
    let directory = tempfile::tempdir().unwrap();
    let (sqlite, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("t.db"))).unwrap();
    let blobs = ObjectBlobs::local(&directory.path().join("blobs")).unwrap();
    let stores = sqlite.stores(
        Arc::new(blobs),
        Arc::new(MemoryCache::new(1 << 20)),
        Arc::new(MemoryRates::default()),
    );
    struct No;
    #[async_trait::async_trait]
    impl toolgate_store::conformance::RawSql for No {
        async fn execute(&self, _: &str) -> Result<u64, String> {
            Ok(0)
        }
        async fn query_text(&self, _: &str) -> Result<Option<String>, String> {
            Ok(None)
        }
        fn literal(&self, _: toolgate_domain::ids::Uuid) -> String {
            String::new()
        }
    }
    run(Fixture::new(stores, Arc::new(No), Box::new(directory)), "sqlite").await;
}
