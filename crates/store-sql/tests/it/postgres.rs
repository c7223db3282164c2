//! The shared store against the conformance suite, and what is PostgreSQL's own.

use crate::database::Database;
use futures::future::join_all;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use toolgate_domain::{Decision, EventType, Evidence, Gate, NewEvent, Phase, TenantId, Timestamp, Verdict};
use toolgate_store::{Entry, EventFilter, Ledger, LedgerError, conformance::Fixture};
use toolgate_store_sql::postgres::{Postgres, PostgresOptions};

const DONE: Phase = Phase::Completed(Gate::NotRequired);
const RUNNING: Phase = Phase::Running(Gate::NotRequired);

async fn fixture() -> Fixture {
    Database::create().await.fixture().await
}

toolgate_store::stories!(fixture);

#[tokio::test]
async fn changes_of_one_call_that_wait_together_keep_their_order() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, RUNNING);
    let (mut begin, mut end) = (f.insert(&row), f.advance(&row, RUNNING, DONE));
    let (again, late) = (f.insert(&row), f.advance(&row, RUNNING, DONE));
    begin.events = vec![f.event(&row, EventType::Started)];
    end.events = vec![f.event(&row, EventType::Completed)];
    // join! polls in order, so they are queued in this order, and most often together.
    let ledger = &f.stores.ledger;
    let (begun, ended, again, late) =
        tokio::join!(ledger.record(begin), ledger.record(end), ledger.record(again), ledger.record(late));
    begun.unwrap();
    ended.unwrap();
    assert!(matches!(again, Err(LedgerError::Conflict)));
    assert!(matches!(late, Err(LedgerError::Conflict)));
    let filter = EventFilter { limit: 10, ..EventFilter::default() };
    let events = f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
    let kinds: Vec<_> = events.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventType::Started, EventType::Completed]);
}

#[tokio::test]
async fn an_idempotency_key_names_one_call_within_a_group_too() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let entries: Vec<Entry> = (0..3)
        .map(|_| {
            let mut row = f.invocation(&tool, DONE);
            row.idempotency_key = Some("k".into());
            f.insert(&row)
        })
        .collect();
    let recording = entries.iter().map(|entry| f.stores.ledger.record(entry.clone()));
    let recorded = join_all(recording).await;
    assert!(recorded[0].is_ok(), "the first wins");
    assert!(recorded[1..].iter().all(|r| matches!(r, Err(LedgerError::Conflict))));
}

#[tokio::test]
async fn moments_survive_to_the_microsecond() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    for micros in [1_760_000_000_123_457, 946_684_799_999_999, 1, 0, -1] {
        let mut row = f.invocation(&tool, DONE);
        row.created_at = Timestamp::from_micros(micros);
        row.started_at = Some(Timestamp::from_micros(micros + 1));
        f.stores.ledger.record(f.insert(&row)).await.unwrap();
        assert_eq!(f.stored(&row).await.unwrap(), row);
    }
    let row = f.in_phase(&tool, DONE).await;
    let sql = format!(
        "SELECT extract(epoch FROM created_at) * 1000000 FROM tool_invocations WHERE id = {}",
        f.id_of(&row)
    );
    let micros: f64 = f.raw.query_text(&sql).await.unwrap().unwrap().parse().unwrap();
    assert_eq!(micros as i64, row.created_at.as_micros(), "the database agrees on when that was");
}

#[tokio::test]
async fn json_reads_back_as_it_was_written() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let value = json!({
        "nul\u{0}key": "a\u{0}b", "big": 1e300, "minus_zero": -0.0, "tiny": 5e-324, "max": i64::MAX, "text": "\u{1F600}\u{fffe}",
        "deep": [[[{"": null}]]],
    });
    let mut row = f.invocation(&tool, DONE);
    row.input = value.clone();
    row.outcome.output = Some(value.clone());
    row.warnings = vec!["nul \u{0}".into()];
    row.decision = Decision::from_evidence(vec![Evidence {
        rule: "scope".into(),
        verdict: Verdict::Allow,
        because: "\u{0}".into(),
    }]);
    let mut entry = f.insert(&row);
    entry.events = vec![NewEvent { data: Some(value.clone()), ..f.event(&row, EventType::OutputAppended) }];
    f.stores.ledger.record(entry).await.unwrap();
    let stored = f.stored(&row).await.unwrap();
    assert_eq!(stored, row);
    // Equality of floats does not tell the zeros apart; their text does.
    assert_eq!(stored.input.to_string(), value.to_string());
    let filter = EventFilter { limit: 1, ..EventFilter::default() };
    let events = f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
    assert_eq!(events[0].data["chunk"].to_string(), value.to_string());
}

#[tokio::test]
async fn not_even_truncate_empties_the_ledger() {
    let f = fixture().await;
    for table in ["tool_invocations", "session_events", "schema_versions", "tools_registry"] {
        let sql = format!("TRUNCATE {table} CASCADE");
        let refusal = f.raw.execute(&sql).await.unwrap_err();
        let refused = refusal.contains("append-only") || refusal.contains("the ledger names them");
        assert!(refused, "{table}: {refusal}");
    }
}

#[tokio::test]
async fn a_full_queue_says_so() {
    let database = Database::create().await;
    let options = PostgresOptions { max_queue: 1, max_batch: 1, ..database.options() };
    let (postgres, _) = Postgres::connect(&options).await.unwrap();
    let f = database.fixture().await;
    let tool = f.registered("probe").await;
    let entries: Vec<Entry> = (0..20).map(|_| f.insert(&f.invocation(&tool, DONE))).collect();
    let recorded = join_all(entries.into_iter().map(|entry| Ledger::record(&postgres, entry))).await;
    assert!(recorded[0].is_ok());
    assert!(recorded.iter().any(|r| matches!(r, Err(LedgerError::Overloaded))));
}

/// How many blocks of the calls' table a look reads that every process takes every few seconds.
async fn blocks_read(url: &str, look: &str) -> i64 {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let mut transaction = connection.begin().await.unwrap();
    let look = format!("SELECT * FROM {look}(now(), 10)");
    sqlx::raw_sql(AssertSqlSafe(look)).execute(&mut *transaction).await.unwrap();
    let blocks = "SELECT pg_stat_get_xact_blocks_fetched('tool_invocations'::regclass)";
    sqlx::query_scalar(blocks).fetch_one(&mut *transaction).await.unwrap()
}

#[tokio::test]
async fn who_looks_for_calls_that_wait_does_not_read_again_and_again_what_is_over() {
    let database = Database::create().await;
    let url = database.url.clone();
    let f = database.fixture().await;
    let tool = f.registered("probe").await;
    let rows: Vec<_> = (0..200).map(|_| f.invocation(&tool, RUNNING)).collect();
    for recorded in join_all(rows.iter().map(|row| f.stores.ledger.record(f.insert(row)))).await {
        recorded.unwrap();
    }
    for recorded in
        join_all(rows.iter().map(|row| f.stores.ledger.record(f.advance(row, RUNNING, DONE)))).await
    {
        recorded.unwrap();
    }
    assert_eq!(blocks_read(&url, "toolgate_ready").await, 0, "no call is suspended");
    // Whoever comes first marks what is over, if nobody else has a use for it any more.
    let mut read = Vec::new();
    for _ in 0..20 {
        read.push(blocks_read(&url, "toolgate_orphans").await);
    }
    assert!(read.contains(&0), "{read:?}");
}
