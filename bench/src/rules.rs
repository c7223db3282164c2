//! What governing costs: one decision, and one agent's list of tools.

use std::{sync::Arc, time::Instant};

use anyhow::Context;
use futures::future::try_join_all;
use serde_json::{Value, json};
use toolgate_domain::{
    AgentId, AuditEvent, Caller, Clock, IdGen, Lifecycle, Limits, Principal, SchemaVersionId, Scope, Surface,
    TenantId, Tool, ToolId,
    ids::OrderedIds,
    json::{canonical_bytes, sha256_hex},
    time::SystemClock,
    tool::Origin,
};
use toolgate_engine::{Call, Engine, EngineOptions, MasterKey, ToolFilter};
use toolgate_runtimes::builtin::BuiltinRuntime;
use toolgate_store::{Kind, Record, RecordWrite, SchemaVersion, Stores};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};

use crate::{
    args::Plan,
    report::{Bound, Report, Row, Unit},
    stats::Spread,
};

const SECTION: &str = "governance";
pub(crate) const TOOLS: usize = 10_000;
pub(crate) const ASSIGNED: usize = 1_000;
const RULES: usize = 200;
/// Rules of the policy that are about every tool; the others name theirs.
const OPEN_RULES: usize = 5;

pub(crate) async fn measure(plan: &Plan, report: &mut Report) -> anyhow::Result<()> {
    let directory = tempfile::tempdir().context("a directory for the database cannot be made")?;
    let (store, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("rules.db")))?;
    let blobs = ObjectBlobs::local(&directory.path().join("blobs"))?;
    let stores =
        store.stores(Arc::new(blobs), Arc::new(MemoryCache::new(0)), Arc::new(MemoryLimits::default()));
    let ids = Arc::new(OrderedIds::new(SystemClock));
    let agent = AgentId::generate(&*ids);
    fill(&stores, &ids, agent, 0).await?;
    let engine = Engine::start(EngineOptions {
        stores,
        clock: Arc::new(SystemClock),
        ids: ids.clone(),
        limits: Limits::default(),
        runtimes: vec![Arc::new(
            BuiltinRuntime::new(Arc::new(SystemClock), ids).map_err(anyhow::Error::msg)?,
        )],
        code_tools: vec![],
        master_key: MasterKey::random_text().parse()?,
        bypass_approval: false,
        separation: toolgate_engine::Separation::Auto,
        ports: toolgate_engine::Ports::default(),
    })
    .await?;
    let caller = Caller::with_scopes(
        TenantId::DEFAULT,
        "default",
        Principal::Agent(agent),
        &[Scope::ToolsExecute, Scope::ToolsRead],
    );
    decisions(&engine, &caller, plan, report).await?;
    lists(&engine, &caller, plan, report).await?;
    engine.stop().await;
    Ok(())
}

async fn decisions(
    engine: &Arc<Engine>,
    caller: &Caller,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let mut rounds = Vec::new();
    for round in 0..=plan.rounds {
        let calls: Vec<_> = (0..2_000)
            .map(|n| {
                let tool = format!("tool_{:05}", (n * 7 + round) % ASSIGNED);
                Call::new(caller.clone(), Surface::Rest, tool, json!({"expression": "(2+3)*7"}))
            })
            .collect();
        let (count, began) = (calls.len(), Instant::now());
        for call in calls {
            let explained = engine.explain(call).await?;
            anyhow::ensure!(
                explained.would_run(),
                "a call that should run would not: {:?}",
                explained.decision
            );
        }
        // The first round warms up.
        if round > 0 {
            rounds.push(began.elapsed().as_secs_f64() * 1e6 / count as f64);
        }
    }
    let what = format!("resolve, decide, validate: {RULES} rules, {ASSIGNED} of {TOOLS} tools assigned");
    let target = Some(Bound::AtMost(50.0));
    report.add(Row::named(SECTION, &what).with(
        "a decision",
        Unit::Microseconds,
        Spread::of(rounds.into_iter()),
        target,
    ));
    Ok(())
}

async fn lists(
    engine: &Arc<Engine>,
    caller: &Caller,
    plan: &Plan,
    report: &mut Report,
) -> anyhow::Result<()> {
    let everything = ToolFilter { limit: TOOLS, ..ToolFilter::default() };
    let mut rounds = Vec::new();
    for round in 0..=plan.rounds {
        let began = Instant::now();
        for _ in 0..20 {
            let page = engine.registry().list(caller, Surface::Rest, &everything).await?;
            anyhow::ensure!(page.items.len() == ASSIGNED, "{} tools are listed", page.items.len());
        }
        if round > 0 {
            rounds.push(began.elapsed().as_secs_f64() * 1e3 / 20.0);
        }
    }
    let what = format!("an agent's {ASSIGNED} tools out of {TOOLS}");
    let target = Some(Bound::AtMost(5.0));
    report.add(Row::named(SECTION, &what).with(
        "a list",
        Unit::Milliseconds,
        Spread::of(rounds.into_iter()),
        target,
    ));
    Ok(())
}

