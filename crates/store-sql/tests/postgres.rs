//! The shared store against the conformance suite, and what only several processes can show.

mod common;
mod database;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use database::Database;
use serde_json::json;
use sqlx::{Connection, PgConnection};
use toolgate_domain::{
    Decision, EventType, Evidence, Gate, InvocationId, Phase, TenantId, Timestamp, Verdict,
};
use toolgate_store::{Entry, EventFilter, LedgerError, Signal, StoreError, Stores, conformance::Fixture};
use toolgate_store_sql::postgres::{Postgres, PostgresOptions};

const DONE: Phase = Phase::Completed(Gate::NotRequired);
const RUNNING: Phase = Phase::Running(Gate::NotRequired);

/// Longer than anything here takes; a wait that ends by it has failed.
const PATIENCE: Duration = Duration::from_secs(30);

async fn fixture() -> Fixture {
    Database::create().await.fixture().await
}

/// Another process on the same database.
async fn second_process(f: &Fixture) -> Stores {
    f.guard.downcast_ref::<Database>().unwrap().stores().await
}

toolgate_store::stories!(fixture);

#[tokio::test]
async fn processes_that_start_together_migrate_once() {
    let database = Database::create().await;
    let options = database.options();
    let starts = (0..4).map(|_| Postgres::connect(&options));
    let started = futures::future::join_all(starts).await;
    let migrated = started
        .into_iter()
        .filter(|start| !start.as_ref().unwrap().1.is_empty());
    assert_eq!(migrated.count(), 1);
}

#[tokio::test]
async fn signals_reach_every_process() {
    let f = fixture().await;
    let other = second_process(&f).await;
    let (mut here, mut there) = (f.stores.signals.subscribe(), other.signals.subscribe());
    let cancel = Signal::Cancel(InvocationId::generate(&f.ids));
    for signal in [Signal::Tools, Signal::Keys, cancel] {
        f.stores.signals.publish(signal).await.unwrap();
        for receiver in [&mut here, &mut there] {
            let heard = tokio::time::timeout(PATIENCE, receiver.recv()).await;
            assert_eq!(heard.unwrap().unwrap(), signal);
        }
    }
}

#[tokio::test]
async fn a_commit_wakes_the_followers_of_other_processes() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let other = second_process(&f).await;
    for _ in 0..3 {
        let mut woken = other.signals.ledger();
        f.in_phase(&tool, DONE).await;
        tokio::time::timeout(PATIENCE, woken.changed())
            .await
            .expect("a wake-up")
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_misses_nothing_while_two_processes_write() {
    const EACH: usize = 200;
    let f = Arc::new(fixture().await);
    let tool = f.registered("probe").await;
    let other = second_process(&f).await;
    let follower = tokio::spawn({
        let f = Arc::clone(&f);
        async move {
            let (mut woken, mut after, mut seen) = (f.stores.signals.ledger(), 0, BTreeSet::new());
            while seen.len() < 2 * EACH * 2 {
                let filter = EventFilter {
                    after,
                    limit: 50,
                    ..EventFilter::default()
                };
                let page = f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
                match page.last() {
                    Some(last) => after = last.id,
                    None => woken.changed().await.unwrap(),
                }
                seen.extend(page.into_iter().map(|event| event.id));
            }
            seen
        }
    });
    let mut writing = tokio::task::JoinSet::new();
    for ledger in [&f.stores.ledger, &other.ledger] {
        for _ in 0..EACH {
            let row = f.invocation(&tool, DONE);
            let mut entry = f.insert(&row);
            entry.events = vec![
                f.event(&row, EventType::Started),
                f.event(&row, EventType::Completed),
            ];
            let ledger = Arc::clone(ledger);
            writing.spawn(async move { ledger.record(entry).await.unwrap() });
        }
    }
    writing.join_all().await;
    let seen = tokio::time::timeout(PATIENCE, follower)
        .await
        .expect("all events")
        .unwrap();
    assert_eq!(seen.len(), 4 * EACH);
}

#[tokio::test]
async fn changes_of_one_call_that_wait_together_keep_their_order() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, RUNNING);
    let (mut begin, mut end) = (f.insert(&row), f.advance(&row, RUNNING, DONE));
    let (again, late) = (f.insert(&row), f.advance(&row, RUNNING, DONE));
    begin.events = vec![f.event(&row, EventType::Started)];
    end.events = vec![f.event(&row, EventType::Completed)];
    // join! polls in order on this one thread, so all four are queued before the writer runs.
    let ledger = &f.stores.ledger;
    let (begun, ended, again, late) = tokio::join!(
        ledger.record(begin),
        ledger.record(end),
        ledger.record(again),
        ledger.record(late)
    );
    begun.unwrap();
    ended.unwrap();
    assert!(matches!(again, Err(LedgerError::Conflict)));
    assert!(matches!(late, Err(LedgerError::Conflict)));
    let filter = EventFilter {
        limit: 10,
        ..EventFilter::default()
    };
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
    let recorded = futures::future::join_all(recording).await;
    assert!(recorded[0].is_ok(), "the first wins");
    assert!(
        recorded[1..]
            .iter()
            .all(|r| matches!(r, Err(LedgerError::Conflict)))
    );
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
    assert_eq!(
        micros as i64,
        row.created_at.as_micros(),
        "the database agrees on when that was"
    );
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
    entry.events = vec![toolgate_domain::NewEvent {
        data: Some(value.clone()),
        ..f.event(&row, EventType::OutputAppended)
    }];
    f.stores.ledger.record(entry).await.unwrap();
    let stored = f.stored(&row).await.unwrap();
    assert_eq!(stored, row);
    // Equality of floats does not tell the zeros apart; their text does.
    assert_eq!(stored.input.to_string(), value.to_string());
    let filter = EventFilter {
        limit: 1,
        ..EventFilter::default()
    };
    let events = f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
    assert_eq!(events[0].data["chunk"].to_string(), value.to_string());
}

