//! What people who should not have a secret try, and what they get.

use crate::{
    common::{House, caller, code, master_key, start, start_with},
    redaction::files_under,
    secrets::{SECRET, called_by, name, person, set, set_for_tenant, value, workspace},
};
use serde_json::json;
use toolgate_domain::{Caller, ErrorCode, Limits, TenantId, ids::OrderedIds, ids::Uuid, time::SystemClock};
use toolgate_engine::{SecretError, SecretTarget, definition_from_json, rekey, sealed_by};
use toolgate_store::{Kind, Record, RecordWrite};
use toolgate_test_databases::stores_in;

async fn house_with_tool() -> House {
    let house = House::new().await;
    house.tool("which", "leak", json!({"secrets": ["API_KEY"]})).await;
    house
}

async fn outcome(house: &House, by: &Caller) -> Option<ErrorCode> {
    called_by(house, by, "which", json!({"where": "compare"})).await.error.map(|error| error.code)
}

#[tokio::test]
async fn another_persons_or_another_teams_secret_is_not_resolved_listed_or_changed() {
    let house = house_with_tool().await;
    let (red, blue) = (workspace(&house, "red").await, workspace(&house, "blue").await);
    let ada = person(&house, "ada@example.com", "operator", &[red]).await;
    let mallory = person(&house, "mallory@example.com", "operator", &[blue]).await;
    set(&house, &ada, "API_KEY", SecretTarget::User, "of-ada").await;
    set(&house, &ada, "API_KEY", SecretTarget::Workspace(Some("red".to_owned())), "of-the-reds").await;

    assert_eq!(outcome(&house, &ada).await, None);
    assert_eq!(outcome(&house, &mallory).await, Some(ErrorCode::AuthRequired));
    assert_eq!(
        outcome(&house, &caller()).await,
        Some(ErrorCode::AuthRequired),
        "nor for an all-powerful key"
    );
    let secrets = house.engine.secrets();
    assert_eq!(secrets.list(&mallory).await.unwrap(), []);
    assert_eq!(secrets.list(&ada).await.unwrap().len(), 2);

    for reference in ["red".to_owned(), red.to_string()] {
        let target = SecretTarget::Workspace(Some(reference));
        let set = secrets.set(&mallory, &name("API_KEY"), &target, &value("of-mallory")).await;
        assert!(matches!(set, Err(SecretError::Forbidden(_))), "{set:?}");
        let deleted = secrets.delete(&mallory, &name("API_KEY"), &target).await;
        assert!(matches!(deleted, Err(SecretError::Forbidden(_))), "{deleted:?}");
    }
    let own = secrets.delete(&mallory, &name("API_KEY"), &SecretTarget::User).await;
    assert!(matches!(own, Err(SecretError::NotFound(_))), "hers is not there, and nobody else's is touched");
}

#[tokio::test]
async fn who_lacks_the_permission_changes_nothing() {
    let house = house_with_tool().await;
    let team = workspace(&house, "team").await;
    let viewer = person(&house, "viewer@example.com", "viewer", &[team]).await;
    let member = person(&house, "member@example.com", "member", &[team]).await;
    let secrets = house.engine.secrets();
    let scopes = [SecretTarget::User, SecretTarget::Workspace(None), SecretTarget::Tenant];
    for (who, allowed) in [(&viewer, 0), (&member, 1)] {
        for (index, target) in scopes.iter().enumerate() {
            let set = secrets.set(who, &name("API_KEY"), target, &value("a-value")).await;
            assert_eq!(set.is_ok(), index < allowed, "{target:?}: {set:?}");
            assert!(set.is_ok() || matches!(set, Err(SecretError::Forbidden(_))));
        }
    }
}

/// A second tenant with the same tool, and somebody in it.
async fn neighbour(house: &House) -> Caller {
    let tenant = house.engine.rules().create_tenant(&caller(), "acme", "Acme").await.unwrap();
    let them = Caller::system(tenant.id, "acme");
    let spec = crate::common::definition("which", "leak", json!({"secrets": ["API_KEY"]}));
    house.engine.registry().register(&them, definition_from_json(spec).unwrap(), false).await.unwrap();
    them
}

