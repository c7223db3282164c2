use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{Clock, KeyId, Lifecycle, Scope, TenantId};

use super::Fixture;
use crate::{Alias, ApiKey, KeyBinding, StoreError};

pub async fn versions_aliases_and_schemas_are_kept(f: &Fixture) {
    let tools = &f.stores.tools;
    let first = f.tool("probe", "1.0.0", json!({}));
    tools.insert(&first, &f.schemas(&first), &f.audit("tool.register")).await.unwrap();
    let again = f.tool("probe", "1.0.0", json!({}));
    assert!(matches!(
        tools.insert(&again, &f.schemas(&again), &f.audit("tool.register")).await,
        Err(StoreError::Conflict(_))
    ));
    let second = f.tool("probe", "1.1.0", json!({"input_schema": {"type": "object", "required": ["a"]}}));
    tools.insert(&second, &f.schemas(&second), &f.audit("tool.register")).await.unwrap();
    assert_eq!(tools.all(TenantId::DEFAULT).await.unwrap(), vec![first.clone(), second.clone()]);

    let mut patched = first.clone();
    let mut spec = (*first.spec).clone();
    spec.description = "better said".into();
    patched.spec = Arc::new(spec);
    patched.updated_at = f.clock.now();
    tools.update(&patched, &f.schemas(&patched), &f.audit("tool.update")).await.unwrap();
    tools
        .set_lifecycle(
            TenantId::DEFAULT,
            second.id,
            Lifecycle::Blocked,
            second.updated_at,
            &f.audit("tool.lifecycle"),
        )
        .await
        .unwrap();
    let all = tools.all(TenantId::DEFAULT).await.unwrap();
    assert_eq!(all[0], patched);
    assert_eq!(all[1].lifecycle, Lifecycle::Blocked);
    for lifecycle in [Lifecycle::Archived, Lifecycle::Active] {
        tools
            .set_lifecycle(
                TenantId::DEFAULT,
                second.id,
                lifecycle,
                second.updated_at,
                &f.audit("tool.lifecycle"),
            )
            .await
            .unwrap();
        assert_eq!(tools.all(TenantId::DEFAULT).await.unwrap()[1].lifecycle, lifecycle);
    }
    let mut draft = f.tool("sketch", "0.0.0-draft.1", json!({}));
    draft.lifecycle = Lifecycle::Draft;
    tools.insert(&draft, &f.schemas(&draft), &f.audit("tool.draft")).await.unwrap();
    assert_eq!(tools.all(TenantId::DEFAULT).await.unwrap()[2], draft);

    let versions = tools.schema_versions(TenantId::DEFAULT, &first.spec.name).await.unwrap();
    assert_eq!(versions.len(), 2, "unchanged schemas are noted once");
    assert_eq!(versions[0].tool_version, second.spec.version, "newest first");
    assert_ne!(versions[0].input_hash, versions[1].input_hash);

    let mut alias = Alias {
        tenant_id: TenantId::DEFAULT,
        alias: "old_probe".parse().unwrap(),
        target: first.spec.name.clone(),
        remove_by: f.clock.now(),
        created_at: f.clock.now(),
    };
    tools.put_alias(&alias, &f.audit("tool.alias")).await.unwrap();
    alias.remove_by = f.clock.now();
    tools.put_alias(&alias, &f.audit("tool.alias")).await.unwrap();
    assert_eq!(tools.aliases(TenantId::DEFAULT).await.unwrap(), vec![alias]);
}

pub async fn keys_are_found_by_their_hash_until_revoked(f: &Fixture) {
    let keys = &f.stores.keys;
    let key = ApiKey {
        id: KeyId::generate(&f.ids),
        tenant_id: TenantId::DEFAULT,
        tenant_slug: "default".into(),
        name: "ci".into(),
        hash: [7; 32],
        hint: "tg_abcd".into(),
        scopes: vec![Scope::ToolsRead, Scope::Admin],
        bound: KeyBinding { service_role: true, ..KeyBinding::default() },
        created_at: f.clock.now(),
        expires_at: Some(f.clock.now()),
        revoked_at: None,
    };
    keys.insert(&key, &f.audit("key.create")).await.unwrap();
    // Of two processes that make the same key, one wins.
    let again = keys.insert(&ApiKey { hash: [9; 32], ..key.clone() }, &f.audit("key.create")).await;
    assert!(matches!(again, Err(StoreError::Conflict(_))), "{again:?}");
    assert_eq!(keys.by_hash(&[7; 32]).await.unwrap(), Some(key.clone()));
    assert_eq!(keys.by_hash(&[8; 32]).await.unwrap(), None);
    let (first, second) = (f.clock.now(), f.clock.now());
    assert!(keys.revoke(TenantId::DEFAULT, key.id, first, &f.audit("key.revoke")).await.unwrap());
    assert!(keys.revoke(TenantId::DEFAULT, key.id, second, &f.audit("key.revoke")).await.unwrap());
    assert_eq!(keys.list(TenantId::DEFAULT).await.unwrap()[0].revoked_at, Some(first));
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(!keys.revoke(stranger, key.id, second, &f.audit("key.revoke")).await.unwrap());
    assert!(keys.list(stranger).await.unwrap().is_empty());
}

pub async fn a_setting_keeps_its_first_value(f: &Fixture) {
    f.stores.settings.ready().await.unwrap();
    assert_eq!(f.stores.settings.get_or_init("secret", b"one").await.unwrap(), b"one");
    assert_eq!(f.stores.settings.get_or_init("secret", b"two").await.unwrap(), b"one");
}
