//! What the loop of an agent costs, with a model that answers at once: the same turns through the door and through nothing.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use async_trait::async_trait;
use futures::future::try_join_all;
use serde_json::{Value, json};
use toolgate_agents::{
    llm::{ChatRequest, Message, Prices, Provider, Scripted},
    run::{AgentRuntime, Models, Opened},
};
use toolgate_domain::{
    Caller, Invocation, InvocationId, Limits, Surface, TenantId, ToolError, governance::PermissionStatus,
    ids::OrderedIds, time::SystemClock,
};
use toolgate_engine::{
    Answer, Approval, Call, Engine, EngineOptions, Invoker, MasterKey, NewAgent, PermissionEntry, Ports,
    Ruling, definition_from_json,
};
use toolgate_runtimes::builtin::BuiltinRuntime;
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};

use crate::{
    args::Plan,
    machine::resident_mb,
    output,
    report::{Bound, Report, Row, Unit},
    stats::Spread,
};

const SECTION: &str = "agents";
/// Turns of a run, each with one call.
const TURNS: usize = 20;
const RUNS_A_ROUND: usize = 10;
const SIDE_BY_SIDE: usize = 8;
const WAIT_MS: u64 = 100;
const PARKED: usize = 1_000;

pub(crate) async fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    output::progress(SECTION);
    overhead(plan, report).await?;
    side_by_side(plan, report).await?;
    parked(report).await
}

/// One call after the other: what each turn with its call takes, through the door and without it.
async fn overhead(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let call = json!({"tool_calls": [{"name": "calculate", "arguments": {"expression": "(2+3)*7"}}]});
    let turns: Vec<_> = std::iter::repeat_n(call, TURNS).chain([json!({"text": "35"})]).collect();
    let script = script(&turns)?;
    let house = House::start(tempfile::tempdir()?, &script).await?;
    house.agent(&["calculate"]).await?;
    let (mut governed, mut bare) = (Vec::new(), Vec::new());
    for round in 0..=plan.rounds {
        let (mut through, mut past) = (Vec::new(), Vec::new());
        for _ in 0..RUNS_A_ROUND {
            let began = Instant::now();
            let outputs = house.run().await?;
            through.push(began.elapsed());
            ensure!(
                outputs["tool_order"].as_array().map(Vec::len) == Some(TURNS),
                "the run made other calls: {outputs}"
            );
            let began = Instant::now();
            bare_run(&*script).await?;
            past.push(began.elapsed());
        }
        // The first round warms up.
        if round > 0 {
            governed.push(median_ms_a_call(&through));
            bare.push(median_ms_a_call(&past));
        }
    }
    let row = |what: &str, rounds: Vec<f64>, target| {
        Row::named(SECTION, what).with(
            "median of a turn with its call",
            Unit::Milliseconds,
            Spread::of(rounds.into_iter()),
            target,
        )
    };
    report.add(row("a turn and a governed call, both durable (SQLite)", governed, Some(Bound::AtMost(2.0))));
    report.add(row("the same in a bare loop, nothing kept", bare, None));
    house.engine.stop().await;
    Ok(())
}

fn median_ms_a_call(took: &[Duration]) -> f64 {
    Spread::of(took.iter().map(|took| took.as_secs_f64() * 1e3 / TURNS as f64)).median
}

/// The loop that everybody writes first.
async fn bare_run(provider: &dyn Provider) -> anyhow::Result<()> {
    let mut messages = vec![Message::User("go on".to_owned())];
    for _ in 0..=TURNS {
        let request = ChatRequest {
            model: "scripted".to_owned(),
            messages: messages.clone(),
            ..ChatRequest::default()
        };
        let turn = provider.chat(&request, None).await?;
        messages.push(Message::Assistant { text: turn.text.clone(), tool_calls: turn.tool_calls.clone() });
        for call in turn.tool_calls {
            let content = json!({"result": "35"}).to_string();
            messages.push(Message::Tool { id: call.id, name: call.name, content, is_error: false });
        }
    }
    Ok(())
}

/// Calls of one turn wait beside each other, not after each other.
async fn side_by_side(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let call = json!({"name": "wait", "arguments": {"ms": WAIT_MS}});
    let calls = vec![call; SIDE_BY_SIDE];
    let house = House::start(
        tempfile::tempdir()?,
        &script(&[json!({"tool_calls": calls}), json!({"text": "rested"})])?,
    )
    .await?;
    house.agent(&["wait"]).await?;
    let mut rounds = Vec::new();
    for round in 0..=plan.rounds {
        let began = Instant::now();
        house.run().await?;
        if round > 0 {
            rounds.push(began.elapsed().as_secs_f64() * 1e3);
        }
    }
    let what = format!("a run of {SIDE_BY_SIDE} parallel tools of {WAIT_MS} ms");
    report.add(Row::named(SECTION, &what).with(
        "from message to answer",
        Unit::Milliseconds,
        Spread::of(rounds.into_iter()),
        Some(Bound::AtMost(150.0)),
    ));
    house.engine.stop().await;
    Ok(())
}

