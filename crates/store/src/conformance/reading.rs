use std::collections::BTreeSet;

use serde_json::json;
use toolgate_domain::{
    AgentId, EventType, Gate, NewEvent, Phase, RunId, SessionId, Status, StepId, TenantId,
};

use super::Fixture;
use crate::{EventFilter, InvocationFilter};

const DONE: Phase = Phase::Completed(Gate::NotRequired);

pub async fn pages_neither_repeat_nor_miss(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut expected = Vec::new();
    for _ in 0..25 {
        expected.push(f.in_phase(&tool, DONE).await.id);
    }
    expected.reverse();
    let (mut seen, mut before) = (Vec::new(), None);
    loop {
        let filter = InvocationFilter { before, limit: 10, ..InvocationFilter::default() };
        let page = f.stores.invocations.list(TenantId::DEFAULT, &filter).await.unwrap();
        assert!(page.items.len() <= 10);
        seen.extend(page.items.iter().map(|row| row.id));
        // A row that arrives between two pages moves nothing.
        f.in_phase(&tool, DONE).await;
        match page.next_cursor {
            Some(cursor) => before = Some(cursor.parse().unwrap()),
            None => break,
        }
    }
    assert_eq!(seen, expected);
}

pub async fn calls_that_wait_are_counted(f: &Fixture) {
    let tool = f.registered("probe").await;
    let waiting = |tenant| async move { f.stores.invocations.count_pending(tenant).await.unwrap() };
    assert_eq!(waiting(TenantId::DEFAULT).await, 0);
    let asked = f.in_phase(&tool, Phase::Pending).await;
    f.in_phase(&tool, Phase::Pending).await;
    for phase in [DONE, Phase::Approved, Phase::Rejected, Phase::Withdrawn] {
        f.in_phase(&tool, phase).await;
    }
    assert_eq!(waiting(TenantId::DEFAULT).await, 2);
    f.stores.ledger.record(f.advance(&asked, Phase::Pending, Phase::Approved)).await.unwrap();
    assert_eq!(waiting(TenantId::DEFAULT).await, 1, "what is decided waits no longer");
    assert_eq!(waiting(TenantId::from_uuid(f.new_uuid())).await, 0, "of another tenant");
}

pub async fn filters_narrow_and_combine(f: &Fixture) {
    let (probe, other) = (f.registered("probe").await, f.registered("other").await);
    let (run, agent) = (RunId::generate(&f.ids), AgentId::generate(&f.ids));
    let mut of_run = f.invocation(&probe, DONE);
    of_run.run_id = Some(run);
    of_run.agent_id = Some(agent);
    f.stores.ledger.record(f.insert(&of_run)).await.unwrap();
    let failed = f.in_phase(&other, Phase::Failed(Gate::NotRequired)).await;
    let mut unknown = f.invocation(&other, Phase::Failed(Gate::NotRequired));
    (unknown.tool_id, unknown.tool_name) = (None, "no_such_tool".into());
    f.stores.ledger.record(f.insert(&unknown)).await.unwrap();
    let late = f.in_phase(&probe, DONE).await;

    let list = |filter: InvocationFilter| async move {
        let filter = InvocationFilter { limit: 100, ..filter };
        let page = f.stores.invocations.list(TenantId::DEFAULT, &filter).await.unwrap();
        page.items.iter().map(|row| row.id).collect::<BTreeSet<_>>()
    };
    let any = InvocationFilter::default;
    assert_eq!(list(any()).await.len(), 4);
    assert_eq!(list(InvocationFilter { run_id: Some(run), ..any() }).await, BTreeSet::from([of_run.id]));
    assert_eq!(list(InvocationFilter { agent_id: Some(agent), ..any() }).await, BTreeSet::from([of_run.id]));
    assert_eq!(
        list(InvocationFilter { status: Some(Status::Failed), ..any() }).await,
        BTreeSet::from([failed.id, unknown.id])
    );
    assert_eq!(
        list(InvocationFilter { tool: Some("probe".into()), ..any() }).await,
        BTreeSet::from([of_run.id, late.id])
    );
    assert_eq!(
        list(InvocationFilter { tool: Some("no_such_tool".into()), ..any() }).await,
        BTreeSet::from([unknown.id])
    );
    assert_eq!(
        list(InvocationFilter { since: Some(late.created_at), ..any() }).await,
        BTreeSet::from([late.id])
    );
    assert_eq!(
        list(InvocationFilter { until: Some(failed.created_at), ..any() }).await,
        BTreeSet::from([of_run.id])
    );
    let mut trial = f.invocation(&probe, DONE);
    trial.is_test = true;
    f.stores.ledger.record(f.insert(&trial)).await.unwrap();
    assert_eq!(list(InvocationFilter { is_test: Some(true), ..any() }).await, BTreeSet::from([trial.id]));
    assert_eq!(list(InvocationFilter { is_test: Some(false), ..any() }).await.len(), 4);
    let mut asked = f.invocation(&probe, DONE);
    asked.input = json!({"agent": "ada", "message": "hello"});
    f.stores.ledger.record(f.insert(&asked)).await.unwrap();
    let of_agents = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let ada = InvocationFilter { of_agents: of_agents(&["agt_1", "ada"]), ..any() };
    assert_eq!(list(ada).await, BTreeSet::from([asked.id]));
    assert!(list(InvocationFilter { of_agents: of_agents(&["eve"]), ..any() }).await.is_empty());
    let both = InvocationFilter { tool: Some("other".into()), status: Some(Status::Completed), ..any() };
    assert!(list(both).await.is_empty());
}

