//! Many calls at once: side by side as far as the bounds allow, answered as they were asked, on record as they happened.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
};

use serde_json::json;
use tokio::{sync::watch, task::JoinHandle};
use toolgate_domain::{
    EventType::{self, Completed, Started},
    Limits, SessionId, TenantId,
    ids::OrderedIds,
    time::SystemClock,
};
use toolgate_engine::{BatchAnswer, Call};
use toolgate_store::EventFilter;

use crate::common::{House, call};

/// Calls that stay inside their tool until the test lets them out; each has a number.
#[derive(Default)]
pub struct Turns {
    /// In the order in which they came.
    inside: watch::Sender<Vec<u64>>,
    let_out: watch::Sender<Vec<u64>>,
}

impl Turns {
    pub async fn take(&self, n: u64) {
        self.inside.send_modify(|inside| inside.push(n));
        self.let_out.subscribe().wait_for(|out| out.contains(&n)).await.unwrap();
    }

    pub fn let_out(&self, n: u64) {
        self.let_out.send_modify(|out| out.push(n));
    }

    /// Waits until so many have come in; they are told of even when they have gone.
    pub async fn came_in(&self, count: usize) -> Vec<u64> {
        let mut inside = self.inside.subscribe();
        inside.wait_for(|inside| inside.len() >= count).await.unwrap().clone()
    }
}

pub fn begin(house: &House, calls: Vec<Call>) -> JoinHandle<BatchAnswer> {
    let engine = Arc::clone(&house.engine);
    tokio::spawn(async move { engine.invoke_many(calls).await })
}

/// What the log says of a session once it says so much: each event, and the tool that it tells of.
async fn on_record(house: &House, session: SessionId, count: usize) -> Vec<(EventType, String)> {
    let filter = EventFilter { session_id: Some(session), after: 0, limit: 1_000 };
    let mut ledger = house.stores.signals.ledger();
    loop {
        ledger.mark_unchanged();
        let events = house.stores.events.list(TenantId::DEFAULT, &filter).await.unwrap();
        if events.len() >= count {
            let tool = |event: &toolgate_domain::Event| event.data["name"].as_str().unwrap().to_owned();
            return events.iter().map(|event| (event.kind, tool(event))).collect();
        }
        ledger.changed().await.unwrap();
    }
}

#[tokio::test]
async fn calls_of_a_batch_run_side_by_side_and_each_of_their_orders_is_kept() {
    // Three orders: that in which they are asked, that in which they begin, and that in which they end.
    let asked: [u64; 4] = [0, 1, 2, 3];
    let began: [u64; 4] = [2, 0, 3, 1];
    let ended: [u64; 4] = [1, 2, 0, 3];
    let tool = |n: u64| format!("narrow_{n}");

    let house = House::new().await;
    let turns = &house.probe.turns;
    // Each has a tool of its own with room for one call, which is taken: it begins when the test makes room.
    let in_the_way = |n: u64| n + 100;
    for n in asked {
        let narrow = json!({"limit": 1_000, "window_s": 1, "concurrency": 1});
        house.tool(&tool(n), "in_turn", json!({"egress_class": "read_only", "rate_limit": narrow})).await;
        begin(&house, vec![call(&tool(n), json!({"n": in_the_way(n)}))]);
    }
    turns.came_in(4).await;

    let session = SessionId::generate(&OrderedIds::new(SystemClock));
    let calls = asked.map(|n| Call { session_id: Some(session), ..call(&tool(n), json!({"n": n})) });
    let batch = begin(&house, calls.into());
    for (place, n) in began.into_iter().enumerate() {
        turns.let_out(in_the_way(n));
        turns.came_in(4 + place + 1).await;
    }
    assert_eq!(house.probe.at_once.load(Ordering::SeqCst), 4, "all have begun, and none has ended");
    let mut story: Vec<_> = began.map(|n| (Started, tool(n))).into();
    assert_eq!(on_record(&house, session, 4).await, story);
    for n in ended {
        turns.let_out(n);
        story.push((Completed, tool(n)));
        assert_eq!(on_record(&house, session, story.len()).await, story);
    }

    let done = batch.await.unwrap();
    let receipts = done.results.iter().map(|result| result.as_ref().unwrap().envelope().unwrap());
    let receipts: Vec<_> = receipts.collect();
    let answered: Vec<_> = receipts.iter().map(|receipt| receipt.input["n"].as_u64().unwrap()).collect();
    assert_eq!(answered, asked, "the answers are in the order of the calls");
    let at = |n: u64| receipts[usize::try_from(n).unwrap()];
    assert_eq!(done.tool_order, began.map(|n| at(n).call_id.clone()), "in the order in which they began");
    assert!(began.map(|n| at(n).t_start).is_sorted(), "as their receipts say");
    assert!(ended.map(|n| at(n).t_end).is_sorted());
    for receipt in receipts {
        assert_eq!(&house.row(receipt.invocation_id).await.envelope().unwrap(), receipt);
    }
}

#[tokio::test]
async fn as_many_calls_of_a_batch_run_at_a_time_as_its_bound_says_and_no_more() {
    let house = House::with(Limits { max_batch_parallel: 3, ..Limits::default() }).await;
    house.tool("slow", "in_turn", json!({})).await;
    let batch = begin(&house, (0..9).map(|n| call("slow", json!({"n": n}))).collect());
    for n in 0..9 {
        let began = house.probe.turns.came_in((n + 3).min(9)).await;
        assert_eq!(began.len(), (n + 3).min(9), "the next one begins when one has ended");
        house.probe.turns.let_out(n as u64);
    }
    assert!(batch.await.unwrap().results.iter().all(Result::is_ok));
    assert_eq!(house.probe.most_at_once.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_call_that_takes_long_does_not_hold_up_those_after_it() {
    let house = House::with(Limits { max_batch_parallel: 2, ..Limits::default() }).await;
    house.tool("slow", "in_turn", json!({})).await;
    let turns = &house.probe.turns;
    let batch = begin(&house, (0..9).map(|n| call("slow", json!({"n": n}))).collect());
    for n in 1..9 {
        turns.let_out(n);
    }
    assert_eq!(turns.came_in(9).await.len(), 9, "all others came and went while the first was inside");
    turns.let_out(0);
    let done = batch.await.unwrap();
    let numbers =
        done.results.iter().map(|result| result.as_ref().unwrap().envelope().unwrap().input["n"].as_u64());
    assert!(numbers.eq((0..9).map(Some)), "and still they are answered in their order");
}

#[tokio::test]
async fn every_call_of_a_batch_has_its_place_and_one_that_fails_spoils_no_other() {
    let house = House::new().await;
    house.tool("echo", "yield", json!({})).await;
    let calls = (0..50).map(|n| call(if n == 7 { "nobody" } else { "echo" }, json!({"n": n}))).collect();
    let done = house.engine.invoke_many(calls).await;
    for (n, result) in done.results.iter().enumerate() {
        let envelope = result.as_ref().unwrap().envelope().unwrap();
        assert_eq!((envelope.input["n"].as_u64(), envelope.session_id), (Some(n as u64), done.session_id));
        assert_eq!(envelope.error.is_some(), n == 7);
    }
    assert_eq!(done.tool_order.len(), 50);
    let distinct: BTreeSet<_> = done.tool_order.iter().collect();
    assert_eq!(distinct.len(), 50, "the place in the batch is part of a call's id");
    assert_eq!(house.events(done.session_id).await.len(), 99);
}