/// Runs that wait for a person: what they weigh, and that each goes on after a restart.
async fn parked(report: &mut Report) -> anyhow::Result<()> {
    let turns =
        [json!({"tool_calls": [{"name": "announce", "arguments": {"ms": 0}}]}), json!({"text": "announced"})];
    let script = script(&turns)?;
    let house = House::start(tempfile::tempdir()?, &script).await?;
    house.announcing_agent().await?;
    // What the first run needs, every server has.
    house.park().await?;
    let before = resident_mb("self")?;
    let waiting = try_join_all((0..PARKED).map(|_| house.park())).await?;
    let weight = resident_mb("self")? - before;
    let row = Row::named(SECTION, &format!("{PARKED} runs that wait for a person"));
    report.add(row.single("memory above one", Unit::Megabytes, weight, Some(Bound::AtMost(50.0))));
    house.engine.stop().await;
    let House { engine, directory } = house;
    drop(engine);
    let house = House::start(directory, &script).await?;
    let began = Instant::now();
    for outer in &waiting {
        let children = house.engine.stores().suspensions.children(TenantId::DEFAULT, *outer, 2).await?;
        let asks = children.first().context("the run waits for a call")?;
        house.engine.decide(&caller(), asks.id, None, Ruling::Approve(Approval::default())).await?;
    }
    for outer in &waiting {
        let row = house.ended(*outer).await?;
        let response = row.outcome.output.map(|output| output["response"].clone());
        ensure!(response == Some(json!("announced")), "a run ended otherwise: {response:?}");
    }
    let row = Row::named(SECTION, &format!("{PARKED} of them approved after a restart, all ended well"));
    let a_second = PARKED as f64 / began.elapsed().as_secs_f64();
    report.add(row.single("runs a second", Unit::Count, a_second, None));
    house.engine.stop().await;
    Ok(())
}

struct House {
    engine: Arc<Engine>,
    directory: tempfile::TempDir,
}

impl House {
    async fn start(directory: tempfile::TempDir, script: &Arc<Scripted>) -> anyhow::Result<Self> {
        let (store, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("agents.db")))?;
        let blobs = ObjectBlobs::local(&directory.path().join("blobs"))?;
        let stores =
            store.stores(Arc::new(blobs), Arc::new(MemoryCache::new(0)), Arc::new(MemoryLimits::default()));
        let ids = Arc::new(OrderedIds::new(SystemClock));
        let builtin = BuiltinRuntime::new(Arc::new(SystemClock), ids.clone()).map_err(anyhow::Error::msg)?;
        let agents = AgentRuntime::new(Arc::new(OneModel(Arc::clone(script))));
        let bound = TURNS as u64 + 1;
        let engine = Engine::start(EngineOptions {
            stores,
            clock: Arc::new(SystemClock),
            ids,
            limits: Limits { run_max_iterations: bound, run_max_tool_calls: bound, ..Limits::default() },
            code_tools: [agents.specs(), builtin.specs()].concat(),
            runtimes: vec![Arc::new(agents), Arc::new(builtin)],
            master_key: "02".repeat(32).parse::<MasterKey>()?,
            bypass_approval: false,
            separation: toolgate_engine::Separation::Auto,
            ports: Ports::default(),
        })
        .await?;
        Ok(Self { engine, directory })
    }

    async fn agent(&self, tools: &[&str]) -> anyhow::Result<()> {
        let new: NewAgent =
            serde_json::from_value(json!({"handle": "ada", "display_name": "Ada", "custom_tools": tools}))?;
        let agent = self.engine.rules().create_agent(&caller(), new).await?;
        let allowed = tools.iter().map(|tool| PermissionEntry {
            tool_name: (*tool).to_owned(),
            permission_status: PermissionStatus::AlwaysAllow,
            provider_key: None,
        });
        self.engine.rules().set_permissions(&caller(), agent.id, allowed.collect()).await?;
        Ok(())
    }

    async fn announcing_agent(&self) -> anyhow::Result<()> {
        let definition = definition_from_json(json!({
            "name": "announce", "version": "1.0.0", "description": "tells the world", "egress_class": "write",
            "input_schema": {"type": "object", "properties": {"ms": {"type": "integer"}}},
            "execution": {"kind": "builtin", "handler": "wait"},
        }))?;
        self.engine.registry().register(&caller(), definition, false).await?;
        self.agent(&["announce"]).await
    }

    async fn start_run(&self) -> anyhow::Result<Answer> {
        let input = json!({"agent": "ada", "message": "go on"});
        Ok(self.engine.invoke(Call::new(caller(), Surface::Rest, "run_agent", input)).await?)
    }

    async fn run(&self) -> anyhow::Result<Value> {
        let Answer::Done(envelope) = self.start_run().await? else { anyhow::bail!("the run did not end") };
        envelope.output.with_context(|| format!("the run failed: {:?}", envelope.error))
    }

    async fn park(&self) -> anyhow::Result<InvocationId> {
        let Answer::Parked(row) = self.start_run().await? else { anyhow::bail!("the run did not wait") };
        Ok(row.id)
    }

    async fn ended(&self, id: InvocationId) -> anyhow::Result<Invocation> {
        let mut ledger = self.engine.stores().signals.ledger();
        loop {
            ledger.mark_unchanged();
            let row = self.engine.stores().invocations.get(TenantId::DEFAULT, id).await?;
            let row = row.context("the run is gone")?;
            if row.phase.is_terminal() {
                return Ok(row);
            }
            ledger.changed().await?;
        }
    }
}

/// One model, whatever it is called.
struct OneModel(Arc<Scripted>);

#[async_trait]
impl Models for OneModel {
    async fn open(&self, _asker: &Invoker, _name: Option<&str>) -> Result<Opened, ToolError> {
        let provider = Arc::<Scripted>::clone(&self.0);
        Ok(Opened { provider, model: "scripted".to_owned(), prices: Prices::default() })
    }
}

fn script(turns: &[Value]) -> anyhow::Result<Arc<Scripted>> {
    let script = json!({"turns": turns}).to_string();
    Ok(Arc::new(Scripted::parse(&script).map_err(anyhow::Error::msg)?))
}

fn caller() -> Caller {
    Caller::system(TenantId::DEFAULT, "default")
}