pub async fn events_come_in_order_with_their_payload(f: &Fixture) {
    let tool = f.registered("probe").await;
    let mut row = f.invocation(&tool, Phase::Running(Gate::NotRequired));
    row.session_id = SessionId::generate(&f.ids);
    let mut begin = f.insert(&row);
    begin.events = vec![f.event(&row, EventType::Started)];
    f.stores.ledger.record(begin).await.unwrap();
    let mut chunk = f.insert(&row);
    chunk.change = None;
    chunk.events =
        vec![NewEvent { data: Some(json!({"part": 1})), ..f.event(&row, EventType::OutputAppended) }];
    f.stores.ledger.record(chunk).await.unwrap();
    let lone = f.invocation(&tool, DONE);
    let mut elsewhere = f.insert(&lone);
    elsewhere.events = vec![f.event(&lone, EventType::Completed)];
    f.stores.ledger.record(elsewhere).await.unwrap();

    let events = &f.stores.events;
    let all =
        events.list(TenantId::DEFAULT, &EventFilter { limit: 10, ..EventFilter::default() }).await.unwrap();
    let kinds: Vec<_> = all.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventType::Started, EventType::OutputAppended, EventType::Completed]);
    assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert_eq!(all[0].data["input"], row.input);
    assert_eq!(all[1].data["chunk"], json!({"part": 1}));
    assert_eq!(all[2].data["output"], json!({"result": "2"}));

    let of_session = EventFilter { session_id: Some(row.session_id), after: all[0].id, limit: 10 };
    assert_eq!(events.list(TenantId::DEFAULT, &of_session).await.unwrap(), vec![all[1].clone()]);
    assert_eq!(events.newest(TenantId::DEFAULT).await.unwrap(), all[2].id);
}

