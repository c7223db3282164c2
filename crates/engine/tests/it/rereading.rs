//! Somebody changed the rules or the tools, and what holds them stumbles in that moment: what was before is in force nowhere, and
//! every process hears of the change.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    Caller, ErrorCode, Lifecycle, Limits, Principal, Scope, Surface, TenantId,
    governance::{PermissionStatus, ToolSettings},
};
use toolgate_engine::{Answer, Call, Engine, NewAgent, PermissionEntry, Refused, definition_from_json};
use toolgate_store::{Records, Signals, Tools};
use toolgate_test_databases::stores_in;

use crate::{
    common::{Probe, caller, code, definition, start},
    stumbling::Stumbling,
};

const OFF: ToolSettings = ToolSettings { enabled: Some(false), approval: None };

/// Two processes on one database, which know the tools and the rules of two tenants.
struct Pair {
    one: Arc<Engine>,
    two: Arc<Engine>,
    /// Of the second.
    probe: Arc<Probe>,
    records: Arc<Stumbling<dyn Records>>,
    tools: Arc<Stumbling<dyn Tools>>,
    /// Of the first.
    signals: Arc<Stumbling<dyn Signals>>,
    stranger: Caller,
    _directory: tempfile::TempDir,
}

impl Pair {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let stores = stores_in(directory.path()).await;
        let signals = Stumbling::over(&stores.signals);
        let (records, tools) = (Stumbling::over(&stores.records), Stumbling::over(&stores.tools));
        let of_one = toolgate_store::Stores { signals: signals.clone(), ..stores.clone() };
        let of_two = toolgate_store::Stores { records: records.clone(), tools: tools.clone(), ..stores };
        let (one, _) = start(&of_one, Limits::default()).await;
        let other = one.rules().create_tenant(&caller(), "other", "Other").await.unwrap();
        let stranger = Caller::system(other.id, "other");
        for who in [&caller(), &stranger] {
            for (name, does) in [("echo", "echo"), ("hold", "hang")] {
                let spec = definition_from_json(definition(name, does, json!({}))).unwrap();
                one.registry().register(who, spec, false).await.unwrap();
            }
        }
        // A heart that beats often.
        let (two, probe) = start(&of_two, Limits { node_lease_ms: 150, ..Limits::default() }).await;
        let pair = Self { one, two, probe, records, tools, signals, stranger, _directory: directory };
        for who in [&caller(), &pair.stranger] {
            for engine in [&pair.one, &pair.two] {
                assert!(is_made(engine, who, "echo").await.unwrap());
            }
        }
        // These came in; the next one to come in is a test's.
        pair.probe.entered.notified().await;
        pair
    }
}

/// Whether a call is made; refused by what is in force, it is not.
async fn is_made(engine: &Arc<Engine>, who: &Caller, tool: &str) -> Result<bool, Refused> {
    let answer = engine.invoke(Call::new(who.clone(), Surface::Rest, tool, json!({}))).await?;
    Ok(answer.envelope().unwrap().error.is_none())
}

/// Waits until a process has heard that it is so.
async fn until_made(engine: &Arc<Engine>, who: &Caller, tool: &str, made: bool) {
    let mut changes = engine.changes();
    while is_made(engine, who, tool).await.unwrap() != made {
        changes.changed().await.unwrap();
    }
}

#[tokio::test]
async fn rules_that_could_not_be_read_again_are_read_with_the_next_call() {
    let pair = Pair::new().await;
    pair.records.stumble(1);
    // In the installation's own tenant, which is read first, it concerns every tenant.
    pair.one.rules().set_tool_settings(&caller(), "echo", OFF).await.unwrap();
    for who in [&caller(), &pair.stranger] {
        until_made(&pair.two, who, "echo", false).await;
    }
    pair.records.stumbled().await;
}

#[tokio::test]
async fn while_the_rules_cannot_be_read_nothing_is_decided_by_older_ones() {
    let pair = Pair::new().await;
    let key = pair.two.keys().create(&caller(), "k", &[Scope::Admin], None).await.unwrap().secret;
    assert!(pair.two.keys().authenticate(&key).await.unwrap().is_some());
    let mut changes = pair.two.changes();
    pair.records.stumble(usize::MAX);
    pair.one.rules().set_tool_settings(&caller(), "echo", OFF).await.unwrap();
    for who in [&caller(), &pair.stranger] {
        while is_made(&pair.two, who, "echo").await.is_ok() {
            changes.changed().await.unwrap();
        }
        let refused = is_made(&pair.two, who, "echo").await;
        assert!(matches!(refused, Err(Refused::Unavailable(_))), "{refused:?}");
    }
    assert!(pair.two.keys().authenticate(&key).await.is_err(), "nor is anybody let in");

    pair.records.stumble(0);
    assert!(pair.two.keys().authenticate(&key).await.unwrap().is_some());
    for who in [&caller(), &pair.stranger] {
        assert!(!is_made(&pair.two, who, "echo").await.unwrap(), "as the rules are now");
    }
}

