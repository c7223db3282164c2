//! Several processes on one PostgreSQL: what they tell each other, what they wait for, and what they survive.

use std::{sync::Arc, time::Duration};

use crate::database::Database;
use sqlx::{Connection, PgConnection, postgres::PgListener};
use toolgate_domain::{BlobId, EventType, Gate, InvocationId, Phase, TenantId, Timestamp, Tool};
use toolgate_store::{
    BlobRecord, Change, Entry, EventFilter, LedgerError, Signal, StoreError, Stores, conformance::Fixture,
};
use toolgate_store_sql::postgres::Postgres;

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

/// A call that is over, with one event.
fn completed(f: &Fixture, tool: &Tool) -> Entry {
    let row = f.invocation(tool, DONE);
    let mut entry = f.insert(&row);
    entry.events = vec![f.event(&row, EventType::Completed)];
    entry
}

/// Until that many writers wait for a lock in the database.
async fn until_waiting(f: &Fixture, writers: usize) {
    let sql = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'toolgate' AND wait_event_type = 'Lock'";
    while f.raw.query_text(sql).await.unwrap().unwrap() != writers.to_string() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn processes_that_start_together_migrate_once() {
    let database = Database::empty().await;
    let options = database.options();
    let starts = (0..4).map(|_| Postgres::connect(&options));
    let started = futures::future::join_all(starts).await;
    let migrated = started.into_iter().filter(|start| !start.as_ref().unwrap().1.is_empty());
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
        tokio::time::timeout(PATIENCE, woken.changed()).await.expect("a wake-up").unwrap();
    }
}

/// The words of the ledger as the server passes them on.
async fn listener(f: &Fixture) -> PgListener {
    let url = &f.guard.downcast_ref::<Database>().unwrap().url;
    let mut listener = PgListener::connect(url).await.unwrap();
    listener.listen("toolgate_ledger").await.unwrap();
    listener
}

#[tokio::test]
async fn the_last_of_many_commits_is_told_too() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let mut listener = listener(&f).await;
    // However soon it follows the word before.
    for _ in 0..20 {
        f.stores.ledger.record(completed(&f, &tool)).await.unwrap();
        tokio::time::timeout(PATIENCE, listener.recv()).await.unwrap().unwrap();
    }
    // Not even the end of the process keeps it back.
    f.stores.ledger.record(completed(&f, &tool)).await.unwrap();
    drop(f.stores);
    tokio::time::timeout(PATIENCE, listener.recv()).await.unwrap().unwrap();
}