#[tokio::test]
async fn not_even_truncate_empties_the_ledger() {
    let f = fixture().await;
    for table in [
        "tool_invocations",
        "session_events",
        "schema_versions",
        "tools_registry",
    ] {
        let sql = format!("TRUNCATE {table} CASCADE");
        let refusal = f.raw.execute(&sql).await.unwrap_err();
        assert!(refusal.contains("append-only"), "{table}: {refusal}");
    }
}

#[tokio::test]
async fn a_full_queue_says_so() {
    let database = Database::create().await;
    let options = PostgresOptions {
        max_queue: 1,
        max_batch: 1,
        ..database.options()
    };
    let (postgres, _) = Postgres::connect(&options).await.unwrap();
    let f = database.fixture().await;
    let tool = f.registered("probe").await;
    let entries: Vec<Entry> = (0..20).map(|_| f.insert(&f.invocation(&tool, DONE))).collect();
    let recorded = futures::future::join_all(
        entries
            .into_iter()
            .map(|entry| toolgate_store::Ledger::record(&postgres, entry)),
    )
    .await;
    assert!(recorded[0].is_ok());
    assert!(recorded.iter().any(|r| matches!(r, Err(LedgerError::Overloaded))));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_come_back() {
    let database = Database::create().await;
    let url = database.url.clone();
    let f = database.fixture().await;
    let tool = f.registered("probe").await;
    let first = f.in_phase(&tool, RUNNING).await;
    let mut signals = f.stores.signals.subscribe();

    // Someone holds a row that the ledger wants to change; while it waits for it, every connection is cut.
    let mut holder = PgConnection::connect(&url).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    sqlx::query("SELECT 1 FROM tool_invocations FOR UPDATE")
        .execute(&mut *held)
        .await
        .unwrap();
    let in_flight = tokio::spawn({
        let (ledger, entry) = (Arc::clone(&f.stores.ledger), f.advance(&first, RUNNING, DONE));
        async move { ledger.record(entry).await }
    });
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'toolgate'
        AND EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')";
    while f.raw.query_text(cut).await.unwrap().unwrap() == "0" {
        tokio::task::yield_now().await;
    }
    let lost = tokio::time::timeout(PATIENCE, in_flight).await.unwrap().unwrap();
    assert!(
        matches!(lost, Err(LedgerError::Store(StoreError::Unavailable(_)))),
        "{lost:?}"
    );
    held.rollback().await.unwrap();

    f.stores
        .ledger
        .record(f.advance(&first, RUNNING, DONE))
        .await
        .expect("the writer is back");
    assert_eq!(
        f.stored(&first).await.unwrap().phase,
        DONE,
        "and so are the readers"
    );
    let heard = tokio::time::timeout(PATIENCE, signals.recv())
        .await
        .expect("the listener is back")
        .unwrap();
    assert_eq!(heard, Signal::Tools, "it assumes that it missed something");
    f.stores.signals.publish(Signal::Cancel(first.id)).await.unwrap();
    while tokio::time::timeout(PATIENCE, signals.recv())
        .await
        .unwrap()
        .unwrap()
        != Signal::Cancel(first.id)
    {}
}
