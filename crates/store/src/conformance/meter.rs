//! What models take and what calls come to, by day, agent, tool, run and model.

use std::cmp::Reverse;

use serde_json::json;
use toolgate_domain::{
    AgentId, Clock, ErrorCode, Gate, InvocationId, Outcome, Phase, RunId, RunStep, StepId, StepKind,
    TenantId, Timestamp, ids::Uuid, usage::Dimension,
};

use super::Fixture;
use crate::{ModelUse, UsageKey, UsageQuery};

const DONE: Phase = Phase::Completed(Gate::NotRequired);
const FAILED: Phase = Phase::Failed(Gate::NotRequired);
const HOUR_MS: i64 = 3_600_000;
/// The day on which the suite's clock stands, counted from 1970.
const TODAY: i64 = 20_370;

fn used(f: &Fixture, model: &str) -> ModelUse {
    ModelUse {
        id: f.new_uuid(),
        tenant_id: TenantId::DEFAULT,
        at: f.clock.now(),
        invocation_id: InvocationId::generate(&f.ids),
        run_id: None,
        agent_id: None,
        tool_name: "ask".into(),
        provider: Some("house".into()),
        model: Some(model.into()),
        input_tokens: 100,
        cached_input_tokens: 0,
        output_tokens: 10,
        reasoning_tokens: 0,
        cost: None,
        self_reported_cost: None,
        cost_mismatch: false,
        latency_ms: 5,
        error: None,
    }
}

/// About all that is near the suite's clock.
fn query(f: &Fixture, by: &[Dimension]) -> UsageQuery {
    let now = f.clock.now();
    UsageQuery {
        from: now.plus_ms(-48 * HOUR_MS),
        to: now.plus_ms(HOUR_MS),
        by: by.to_vec(),
        agent_id: None,
        tool: None,
        run_id: None,
        provider: None,
        model: None,
        limit: 100,
    }
}

pub async fn a_turn_and_what_it_took_are_kept_together_and_stay(f: &Fixture) {
    let (meter, run) = (&f.stores.meter, RunId::generate(&f.ids));
    let turn = |seq: u64| {
        let step = RunStep {
            id: StepId::generate(&f.ids),
            tenant_id: TenantId::DEFAULT,
            run_id: run,
            seq,
            kind: StepKind::Turn,
            title: "answers".into(),
            body: json!({}),
            created_at: f.clock.now(),
        };
        let used = ModelUse { id: step.id.uuid(), run_id: Some(run), ..used(f, "m") };
        (step, used)
    };
    let (step, took) = turn(0);
    assert!(meter.add_turn(&step, &took).await.unwrap());
    meter.add_use(&took).await.unwrap();
    assert_eq!(f.stores.steps.steps(TenantId::DEFAULT, run, 0, 10).await.unwrap(), [step]);
    let asked = || async {
        let query = UsageQuery { run_id: Some(run), ..query(f, &[]) };
        meter.model_totals(TenantId::DEFAULT, &query).await.unwrap()[0].1.calls
    };
    assert_eq!(asked().await, 1, "the same question counts once");
    let (late, too) = turn(0);
    assert!(!meter.add_turn(&late, &too).await.unwrap(), "the place is taken");
    assert_eq!(asked().await, 2, "and yet it was asked");
    for change in ["UPDATE model_usage SET cost = 0", "DELETE FROM model_usage"] {
        assert!(f.raw.execute(change).await.is_err(), "{change}");
    }
}

pub async fn calls_are_summed_up_by_what_is_asked_for(f: &Fixture) {
    let (one, two) = (f.registered("one").await, f.registered("two").await);
    let (agent, run) = (AgentId::generate(&f.ids), RunId::generate(&f.ids));
    // Twenty calls of 1 to 20 ms by an agent: of one tool, in one run, of which two failed and three were cached.
    for ms in 1..=20 {
        let mut row = f.invocation(&one, if ms <= 2 { FAILED } else { DONE });
        (row.agent_id, row.run_id) = (Some(agent), Some(run));
        row.completed_at = row.started_at.map(|at| at.plus_ms(ms));
        row.outcome.cached = ms >= 18;
        row.outcome.cost_estimate = (ms == 1).then_some(0.5);
        f.stores.ledger.record(f.insert(&row)).await.unwrap();
    }
    // One of the day before, one that is only a test, one that still waits.
    let mut old = f.invocation(&two, DONE);
    old.created_at = old.created_at.plus_ms(-9 * HOUR_MS);
    let mut test = f.invocation(&two, DONE);
    test.is_test = true;
    for row in [old, test, f.invocation(&two, Phase::Pending)] {
        f.stores.ledger.record(f.insert(&row)).await.unwrap();
    }

    let totals = |query: UsageQuery| async move {
        f.stores.meter.call_totals(TenantId::DEFAULT, &query).await.unwrap()
    };
    let all = totals(query(f, &[])).await;
    assert_eq!(all.len(), 1);
    let (key, sum) = &all[0];
    assert_eq!((key, sum.calls, sum.errors, sum.cached), (&UsageKey::default(), 22, 2, 3));
    assert_eq!((sum.latency.timed, sum.latency.sum_ms), (21, 210), "what waits has not been timed");

    let by_agent = totals(query(f, &[Dimension::Agent, Dimension::Day])).await;
    let shown: Vec<_> = by_agent.iter().map(|(key, sum)| (key.day, key.agent_id, sum.calls)).collect();
    assert_eq!(
        shown,
        [
            (Some(Reverse(TODAY)), None, 1),
            (Some(Reverse(TODAY)), Some(agent), 20),
            (Some(Reverse(TODAY - 1)), None, 1)
        ],
        "the newest day comes first, and what has no agent before what has"
    );
    assert!(by_agent.windows(2).all(|pair| pair[0].0 < pair[1].0), "in the order of their keys");
    let latency = by_agent[1].1.latency;
    assert_eq!((latency.p50_ms, latency.p95_ms), (Some(10), Some(19)), "nearest rank");
    assert_eq!(by_agent[1].1.cost, 0.5);

    let by_tool = totals(query(f, &[Dimension::Tool])).await;
    let names: Vec<_> = by_tool.iter().map(|(key, sum)| (key.tool.as_deref().unwrap(), sum.calls)).collect();
    assert_eq!(names, [("one", 20), ("two", 2)]);
    assert_eq!(totals(UsageQuery { limit: 1, ..query(f, &[Dimension::Tool]) }).await.len(), 1);
    for narrow in [
        UsageQuery { agent_id: Some(agent), ..query(f, &[]) },
        UsageQuery { run_id: Some(run), ..query(f, &[Dimension::Run]) },
        UsageQuery { tool: Some("one".into()), ..query(f, &[]) },
    ] {
        assert_eq!(totals(narrow).await[0].1.calls, 20);
    }
    let empty = totals(UsageQuery { to: Timestamp::EPOCH, ..query(f, &[]) }).await;
    assert_eq!((empty[0].1.calls, empty[0].1.latency.p50_ms), (0, None));
    assert!(totals(UsageQuery { tool: Some("a\0b".into()), ..query(f, &[Dimension::Day]) }).await.is_empty());
    let stranger = TenantId::from_uuid(f.new_uuid());
    let theirs = f.stores.meter.call_totals(stranger, &query(f, &[Dimension::Day])).await.unwrap();
    assert!(theirs.is_empty());
}