#[tokio::test]
async fn who_heard_of_a_commit_looks_again_later() {
    let f = fixture().await;
    let mut ledger = f.stores.signals.ledger();
    ledger.mark_unchanged();
    // A process that dies says no more than this, whatever it wrote.
    f.raw.execute("NOTIFY toolgate_ledger").await.unwrap();
    for _ in 0..2 {
        tokio::time::timeout(PATIENCE, ledger.changed()).await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_follower_misses_nothing_while_two_processes_write() {
    const CALLERS: usize = 4;
    const CALLS: usize = 40;
    let f = Arc::new(fixture().await);
    let tool = f.registered("probe").await;
    let other = second_process(&f).await;
    let follower = tokio::spawn({
        let f = Arc::clone(&f);
        async move {
            let (mut woken, mut after, mut seen) = (f.stores.signals.ledger(), 0, 0);
            while seen < 2 * CALLERS * CALLS {
                let filter = EventFilter { after, limit: 50, ..EventFilter::default() };
                let page = f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
                match page.last() {
                    Some(last) => after = last.id,
                    None => woken.changed().await.unwrap(),
                }
                seen += page.len();
            }
        }
    });
    let mut writing = tokio::task::JoinSet::new();
    for ledger in [&f.stores.ledger, &other.ledger] {
        for _ in 0..CALLERS {
            let (f, tool, ledger) = (Arc::clone(&f), tool.clone(), Arc::clone(ledger));
            writing.spawn(async move {
                for _ in 0..CALLS {
                    ledger.record(completed(&f, &tool)).await.unwrap();
                }
            });
        }
    }
    writing.join_all().await;
    tokio::time::timeout(PATIENCE, follower).await.expect("all events").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_never_overtakes_one_with_a_smaller_id() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let other = second_process(&f).await;
    let mut slow = completed(&f, &tool);
    let blob = BlobId::generate(&f.ids);
    slow.blobs = vec![BlobRecord {
        id: blob,
        tenant_id: TenantId::DEFAULT,
        invocation_id: InvocationId::generate(&f.ids),
        content_type: "text/plain".into(),
        bytes: 1,
        created_at: Timestamp::EPOCH,
    }];
    // Someone is about to take the blob's id, so the first process stops after its event has an id and before its commit.
    let mut holder = PgConnection::connect(&f.guard.downcast_ref::<Database>().unwrap().url).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    sqlx::query("INSERT INTO blobs VALUES ($1, $1, $1, '', 0, 'epoch')")
        .bind(blob.uuid())
        .execute(&mut *held)
        .await
        .unwrap();
    let first = tokio::spawn({
        let ledger = Arc::clone(&f.stores.ledger);
        async move { ledger.record(slow).await }
    });
    until_waiting(&f, 1).await;
    let second = tokio::spawn({
        let (ledger, entry) = (other.ledger, completed(&f, &tool));
        async move { ledger.record(entry).await }
    });
    tokio::select! {
        () = until_waiting(&f, 2) => {}
        () = async { while !second.is_finished() { tokio::task::yield_now().await } } => {}
    }
    assert_eq!(f.stores.events.newest(TenantId::DEFAULT).await.unwrap(), 0);
    held.rollback().await.unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    let filter = EventFilter { limit: 10, ..EventFilter::default() };
    assert_eq!(f.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap().len(), 2);
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
    sqlx::query("SELECT 1 FROM tool_invocations FOR UPDATE").execute(&mut *held).await.unwrap();
    let in_flight = tokio::spawn({
        let (ledger, entry) = (Arc::clone(&f.stores.ledger), f.advance(&first, RUNNING, DONE));
        async move { ledger.record(entry).await }
    });
    until_waiting(&f, 1).await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'toolgate'";
    f.raw.query_text(cut).await.unwrap();
    let lost = tokio::time::timeout(PATIENCE, in_flight).await.unwrap().unwrap();
    assert!(matches!(lost, Err(LedgerError::Store(StoreError::Unavailable(_)))), "{lost:?}");
    held.rollback().await.unwrap();

    f.stores.ledger.record(f.advance(&first, RUNNING, DONE)).await.expect("the writer is back");
    assert_eq!(f.stored(&first).await.unwrap().phase, DONE, "and so are the readers");
    let heard = tokio::time::timeout(PATIENCE, signals.recv()).await.expect("the listener is back").unwrap();
    assert_eq!(heard, Signal::Tools, "it assumes that it missed something");
    f.stores.signals.publish(Signal::Cancel(first.id)).await.unwrap();
    while tokio::time::timeout(PATIENCE, signals.recv()).await.unwrap().unwrap() != Signal::Cancel(first.id) {
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_that_waited_for_a_row_looks_at_it_again() {
    let database = Database::create().await;
    let url = database.url.clone();
    let f = database.fixture().await;
    let tool = f.registered("probe").await;
    let row = f.in_phase(&tool, RUNNING).await;
    let end = || {
        let mut entry = f.advance(&row, RUNNING, DONE);
        if let Some(Change::Advance(transition)) = &mut entry.change {
            Arc::make_mut(transition).node_id = row.node_id;
        }
        entry.events = vec![f.event(&row, EventType::Completed)];
        entry
    };
    // First the row changes hands while the ledger waits for it; then it is only held for a while.
    for (meanwhile, ends) in [
        ("UPDATE tool_invocations SET node_id = gen_random_uuid()", false),
        ("SELECT FROM tool_invocations FOR UPDATE", true),
    ] {
        if ends {
            let back = format!("UPDATE tool_invocations SET node_id = '{}'", row.node_id.unwrap().uuid());
            f.raw.execute(&back).await.unwrap();
        }
        let mut holder = PgConnection::connect(&url).await.unwrap();
        let mut held = holder.begin().await.unwrap();
        sqlx::query(meanwhile).execute(&mut *held).await.unwrap();
        let recording = tokio::spawn({
            let (ledger, entry) = (Arc::clone(&f.stores.ledger), end());
            async move { ledger.record(entry).await }
        });
        until_waiting(&f, 1).await;
        held.commit().await.unwrap();
        let recorded = tokio::time::timeout(PATIENCE, recording).await.unwrap().unwrap();
        assert_eq!(recorded.is_ok(), ends, "{recorded:?}");
        assert_eq!(f.stores.events.newest(TenantId::DEFAULT).await.unwrap() > 0, ends);
    }
}

#[tokio::test]
async fn who_comes_too_late_takes_nobody_of_its_group_along() {
    let f = fixture().await;
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, DONE);
    f.stores.ledger.record(f.insert(&row)).await.unwrap();
    let mut late = f.advance(&row, RUNNING, DONE);
    late.events = vec![f.event(&row, EventType::Failed)];

    // Somebody else writes, so the first entry waits for the lock, and those behind it become one group.
    let mut holder = PgConnection::connect(&f.guard.downcast_ref::<Database>().unwrap().url).await.unwrap();
    let mut held = holder.begin().await.unwrap();
    sqlx::query("SELECT toolgate_lock_ledger()").execute(&mut *held).await.unwrap();
    let first = tokio::spawn({
        let (ledger, entry) = (Arc::clone(&f.stores.ledger), completed(&f, &tool));
        async move { ledger.record(entry).await }
    });
    until_waiting(&f, 1).await;
    let mut group: Vec<Entry> = (0..8).map(|_| completed(&f, &tool)).collect();
    group.insert(3, late);
    let recording = futures::future::join_all(group.into_iter().map(|entry| f.stores.ledger.record(entry)));
    let (recorded, ()) = tokio::join!(recording, async { held.rollback().await.unwrap() });

    first.await.unwrap().unwrap();
    for (place, recorded) in recorded.into_iter().enumerate() {
        assert_eq!(recorded.is_ok(), place != 3, "{place}: {recorded:?}");
        assert!(recorded.is_ok() || matches!(recorded, Err(LedgerError::Conflict)), "{recorded:?}");
    }
    let all = EventFilter { limit: 50, ..EventFilter::default() };
    let events = f.stores.events.list(TenantId::DEFAULT, &all).await.unwrap();
    assert_eq!(events.len(), 9, "one of each that was written");
    assert!(events.iter().all(|event| event.kind == EventType::Completed));
}
