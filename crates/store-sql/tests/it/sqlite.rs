//! The embedded store against the conformance suite.

use std::sync::Arc;

use async_trait::async_trait;
use toolgate_domain::ids::Uuid;
use toolgate_store::conformance::{self, Fixture, RawSql};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};
use toolgate_test_databases::{migrated, stores_on};

struct Shell(std::path::PathBuf);

impl Shell {
    fn connect(&self) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(&self.0).unwrap();
        connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
        connection
    }
}

#[async_trait]
impl RawSql for Shell {
    async fn execute(&self, sql: &str) -> Result<u64, String> {
        self.connect().execute(sql, []).map(|rows| rows as u64).map_err(|e| e.to_string())
    }

    async fn query_text(&self, sql: &str) -> Result<Option<String>, String> {
        let connection = self.connect();
        let mut statement = connection.prepare(sql).map_err(|e| e.to_string())?;
        let mut rows = statement.query([]).map_err(|e| e.to_string())?;
        let Some(row) = rows.next().map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        Ok(Some(match row.get_ref(0).unwrap() {
            rusqlite::types::ValueRef::Integer(number) => number.to_string(),
            other => other.as_str().unwrap().to_owned(),
        }))
    }

    fn literal(&self, id: Uuid) -> String {
        format!("x'{}'", id.simple())
    }
}

async fn fixture() -> Fixture {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("toolgate.db");
    let (sqlite, _) = Sqlite::open(&migrated(path.clone())).unwrap();
    let stores = stores_on(sqlite, directory.path());
    Fixture::new(stores, Arc::new(Shell(path)), Box::new(directory))
}

toolgate_store::stories!(fixture);

#[tokio::test]
async fn a_second_server_on_the_same_file_is_kept_out() {
    let directory = tempfile::tempdir().unwrap();
    let options = SqliteOptions::new(directory.path().join("toolgate.db"));
    let (first, applied) = Sqlite::open(&options).unwrap();
    assert!(!applied.is_empty(), "from nothing");
    let error = Sqlite::open(&options).err().unwrap().to_string();
    assert!(error.contains("another toolgate server"), "{error}");
    drop(first);
    let (_, applied) = Sqlite::open(&options).unwrap();
    assert!(applied.is_empty(), "migrated once");
}

#[tokio::test]
async fn local_blobs_caches_and_rates_keep_their_promises() {
    let directory = tempfile::tempdir().unwrap();
    conformance::blobs_come_back_whole(&ObjectBlobs::local(directory.path()).unwrap()).await;
    conformance::a_cache_keeps_its_promises(&MemoryCache::new(1 << 20)).await;
    conformance::rates_are_kept_per_account(
        &MemoryLimits::default(),
        toolgate_domain::Timestamp::from_millis(1),
    )
    .await;
}