pub async fn questions_to_models_are_summed_up_by_what_is_asked_for(f: &Fixture) {
    let (agent, run) = (AgentId::generate(&f.ids), RunId::generate(&f.ids));
    let of_run = |model: &str| ModelUse { run_id: Some(run), agent_id: Some(agent), ..used(f, model) };
    let rows = [
        ModelUse { cached_input_tokens: 80, reasoning_tokens: 4, cost: Some(0.25), ..of_run("big") },
        ModelUse { latency_ms: 15, cost: Some(0.5), ..of_run("big") },
        ModelUse {
            error: Some(ErrorCode::RateLimit),
            input_tokens: 0,
            output_tokens: 0,
            latency_ms: 100,
            ..of_run("big")
        },
        ModelUse { cost: Some(1.0), self_reported_cost: Some(2.0), cost_mismatch: true, ..used(f, "small") },
        ModelUse { model: None, provider: None, ..used(f, "") },
    ];
    for row in &rows {
        f.stores.meter.add_use(row).await.unwrap();
    }
    let totals = |query: UsageQuery| async move {
        f.stores.meter.model_totals(TenantId::DEFAULT, &query).await.unwrap()
    };
    let by_model = totals(query(f, &[Dimension::Model, Dimension::Provider])).await;
    let names: Vec<_> = by_model.iter().map(|(key, _)| key.model.as_deref()).collect();
    assert_eq!(names, [None, Some("big"), Some("small")]);
    let big = by_model[1].1;
    assert_eq!((big.calls, big.errors, big.runs), (3, 1, 1));
    assert_eq!((big.input_tokens, big.cached_input_tokens, big.output_tokens), (200, 80, 20));
    assert_eq!((big.reasoning_tokens, big.cache_hits, big.cost), (4, 1, 0.75));
    assert_eq!((big.latency.sum_ms, big.latency.p50_ms, big.latency.p95_ms), (120, Some(15), Some(100)));
    assert_eq!((by_model[2].1.cost_mismatches, by_model[2].1.cost), (1, 1.0));
    assert_eq!(by_model[0].1.runs, 0);
    for narrow in [
        UsageQuery { agent_id: Some(agent), ..query(f, &[Dimension::Agent]) },
        UsageQuery { model: Some("big".into()), ..query(f, &[]) },
        UsageQuery { run_id: Some(run), provider: Some("house".into()), ..query(f, &[Dimension::Day]) },
    ] {
        assert_eq!(totals(narrow).await[0].1.calls, 3);
    }
    let stranger = TenantId::from_uuid(f.new_uuid());
    let theirs = f.stores.meter.model_totals(stranger, &query(f, &[Dimension::Model])).await.unwrap();
    assert!(theirs.is_empty());
}

pub async fn what_a_model_costs_is_not_counted_with_the_call_as_well(f: &Fixture) {
    let tool = f.registered("ask").await;
    let costly = |id: Uuid| {
        let mut row = f.invocation(&tool, DONE);
        row.id = InvocationId::from_uuid(id);
        row.outcome = Outcome { cost_estimate: Some(0.25), ..Outcome::default() };
        row
    };
    let (plain, asks) = (costly(f.new_uuid()), costly(f.new_uuid()));
    for row in [&plain, &asks] {
        f.stores.ledger.record(f.insert(row)).await.unwrap();
    }
    let used = ModelUse { invocation_id: asks.id, cost: Some(0.25), ..used(f, "m") };
    f.stores.meter.add_use(&used).await.unwrap();
    let query = query(f, &[Dimension::Tool]);
    let calls = f.stores.meter.call_totals(TenantId::DEFAULT, &query).await.unwrap();
    let models = f.stores.meter.model_totals(TenantId::DEFAULT, &query).await.unwrap();
    assert_eq!((calls[0].1.calls, calls[0].1.cost, models[0].1.cost), (2, 0.25, 0.25));
    assert_eq!(calls[0].0, models[0].0, "the same group");
}