/// All tools, the rules, and an agent that was given some tools, from the `first` on.
pub(crate) async fn fill(
    stores: &Stores,
    ids: &OrderedIds<SystemClock>,
    agent: AgentId,
    first: usize,
) -> anyhow::Result<()> {
    let admin = Caller::system(TenantId::DEFAULT, "default");
    let told = |action: &str| AuditEvent::by(&admin, ids, &SystemClock, action, "the benchmark");
    let tools = (0..TOOLS).map(|n| tool(ids, n)).collect::<Result<Vec<_>, _>>()?;
    for batch in tools.chunks(500) {
        let kept = batch.iter().map(|(tool, schemas)| {
            let event = told("tool.register");
            async move { stores.tools.insert(tool, schemas, &event).await }
        });
        try_join_all(kept).await?;
    }
    let record = |kind, id, name: String, body: Value| {
        let now = SystemClock.now();
        let tenant_id = TenantId::DEFAULT;
        RecordWrite::Insert(Record {
            tenant_id,
            kind,
            id,
            name,
            body,
            revision: 1,
            created_at: now,
            updated_at: now,
        })
    };
    let now = SystemClock.now();
    let persona = json!({
        "id": agent, "handle": "ada", "display_name": "Ada", "tool_groups": [], "custom_tools": [], "guard": {},
        "metadata": {}, "status": "active", "created_at": now, "updated_at": now,
    });
    let mut permissions = serde_json::Map::new();
    let mut writes = vec![record(Kind::Agent, agent.uuid(), "ada".to_owned(), persona)];
    for n in first..first + ASSIGNED {
        let name = format!("tool_{n:05}");
        let id = ids.uuid();
        let assignment = json!({
            "id": format!("asg_{id}"), "agent_id": agent, "tool": name, "profile_id": null, "allowed": true,
            "created_by": "system", "created_at": now,
        });
        writes.push(record(Kind::Assignment, id, format!("{}/{name}", agent.uuid()), assignment));
        permissions.insert(name, json!({"status": "always_allow", "provider_key": null}));
    }
    let body = json!({"tools": permissions, "overrides": {}});
    writes.push(record(Kind::Permission, agent.uuid(), agent.uuid().to_string(), body));
    let policy = json!({
        "id": format!("pol_{}", ids.uuid()), "version": "", "document": {"rules": (0..RULES).map(rule).collect::<Vec<_>>()},
        "created_by": "system", "created_at": now,
    });
    writes.push(record(Kind::Policy, ids.uuid(), "policy".to_owned(), policy));
    Ok(stores.records.commit(TenantId::DEFAULT, writes, vec![told("benchmark.fill")]).await?)
}

/// Most rules are about a few tools; some look at every call.
fn rule(n: usize) -> Value {
    let when = "size(input.expression) > 20 && time.hour < 25";
    let long = json!({"input": {"expression": "1".repeat(21)}});
    let short = json!({"input": {"expression": "1"}});
    let mut rule = json!({
        "id": format!("rule-{n}"), "when": when, "verdict": "deny", "because": "sums stay short",
        "examples": {"match": [long], "no_match": [short]},
    });
    if n >= OPEN_RULES {
        let named: Vec<_> = (0..5).map(|k| format!("tool_{:05}", (n * 5 + k) % ASSIGNED)).collect();
        rule["tools"] = json!(named);
    }
    rule
}

fn tool(ids: &OrderedIds<SystemClock>, n: usize) -> anyhow::Result<(Tool, SchemaVersion)> {
    let definition = json!({
        "name": format!("tool_{n:05}"), "version": "1.0.0", "description": "one of many", "category": "utility",
        "input_schema": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
        "execution": {"kind": "builtin", "handler": "calculate"},
    });
    let now = SystemClock.now();
    let tool = Tool {
        id: ToolId::generate(ids),
        tenant_id: TenantId::DEFAULT,
        origin: Origin::TenantCustom,
        kind: Origin::TenantCustom.into(),
        also_required: Vec::new(),
        lifecycle: Lifecycle::Active,
        created_at: now,
        updated_at: now,
        spec: Arc::new(serde_json::from_value(definition)?),
    };
    let schemas = SchemaVersion {
        id: SchemaVersionId::generate(ids),
        tenant_id: tool.tenant_id,
        tool_id: tool.id,
        tool_name: tool.spec.name.clone(),
        tool_version: tool.spec.version.clone(),
        input_hash: sha256_hex(&canonical_bytes(&tool.spec.input_schema)?),
        output_hash: None,
        created_at: now,
    };
    Ok((tool, schemas))
}