#[tokio::test]
async fn another_tenants_secrets_and_workspaces_do_not_exist() {
    let house = house_with_tool().await;
    let them = neighbour(&house).await;
    let team = workspace(&house, "team").await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    assert_eq!(outcome(&house, &them).await, Some(ErrorCode::AuthRequired));
    let secrets = house.engine.secrets();
    assert_eq!(secrets.list(&them).await.unwrap(), []);
    let rotated = secrets.rotate(&them, &name("API_KEY"), &SecretTarget::Tenant, &value("theirs")).await;
    assert!(matches!(rotated, Err(SecretError::NotFound(_))));
    let target = SecretTarget::Workspace(Some(team.to_string()));
    let set = secrets.set(&them, &name("API_KEY"), &target, &value("theirs")).await;
    assert!(matches!(set, Err(SecretError::NotFound(_))), "not forbidden: it does not exist for them");
}

async fn only(house: &House, tenant: TenantId, kind: Kind) -> Record {
    house.stores.records.all(tenant, kind).await.unwrap().remove(0)
}

/// Writes past the service, as somebody with the database's password would.
async fn smuggle(house: &House, record: Record) {
    let tenant = record.tenant_id;
    house.stores.records.commit(tenant, vec![RecordWrite::Insert(record)], vec![]).await.unwrap();
}

#[tokio::test]
async fn sealed_bytes_that_are_moved_to_another_row_or_tenant_do_not_open() {
    let house = house_with_tool().await;
    let them = neighbour(&house).await;
    let mallory = person(&house, "mallory@example.com", "member", &[]).await;
    set_for_tenant(&house, "HERS", SECRET).await;
    let sealed = only(&house, TenantId::DEFAULT, Kind::Secret).await;
    let moved = |tenant_id, name: String, id: u128| Record {
        tenant_id,
        name,
        id: Uuid::from_u128(id),
        ..sealed.clone()
    };
    // To another name, to a scope of one's own, and to another tenant together with its key.
    smuggle(&house, moved(TenantId::DEFAULT, "tenant/API_KEY".to_owned(), 1)).await;
    assert_eq!(outcome(&house, &caller()).await, Some(ErrorCode::AuthRequired));
    smuggle(&house, moved(TenantId::DEFAULT, format!("{}/API_KEY", mallory.user_id().unwrap()), 2)).await;
    assert_eq!(outcome(&house, &mallory).await, Some(ErrorCode::AuthRequired));
    let key = only(&house, TenantId::DEFAULT, Kind::TenantKey).await;
    smuggle(&house, moved(them.tenant_id, "tenant/API_KEY".to_owned(), 3)).await;
    smuggle(&house, Record { tenant_id: them.tenant_id, ..key }).await;
    assert_eq!(outcome(&house, &them).await, Some(ErrorCode::AuthRequired));
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn with_another_master_key_nothing_opens_and_the_error_says_whom_to_ask() {
    let house = house_with_tool().await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));
    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start_with(&stores, Limits::default(), master_key(2)).await;
    let house = House { engine, probe, stores, directory };
    let receipt = house.done("which", json!({"where": "compare"})).await;
    assert_eq!(code(&receipt), ErrorCode::AuthRequired);
    let text = serde_json::to_string(&receipt).unwrap();
    assert!(text.contains("another master key") && !text.contains(SECRET), "{text}");
    let secrets = house.engine.secrets();
    let set = secrets.set(&caller(), &name("NEW"), &SecretTarget::Tenant, &value("a-value")).await;
    let error = set.unwrap_err().to_string();
    assert!(error.contains("is wrapped by master key"), "{error}");
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn after_a_change_of_keys_only_the_new_master_key_opens() {
    for fresh in [false, true] {
        let house = house_with_tool().await;
        let them = neighbour(&house).await;
        set_for_tenant(&house, "API_KEY", SECRET).await;
        set(&house, &them, "API_KEY", SecretTarget::Tenant, "of-theirs").await;
        let before = only(&house, TenantId::DEFAULT, Kind::Secret).await;
        house.engine.stop().await;
        let House { engine, stores, probe, directory } = house;
        drop((engine, stores, probe));
        let stores = stores_in(directory.path()).await;
        let ids = OrderedIds::new(SystemClock);
        let run = || rekey(&stores, &SystemClock, &ids, (master_key(1), master_key(2)), fresh);
        let done = run().await.unwrap();
        assert_eq!((done.tenants, done.skipped, done.secrets), (2, 0, if fresh { 2 } else { 0 }));
        let again = run().await.unwrap();
        assert_eq!((again.tenants, again.skipped), (0, 2), "what was done is not done again");
        assert_eq!(sealed_by(&stores).await.unwrap(), [master_key(2).id()]);

        let (engine, probe) = start_with(&stores, Limits::default(), master_key(2)).await;
        let house = House { engine, probe, stores, directory };
        let after = only(&house, TenantId::DEFAULT, Kind::Secret).await;
        assert_eq!(after.body["ciphertext"] != before.body["ciphertext"], fresh);
        for (who, expected) in [(caller(), SECRET), (them, "of-theirs")] {
            let input = json!({"where": "compare", "token": expected});
            let receipt = called_by(&house, &who, "which", input).await;
            assert_eq!(receipt.output, Some(json!({"got": true})));
        }
        let filter = toolgate_store::AuditFilter { limit: 1, ..Default::default() };
        let trail = house.stores.audit.events(TenantId::DEFAULT, &filter).await.unwrap();
        assert_eq!(trail[0].action, "secrets.rekey");
    }
}