pub async fn a_call_of_one_commit_begins_and_ends(f: &Fixture) {
    let tool = f.registered("probe").await;
    for end in [EventType::Completed, EventType::Failed, EventType::Cancelled] {
        let row = f.invocation(&tool, DONE);
        let mut entry = f.insert(&row);
        let started = f.event(&row, EventType::Started);
        let ended = NewEvent { created_at: started.created_at.plus_ms(5), ..f.event(&row, end) };
        entry.events = vec![started.clone(), ended.clone()];
        f.stores.ledger.record(entry).await.unwrap();

        let of_session = |after, limit| EventFilter { session_id: Some(row.session_id), after, limit };
        let read = async |after, limit| {
            f.stores.events.list(row.tenant_id, &of_session(after, limit)).await.unwrap()
        };
        let both = read(0, 10).await;
        let [first, last] = &both[..] else { panic!("{both:?}") };
        assert_eq!((first.kind, first.created_at), (EventType::Started, started.created_at));
        assert_eq!((last.kind, last.created_at), (end, ended.created_at));
        assert_eq!(first.data["input"], row.input);
        assert_eq!(last.data["output"], json!({"result": "2"}));
        assert!(first.id < last.id);

        assert_eq!(read(0, 1).await, both[..1], "who has room for one gets the first");
        assert_eq!(read(first.id, 10).await, both[1..], "and goes on with the other");
        assert_eq!(read(last.id, 10).await, []);
        assert_eq!(f.stores.events.newest(row.tenant_id).await.unwrap(), last.id);
    }
    let all = EventFilter { limit: 10, ..EventFilter::default() };
    let all = f.stores.events.list(TenantId::DEFAULT, &all).await.unwrap();
    assert_eq!(all.len(), 6);
    assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id), "no id is given twice");
}

pub async fn another_tenant_sees_nothing(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, DONE);
    let mut entry = f.insert(&row);
    entry.events = vec![f.event(&row, EventType::Completed)];
    f.stores.ledger.record(entry).await.unwrap();
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(f.stores.invocations.get(stranger, row.id).await.unwrap().is_none());
    let filter = InvocationFilter { limit: 10, ..InvocationFilter::default() };
    assert!(f.stores.invocations.list(stranger, &filter).await.unwrap().items.is_empty());
    let filter = EventFilter { session_id: Some(row.session_id), after: 0, limit: 10 };
    assert!(f.stores.events.list(stranger, &filter).await.unwrap().is_empty());
    assert_eq!(f.stores.events.newest(stranger).await.unwrap(), 0);
    assert!(f.stores.tools.all(stranger).await.unwrap().is_empty());
    let mut end = f.advance(&row, row.phase, Phase::Failed(Gate::NotRequired));
    end.tenant_id = stranger;
    assert!(f.stores.ledger.record(end).await.is_err());
}

pub async fn the_view_joins_the_tool_and_the_step(f: &Fixture) {
    let tool = f.registered("probe").await;
    let step = StepId::generate(&f.ids);
    let (step_id, tenant) = (f.raw.literal(step.uuid()), f.raw.literal(TenantId::DEFAULT.uuid()));
    let sql = format!(
        "INSERT INTO agent_run_steps (id, tenant_id, title) VALUES ({step_id}, {tenant}, 'look it up')"
    );
    f.raw.execute(&sql).await.unwrap();
    let mut row = f.invocation(&tool, DONE);
    row.agent_run_step_id = Some(step);
    f.stores.ledger.record(f.insert(&row)).await.unwrap();
    let sql = format!(
        "SELECT tool_key || ' ' || tool_name || ' ' || egress_class || ' ' || step_title FROM tool_invocations_v WHERE id = {}",
        f.id_of(&row)
    );
    assert_eq!(f.raw.query_text(&sql).await.unwrap().unwrap(), "probe@1.0.0 probe none look it up");
}

pub async fn a_blob_is_known_once_its_call_is(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, DONE);
    let blob = f.blob(&row);
    assert_eq!(f.stores.blob_index.find(blob.id).await.unwrap(), None);
    let mut entry = f.insert(&row);
    entry.blobs = vec![blob.clone()];
    f.stores.ledger.record(entry).await.unwrap();
    for sql in ["DELETE FROM blobs", "UPDATE blobs SET bytes = 0"] {
        assert!(f.raw.execute(sql).await.unwrap_err().contains("append-only"), "{sql}");
    }
    assert_eq!(f.stores.blob_index.find(blob.id).await.unwrap(), Some(blob));
}
