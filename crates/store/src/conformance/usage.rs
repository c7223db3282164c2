use serde_json::json;
use toolgate_domain::{AgentId, Clock, Gate, Lifecycle, Phase, Surface, TenantId, Timestamp};

use super::Fixture;
use crate::{Alias, StoreError};

const DONE: Phase = Phase::Completed(Gate::NotRequired);

pub async fn a_rename_is_all_or_nothing(f: &Fixture) {
    let tools = &f.stores.tools;
    let old = f.registered("old_probe").await;
    let new = f.tool("new_probe", "1.0.0", json!({}));
    let alias = Alias {
        tenant_id: TenantId::DEFAULT,
        alias: old.spec.name.clone(),
        target: new.spec.name.clone(),
        remove_by: f.clock.now(),
        created_at: f.clock.now(),
    };
    tools.rename(&new, &f.schemas(&new), &alias, &f.audit("tool.rename")).await.unwrap();
    let all = tools.all(TenantId::DEFAULT).await.unwrap();
    let states: Vec<_> = all.iter().map(|tool| (tool.spec.name.as_str(), tool.lifecycle)).collect();
    assert_eq!(states, [("new_probe", Lifecycle::Active), ("old_probe", Lifecycle::Blocked)]);
    assert_eq!(tools.aliases(TenantId::DEFAULT).await.unwrap(), vec![alias.clone()]);
    assert_eq!(tools.schema_versions(TenantId::DEFAULT, &new.spec.name).await.unwrap().len(), 1);

    let third = f.registered("third").await;
    let taken = f.tool("new_probe", "1.0.0", json!({}));
    let from_third = Alias { alias: third.spec.name.clone(), ..alias.clone() };
    let again = tools.rename(&taken, &f.schemas(&taken), &from_third, &f.audit("tool.rename")).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    let all = tools.all(TenantId::DEFAULT).await.unwrap();
    assert!(
        all.iter().any(|tool| tool.id == third.id && tool.lifecycle == Lifecycle::Active),
        "nothing happened"
    );
    assert_eq!(tools.aliases(TenantId::DEFAULT).await.unwrap(), vec![alias]);
}

pub async fn usage_tells_who_calls_what_and_how(f: &Fixture) {
    let (one, two) = (f.registered("one").await, f.registered("two").await);
    let before = f.clock.now();
    let agent = AgentId::from_uuid(f.new_uuid());
    let told = vec!["`uno` is an alias of `one`".to_owned()];
    let mut last = Timestamp::EPOCH;
    for n in 0..5 {
        let mut row = f.invocation(&one, DONE);
        if n >= 3 {
            (row.caller, row.agent_id, row.surface) = ("key:k".into(), Some(agent), Surface::Cli);
            row.warnings.clone_from(&told);
        }
        (row.is_test, last) = (n == 2, row.created_at);
        f.stores.ledger.record(f.insert(&row)).await.unwrap();
    }
    f.stores.ledger.record(f.insert(&f.invocation(&two, DONE))).await.unwrap();

    let usage = f.stores.invocations.usage(TenantId::DEFAULT, &[one.id], before, 10).await.unwrap();
    let shown: Vec<_> = usage.iter().map(|u| (u.caller.as_str(), u.agent_id, u.surface, u.calls)).collect();
    assert_eq!(shown, [("key:k", Some(agent), Surface::Cli, 2), ("system", None, Surface::Rest, 2)]);
    assert_eq!((&usage[0].warnings, usage[0].last_call, usage[0].tool_id), (&told, last, one.id));
    assert_eq!((usage[1].tool_name.as_str(), usage[1].tool_version.as_str()), ("one", "1.0.0"));
    let both = f.stores.invocations.usage(TenantId::DEFAULT, &[one.id, two.id], before, 2).await.unwrap();
    assert_eq!(both.len(), 2, "no more than asked for");
    assert_eq!(both[0].tool_name, "two", "whoever called last comes first");
    let later = last.plus_ms(3_600_000);
    assert!(f.stores.invocations.usage(TenantId::DEFAULT, &[one.id], later, 10).await.unwrap().is_empty());
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(f.stores.invocations.usage(stranger, &[one.id], before, 10).await.unwrap().is_empty());
}