#[tokio::test]
async fn the_value_stands_nowhere_on_disk() {
    let house = house_with_tool().await;
    let plain = "Plain-Value-That-Nobody-Else-Writes";
    set_for_tenant(&house, "API_KEY", plain).await;
    house
        .engine
        .secrets()
        .rotate(&caller(), &name("API_KEY"), &SecretTarget::Tenant, &value(plain))
        .await
        .unwrap();
    for place in ["output", "error", "chunk", "text"] {
        house.done("which", json!({"where": place, "how": "plain", "token": plain})).await;
    }
    let mut seen = 0;
    let forms = [plain.to_owned(), data_encoding::BASE64_NOPAD.encode(plain.as_bytes())];
    for file in files_under(house.directory.path()) {
        let bytes = std::fs::read(&file).unwrap();
        seen += bytes.len();
        for form in &forms {
            let found = bytes.windows(form.len()).any(|window| window == form.as_bytes());
            assert!(!found, "{form} in {}", file.display());
        }
    }
    assert!(seen > 10_000, "there is a database and its log: {seen}");
}

#[tokio::test]
async fn a_call_whose_input_was_redacted_is_not_run_again_after_a_crash() {
    let house = House::new().await;
    let patch =
        json!({"secrets": ["API_KEY"], "egress_class": "read_only", "annotations": {"idempotentHint": true}});
    house.tool("again", "leak", patch).await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    let clean = house.done("again", json!({"where": "compare"})).await;
    let pasted = house.done("again", json!({"where": "compare", "token": SECRET})).await;
    let mut orphans = Vec::new();
    for receipt in [clean, pasted] {
        let template = house.row(receipt.invocation_id).await;
        orphans.push(crate::recovery::begun(&house.stores, &template, 1).await);
    }
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));
    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;
    let mut errors = Vec::new();
    let mut ledger = stores.signals.ledger();
    for orphan in orphans {
        let ended = loop {
            ledger.mark_unchanged();
            let now = stores.invocations.get(TenantId::DEFAULT, orphan.id).await.unwrap().unwrap();
            if now.phase.is_terminal() {
                break now;
            }
            ledger.changed().await.unwrap();
        };
        errors.push(ended.outcome.error.map(|error| error.details.unwrap()["outcome"].clone()));
    }
    assert_eq!(errors, [None, Some(json!("unknown"))]);
    assert_eq!(probe.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
    engine.stop().await;
}
