//! A hundred runs of every sort, recorded here and gone through again on an empty directory.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Map, Value, json};
use toolgate_agents::replay::Live;
use toolgate_domain::{InvocationId, Status, TenantId};
use toolgate_engine::{Answer, Approval, Ruling};

use super::stage::{bundle_of, replayed};
use crate::run::common::{House, approver, caller};

const TOOLS: [&str; 6] = ["calculate", "announce", "get_time", "generate_ids", "repeat", "render_template"];

/// One call that a model might ask for.
fn call(dice: &mut StdRng) -> Value {
    match dice.random_range(0..14) {
        0 | 1 => {
            let (a, b) = (dice.random_range(1..50), dice.random_range(1..50));
            json!({"name": "calculate", "arguments": {"expression": format!("{a}*{b}")}})
        }
        // Fails when it runs, and every time.
        2 | 3 => json!({"name": "calculate", "arguments": {"expression": "1/0"}}),
        // Does not fit the schema.
        4 => json!({"name": "calculate", "arguments": {"expressions": 1}}),
        5 => json!({"name": "calculate", "arguments": "{\"expression\": "}),
        6 => json!({"name": "no_such_tool", "arguments": {"a": dice.random_range(0..3)}}),
        7 => json!({"name": "hash_text", "arguments": {"text": "not given to the agent"}}),
        // Answers otherwise whenever it is asked.
        8 if dice.random_bool(0.3) => json!({"name": "generate_ids", "arguments": {}}),
        8 => json!({"name": "generate_ids", "arguments": {"count": dice.random_range(1..4)}}),
        9 if dice.random_bool(0.5) => json!({"name": "get_time", "arguments": {"zones": ["Europe/Zurich"]}}),
        9 => json!({"name": "get_time", "arguments": {}}),
        // From the cache, the second time.
        10 => json!({"name": "repeat", "arguments": {"text": "again"}}),
        11 => json!({"name": "repeat", "arguments": [1, 2]}),
        _ => json!({"name": "announce", "arguments": {"ms": dice.random_range(0..3)}}),
    }
}

/// Every tenth asks for nothing but what fails, until it is stopped.
fn is_stubborn(seed: u64) -> bool {
    seed % 10 == 7
}

fn script(seed: u64, dice: &mut StdRng) -> String {
    let turn = |dice: &mut StdRng| {
        let calls: Vec<Value> = (0..dice.random_range(1..5)).map(|_| call(dice)).collect();
        json!({"tool_calls": calls, "usage": {"input_tokens": 10, "output_tokens": 3}})
    };
    let mut turns: Vec<Value> = (0..dice.random_range(0..5)).map(|_| turn(dice)).collect();
    if is_stubborn(seed) {
        let stubborn = json!({"tool_calls": [{"name": "calculate", "arguments": {"expression": "0/0"}}]});
        turns = vec![stubborn; 4];
    }
    turns.push(match dice.random_range(0..6) {
        0 => json!({"error": {"code": "PROVIDER_ERROR", "message": "overloaded", "status": 529, "is_retryable": false}}),
        _ => json!({"text": format!("done {}", dice.random_range(0..9)), "cost_estimate": 0.25}),
    });
    json!({"turns": turns}).to_string()
}

fn guard(dice: &mut StdRng) -> Value {
    match dice.random_range(0..5) {
        0 => json!({"max_tool_calls": 3}),
        1 => json!({"max_iterations": 2}),
        _ => json!({}),
    }
}

fn ruling(dice: &mut StdRng) -> Ruling {
    match dice.random_range(0..3) {
        0 => Ruling::Reject { reason: "not now".to_owned() },
        1 => Ruling::Approve(Approval { edited_input: Some(json!({"ms": 1})), ..Approval::default() }),
        _ => Ruling::Approve(Approval::default()),
    }
}