#[tokio::test]
async fn a_change_is_told_though_its_author_could_not_read_it_again() {
    let pair = Pair::new().await;
    pair.records.stumble(1);
    pair.two.rules().set_tool_settings(&caller(), "echo", OFF).await.unwrap();
    pair.records.stumbled().await;
    assert!(!is_made(&pair.two, &caller(), "echo").await.unwrap());
    until_made(&pair.one, &caller(), "echo", false).await;
}

#[tokio::test]
async fn tools_that_could_not_be_read_again_are_read_with_the_next_call() {
    let pair = Pair::new().await;
    let known = pair.two.registry().get(&caller(), Surface::Rest, "hold").await.unwrap();
    pair.tools.stumble(1);
    pair.one.registry().set_lifecycle(&caller(), "echo", Lifecycle::Blocked).await.unwrap();
    until_made(&pair.two, &caller(), "echo", false).await;
    assert!(is_made(&pair.two, &pair.stranger, "echo").await.unwrap());
    let again = pair.two.registry().get(&caller(), Surface::Rest, "hold").await.unwrap();
    assert!(Arc::ptr_eq(&known, &again), "a tool that did not change keeps its places");

    let mut changes = pair.two.changes();
    pair.tools.stumble(usize::MAX);
    pair.one.registry().set_lifecycle(&pair.stranger, "echo", Lifecycle::Blocked).await.unwrap();
    while is_made(&pair.two, &pair.stranger, "echo").await.is_ok() {
        changes.changed().await.unwrap();
    }
    let refused = is_made(&pair.two, &pair.stranger, "echo").await;
    assert!(matches!(refused, Err(Refused::Unavailable(_))), "{refused:?}");
    pair.tools.stumble(0);
    assert!(!is_made(&pair.two, &pair.stranger, "echo").await.unwrap());
}

#[tokio::test]
async fn what_could_not_be_told_at_once_is_told_again() {
    let pair = Pair::new().await;
    let (rules, registry) = (pair.one.rules(), pair.one.registry());
    pair.signals.stumble(1);
    rules.set_tool_settings(&pair.stranger, "echo", OFF).await.unwrap();
    until_made(&pair.two, &pair.stranger, "echo", false).await;

    pair.signals.stumble(1);
    let soon = pair.one.clock().now().plus_ms(60_000);
    registry.put_alias(&caller(), "parrot".parse().unwrap(), "echo", soon).await.unwrap();
    until_made(&pair.two, &caller(), "parrot", true).await;

    pair.signals.stumble(1);
    registry.set_lifecycle(&caller(), "echo", Lifecycle::Blocked).await.unwrap();
    until_made(&pair.two, &caller(), "echo", false).await;
}

#[tokio::test]
async fn a_call_under_way_ends_as_soon_as_the_rules_that_forbid_it_can_be_read() {
    let pair = Pair::new().await;
    let new = NewAgent { handle: "ada".to_owned(), display_name: "Ada".to_owned(), ..NewAgent::default() };
    let agent = pair.one.rules().create_agent(&caller(), new).await.unwrap();
    let allow = |permission_status| PermissionEntry {
        tool_name: "hold".to_owned(),
        permission_status,
        provider_key: None,
    };
    let allowed = vec![allow(PermissionStatus::AlwaysAllow)];
    pair.two.rules().set_permissions(&caller(), agent.id, allowed).await.unwrap();
    let ada = Principal::Agent(agent.id);
    let ada = Caller::with_scopes(TenantId::DEFAULT, "default", ada, &[Scope::ToolsExecute]);
    let engine = Arc::clone(&pair.two);
    let call = Call::new(ada, Surface::Rest, "hold", json!({}));
    let running = tokio::spawn(async move { engine.invoke(call).await });
    pair.probe.entered.notified().await;

    // As often as the news of the change makes it read: then only the heart is left to look again.
    pair.records.stumble(3);
    let blocked = vec![allow(PermissionStatus::Blocked)];
    pair.one.rules().set_permissions(&caller(), agent.id, blocked).await.unwrap();
    let Answer::Done(receipt) = running.await.unwrap().unwrap() else { panic!("it ends") };
    assert_eq!(code(&receipt), ErrorCode::PolicyDenied);
    assert_eq!(receipt.error.unwrap().details.unwrap()["outcome"], "revoked");
}
