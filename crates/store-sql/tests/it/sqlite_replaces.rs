//! What the ledger holds stays, also where SQL replaces rows instead of changing them.

use std::sync::Arc;

use async_trait::async_trait;
use rstest::rstest;
use rusqlite::{Connection, types::Value};
use toolgate_domain::ids::Uuid;
use toolgate_store::conformance::{self, Fixture, RawSql};
use toolgate_store_sql::sqlite::Sqlite;
use toolgate_test_databases::{migrated, stores_on};

/// A stranger's program, with nothing of our settings.
struct Stranger(std::path::PathBuf);

impl Stranger {
    fn connect(&self) -> Connection {
        let connection = Connection::open(&self.0).unwrap();
        connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
        connection
    }
}

#[async_trait]
impl RawSql for Stranger {
    async fn execute(&self, sql: &str) -> Result<u64, String> {
        self.connect().execute(sql, []).map(|rows| rows as u64).map_err(|e| e.to_string())
    }

    async fn query_text(&self, sql: &str) -> Result<Option<String>, String> {
        let found = self.connect().query_row(sql, [], |row| row.get(0));
        found.map(|value: Value| Some(format!("{value:?}"))).map_err(|e| e.to_string())
    }

    fn literal(&self, id: Uuid) -> String {
        format!("x'{}'", id.simple())
    }
}

/// A database in which something has happened, and a stranger who opened it.
async fn filled_by(story: impl AsyncFnOnce(&Fixture)) -> (Fixture, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("toolgate.db");
    let (sqlite, _) = Sqlite::open(&migrated(path.clone())).unwrap();
    let stores = stores_on(sqlite, directory.path());
    let fixture = Fixture::new(stores, Arc::new(Stranger(path.clone())), Box::new(directory));
    story(&fixture).await;
    (fixture, Stranger(path).connect())
}

/// A table, with what of it may change.
struct Table<'c> {
    connection: &'c Connection,
    name: &'static str,
    columns: Vec<(String, String)>,
    has_rowid: bool,
}

impl<'c> Table<'c> {
    fn open(connection: &'c Connection, name: &'static str) -> Self {
        let columns = connection
            .prepare("SELECT name, type FROM pragma_table_info(?1)")
            .unwrap()
            .query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let has_rowid = connection.prepare(&format!("SELECT rowid FROM {name}")).is_ok();
        Self { connection, name, columns, has_rowid }
    }

    fn rows(&self) -> Vec<Vec<Value>> {
        let mut statement = self.connection.prepare(&format!("SELECT * FROM {}", self.name)).unwrap();
        let read = |row: &rusqlite::Row<'_>| (0..self.columns.len()).map(|n| row.get(n)).collect();
        statement.query_map([], read).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// Every way to say that a row is another one.
    fn attacks(&self) -> Vec<String> {
        let name = self.name;
        let all: Vec<_> = self.columns.iter().map(|(column, _)| column.as_str()).collect();
        let mut attacks = vec![format!("DELETE FROM {name}")];
        for (column, kind) in &self.columns {
            let forged = match kind.as_str() {
                "TEXT" => "'\"forged\"'".to_owned(),
                "BLOB" => "randomblob(16)".to_owned(),
                _ => format!("coalesce({column}, 0) + 1"),
            };
            let values: Vec<_> =
                all.iter().map(|other| if other == column { forged.as_str() } else { other }).collect();
            let (all, values) = (all.join(", "), values.join(", "));
            attacks.push(format!("INSERT OR REPLACE INTO {name} ({all}) SELECT {values} FROM {name}"));
            if self.has_rowid {
                attacks.push(format!(
                    "INSERT OR REPLACE INTO {name} (rowid, {all}) SELECT rowid, {values} FROM {name}"
                ));
            }
            // A message may be dropped: that is said of it, and changes nothing that was said.
            if column != "dropped_at" {
                attacks.push(format!("UPDATE OR REPLACE {name} SET {column} = {forged}"));
            }
        }
        if self.has_rowid {
            attacks.push(format!("UPDATE OR REPLACE {name} SET rowid = rowid + 1"));
        }
        attacks
    }
}

#[rstest]
#[case(conformance::the_ledger_only_grows, &["tool_invocations", "session_events", "schema_versions"])]
#[case(conformance::a_blob_is_known_once_its_call_is, &["blobs"])]
#[case(conformance::steps_are_kept_once_in_their_places_and_stay, &["agent_run_steps"])]
#[case(conformance::a_turn_and_what_it_took_are_kept_together_and_stay, &["model_usage"])]
#[case(conformance::messages_have_one_place_each_and_stay, &["messages"])]
#[case(conformance::the_audit_trail_only_grows, &["audit_events", "audit_chain"])]
#[case(conformance::a_head_is_signed_once_and_found_until_then, &["audit_signatures"])]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_row_of_the_ledger_is_replaced(
    #[case] story: impl AsyncFnOnce(&Fixture),
    #[case] tables: &[&'static str],
) {
    let (_fixture, connection) = filled_by(story).await;
    for name in tables {
        let table = Table::open(&connection, name);
        let before = table.rows();
        assert!(!before.is_empty(), "nothing to attack in {name}");
        for attack in table.attacks() {
            // Refused or passed over; or it added a row, which anybody may who may write at all.
            let answer = connection.execute(&attack, []);
            let after = table.rows();
            assert!(before.iter().all(|row| after.contains(row)), "{attack}: {answer:?}");
        }
    }
}