async fn furnish(house: &House, seed: u64, dice: &mut StdRng) {
    let schema = json!({"type": "object", "properties": {"ms": {"type": "integer"}}});
    house
        .define(json!({
            "name": "announce", "version": "1.0.0", "description": "tells the world", "egress_class": "write",
            "requires_approval": true, "input_schema": schema,
            "execution": {"kind": "builtin", "handler": "wait"},
        }))
        .await;
    house
        .define(json!({
            "name": "repeat", "version": "2.1.0", "description": "hashes a text", "cache": "forever",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
            "execution": {"kind": "builtin", "handler": "hash_text"},
        }))
        .await;
    // What the tenant fills in is part of a call's input, and of its id.
    if dice.random_bool(0.5) {
        let defaults = Map::from_iter([("defaults".to_owned(), json!({"kind": "short"}))]);
        house.engine.registry().patch(&caller(), "generate_ids", defaults).await.unwrap();
    }
    let guard = if is_stubborn(seed) { json!({}) } else { guard(dice) };
    house.guarded_agent("helper", &TOOLS, guard).await;
}

/// Answers every question until the run is over; now and then the process is another one meanwhile.
async fn see_through(mut house: House, outer: InvocationId, script: &str, dice: &mut StdRng) -> House {
    loop {
        let mut ledger = house.engine.stores().signals.ledger();
        ledger.mark_unchanged();
        if house.row(outer).await.phase.is_terminal() {
            return house;
        }
        let children =
            house.engine.stores().suspensions.children(TenantId::DEFAULT, outer, 100).await.unwrap();
        let asks = children.iter().find(|child| child.status() == Status::Pending);
        let Some(asks) = asks else {
            ledger.changed().await.unwrap();
            continue;
        };
        if dice.random_bool(0.3) {
            house.engine.stop().await;
            let House { engine, directory, .. } = house;
            drop((engine, ledger));
            house = House::open(directory, script).await;
        }
        house.engine.decide(&approver(), asks.id, None, ruling(dice)).await.unwrap();
    }
}

/// Records a run and goes through it again. Answers with what it had in it.
async fn record_and_replay(seed: u64) -> Vec<String> {
    let mut dice = StdRng::seed_from_u64(seed);
    let script = script(seed, &mut dice);
    let house = House::new(&script).await;
    furnish(&house, seed, &mut dice).await;
    let (house, outer) = match house.start("helper", "do it all").await {
        Answer::Done(envelope) => (house, envelope.invocation_id),
        Answer::Parked(row) => (see_through(house, row.id, &script, &mut dice).await, row.id),
        Answer::Unknown(envelope) => panic!("{envelope:?}"),
    };
    let bundle = bundle_of(&house, outer).await;
    house.engine.stop().await;
    let kept = bundle.clone();
    let report = replayed(bundle, Live::default()).await;
    assert_eq!(report.differences, [], "seed {seed}: {script}");
    assert_eq!((report.turns, report.calls), (kept.turns.len(), kept.calls.len()), "seed {seed}");
    let errors = kept.calls.iter().filter_map(|call| call.envelope.as_ref()?.error.as_ref());
    let mut had: Vec<String> = errors.map(|error| error.code.to_string()).collect();
    had.extend(kept.calls.iter().map(|call| call.approval.status.as_str().to_owned()));
    had.extend(kept.calls.iter().filter(|call| call.approval.edited).map(|_| "edited".to_owned()));
    had.push(kept.run.status.as_str().to_owned());
    let reason =
        kept.ending.error.and_then(|error| error.details).map(|details| details["reason"].to_string());
    had.extend(reason);
    had
}

/// Each quarter has every sort of call and of end: otherwise it would prove less than it says.
#[rstest::rstest]
#[tokio::test(flavor = "multi_thread")]
async fn every_call_id_and_the_order_come_out_again(#[values(0, 25, 50, 75)] first: u64) {
    let mut had = std::collections::BTreeSet::new();
    for seed in first..first + 25 {
        had.extend(record_and_replay(seed).await);
    }
    let sorts = [
        "VALIDATION_ERROR",
        "POLICY_DENIED",
        "approved",
        "rejected",
        "not_required",
        "edited",
        "completed",
        "failed",
        "\"guard.max_iterations\"",
        "\"repeated_failure\"",
    ];
    for sort in sorts {
        assert!(had.contains(sort), "no run from {first} on had {sort}: {had:?}");
    }
}
