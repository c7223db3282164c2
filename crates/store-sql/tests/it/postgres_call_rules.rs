//! The rules as a client in the database meets them, through psql: each says what the server would say.

use crate::database::Database;
use crate::psql::{Client, invocation, person, put, registered};
use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, Clock, KeyId, Lifecycle, Scope, TenantId, UserId,
    governance::{BUILT_IN_ROLES, Role},
    ids::Uuid,
    tool::Origin,
};
use toolgate_store::{ApiKey, KeyBinding, Kind, Tenant, conformance::Fixture};

async fn fixture() -> Fixture {
    Database::create().await.fixture().await
}

async fn key(f: &Fixture, scopes: &[Scope], bound: KeyBinding) -> String {
    let id = KeyId::generate(&f.ids);
    let key = ApiKey {
        id,
        tenant_id: TenantId::DEFAULT,
        tenant_slug: "default".into(),
        name: "k".into(),
        hash: std::array::from_fn(|n| id.uuid().as_bytes()[n % 16]),
        hint: "tg_".into(),
        scopes: scopes.to_vec(),
        bound,
        created_at: f.clock.now(),
        expires_at: None,
        revoked_at: None,
    };
    f.stores.keys.insert(&key, &f.audit("key.create")).await.unwrap();
    id.to_string()
}

/// An active agent, with what else its document says.
async fn agent(f: &Fixture, patch: Value) -> Uuid {
    let id = f.new_uuid();
    let mut body =
        json!({"handle": "scout", "status": "active", "tool_groups": [], "custom_tools": [], "guard": {}});
    body.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    put(f, Kind::Agent, id, &id.to_string(), body).await;
    id
}

async fn permit(f: &Fixture, agent: Uuid, tools: Value, overrides: Value) {
    put(f, Kind::Permission, agent, &agent.to_string(), json!({"tools": tools, "overrides": overrides}))
        .await;
}

async fn assign(f: &Fixture, agent: Uuid, tool: &str, allowed: bool, profile: Option<Uuid>) {
    let profile = profile.map(|id| format!("prf_{id}"));
    let body =
        json!({"agent_id": format!("agt_{agent}"), "tool": tool, "allowed": allowed, "profile_id": profile});
    put(f, Kind::Assignment, f.new_uuid(), &format!("{agent}/{tool}"), body).await;
}

#[tokio::test]
async fn who_one_is_must_be_said_and_be_true() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({})).await;
    let call = invocation(&tool, None);
    for nobody in ["", "system", "usr_1", "someone"] {
        Client::new(&f, nobody).refused(&call, "say who you are").await;
    }
    let mut homeless = Client::new(&f, person(&f, &["member"]).await);
    homeless.tenants = String::new();
    homeless.refused(&call, "say whose calls these are").await;
    Client::new(&f, format!("usr_{}", f.new_uuid())).refused(&call, "lacks tools:execute").await;
    let gone = f.new_uuid();
    put(&f, Kind::User, gone, "gone", json!({"roles": ["admin"], "status": "disabled"})).await;
    Client::new(&f, format!("usr_{gone}")).refused(&call, "lacks tools:execute").await;
}

#[tokio::test]
async fn roles_and_scopes_mean_here_what_they_mean_to_the_server() {
    let f = fixture().await;
    let tool = registered(&f, "probe", json!({})).await;
    put(
        &f,
        Kind::Role,
        f.new_uuid(),
        "caller",
        json!({"name": "caller", "permissions": ["tools.tenant.execute"]}),
    )
    .await;
    put(
        &f,
        Kind::Role,
        f.new_uuid(),
        "viewer",
        json!({"name": "viewer", "permissions": ["tools.tenant.execute"]}),
    )
    .await;
    let roles = BUILT_IN_ROLES.iter().map(|(name, _)| (*name, Role::built_in(name).unwrap()));
    for (role, may) in
        roles.map(|(name, set)| (name, set.contains("tools.tenant.execute"))).chain([("caller", true)])
    {
        let me = Client::new(&f, person(&f, &[role]).await);
        assert_eq!(me.invoke(&tool, None).await.is_ok(), may, "{role}");
    }
    let asking = registered(&f, "asking", json!({"requires_approval": true})).await;
    let caller = Client::new(&f, person(&f, &["member"]).await);
    for (role, _) in BUILT_IN_ROLES {
        let id = caller.invoke(&asking, None).await.unwrap();
        let decided = Client::new(&f, person(&f, &[role]).await)
            .run(&format!("SELECT fn_approve_tool_invocation('{id}')"))
            .await;
        let may = Role::built_in(role).unwrap().contains("approvals.tenant.decide");
        assert_eq!(decided.is_ok(), may, "{role}: {decided:?}");
    }

    let viewer: UserId = person(&f, &["viewer"]).await.parse().unwrap();
    let bound = KeyBinding { user_id: Some(viewer), ..KeyBinding::default() };
    for (key, may) in [
        (key(&f, &[Scope::ToolsExecute], KeyBinding::default()).await, true),
        (key(&f, &[Scope::Admin], KeyBinding::default()).await, true),
        (key(&f, &[Scope::ToolsRead], KeyBinding::default()).await, false),
        (key(&f, &[Scope::Admin], bound).await, false),
    ] {
        let made = Client::new(&f, &key).invoke(&tool, None).await;
        assert_eq!(made.is_ok(), may, "{made:?}");
    }
    let revoked = key(&f, &[Scope::Admin], KeyBinding::default()).await;
    let id = revoked.parse().unwrap();
    f.stores.keys.revoke(TenantId::DEFAULT, id, f.clock.now(), &f.audit("key.revoke")).await.unwrap();
    Client::new(&f, revoked).refused(&invocation(&tool, None), "lacks tools:execute").await;
}

#[tokio::test]
async fn a_tool_that_is_blocked_switched_off_or_hidden_is_not_called() {
    let f = fixture().await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let blocked = registered(&f, "blocked", json!({})).await;
    let at = f.clock.now();
    let tools = &f.stores.tools;
    tools.set_lifecycle(TenantId::DEFAULT, blocked.id, Lifecycle::Blocked, at, &f.audit("x")).await.unwrap();
    me.refused(&invocation(&blocked, None), "blocked@1.0.0 is blocked").await;
    let off = registered(&f, "off", json!({})).await;
    put(&f, Kind::Switch, f.new_uuid(), "off", json!({"enabled": false})).await;
    let internal = registered(&f, "internal", json!({"visibility": "internal"})).await;
    let elsewhere = registered(&f, "elsewhere", json!({"tenant_slugs": ["ims"]})).await;
    for tool in [off, internal, elsewhere] {
        me.refused(&invocation(&tool, None), "there is no such tool").await;
    }
    let guarded = registered(&f, "guarded", json!({"required_permission": "entities.team.read"})).await;
    me.refused(&invocation(&guarded, None), "demands the permission entities.team.read").await;
}

#[tokio::test]
async fn what_was_made_stricter_or_deleted_is_so_in_the_database_too() {
    let f = fixture().await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let ships = async |name: &str| {
        let mut tool = f.tool(name, "1.0.0", json!({}));
        (tool.origin, tool.kind) = (Origin::Code, Origin::Code.into());
        f.stores.tools.insert(&tool, &f.schemas(&tool), &f.audit("tool.register")).await.unwrap();
        tool
    };
    let asks = ships("asks").await;
    put(&f, Kind::Override, f.new_uuid(), "asks", json!({"requires_approval": true})).await;
    let asked = me.invoke(&asks, None).await.unwrap();
    assert_eq!(me.status(asked).await, "pending/pending");
    let guarded = ships("guarded").await;
    put(&f, Kind::Override, f.new_uuid(), "guarded", json!({"required_permission": "a.b"})).await;
    me.refused(&invocation(&guarded, None), "demands the permission a.b").await;
    let filled = ships("filled").await;
    put(&f, Kind::Override, f.new_uuid(), "filled", json!({"defaults": {"a": 1}})).await;
    me.refused(&invocation(&filled, None), "input defaults, which only the server fills in").await;
    let gone = registered(&f, "gone", json!({})).await;
    let (tools, at) = (&f.stores.tools, f.clock.now());
    tools.set_lifecycle(TenantId::DEFAULT, gone.id, Lifecycle::Archived, at, &f.audit("x")).await.unwrap();
    me.refused(&invocation(&gone, None), "there is no such tool").await;
}

#[tokio::test]
async fn another_tenants_tools_do_not_exist_and_the_installations_are_asked_for() {
    let f = fixture().await;
    let ims = Tenant {
        id: TenantId::from_uuid(f.new_uuid()),
        slug: "ims".into(),
        name: "IMS".into(),
        created_at: f.clock.now(),
        archived_at: None,
    };
    f.stores.tenants.insert(&ims, &f.audit("tenant.create")).await.unwrap();
    let key = ApiKey {
        id: KeyId::generate(&f.ids),
        tenant_id: ims.id,
        tenant_slug: ims.slug.clone(),
        name: "k".into(),
        hash: [1; 32],
        hint: "tg_".into(),
        scopes: vec![Scope::ToolsExecute],
        bound: KeyBinding::default(),
        created_at: f.clock.now(),
        expires_at: None,
        revoked_at: None,
    };
    f.stores.keys.insert(&key, &AuditEvent { tenant_id: ims.id, ..f.audit("key.create") }).await.unwrap();
    let custom = registered(&f, "custom", json!({})).await;
    let mut shared = f.tool("shared", "1.0.0", json!({}));
    shared.origin = Origin::Code;
    f.stores.tools.insert(&shared, &f.schemas(&shared), &f.audit("tool.register")).await.unwrap();
    let mut me = Client::new(&f, key.id);
    me.tenants = ims.id.uuid().to_string();
    me.refused(&invocation(&shared, None), "there is no such tool").await;
    me.tenants = format!("{},{}", ims.id.uuid(), TenantId::DEFAULT.uuid());
    let id = me.invoke(&shared, None).await.unwrap();
    me.refused(&invocation(&custom, None), "there is no such tool").await;
    me.run(&format!("SELECT fn_complete_tool_invocation('{id}', 'completed')")).await.unwrap();
    let theirs = Client::new(&f, person(&f, &["admin"]).await);
    theirs.refused(&format!("SELECT fn_approve_tool_invocation('{id}')"), "no such invocation").await;
}

#[tokio::test]
async fn an_agent_calls_what_it_was_given_as_it_was_given() {
    let f = fixture().await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let tool = registered(&f, "probe", json!({"category": "search"})).await;
    let (status, blocked) =
        (|status: &str| json!({"probe": {"status": status}}), json!({"probe": {"by": "usr_x"}}));
    let profile = f.new_uuid();
    put(
        &f,
        Kind::Profile,
        profile,
        "strict",
        json!({"id": format!("prf_{profile}"), "name": "strict", "requires_approval": true}),
    )
    .await;

    let bare = agent(&f, json!({})).await;
    me.refused(&invocation(&tool, Some(bare)), "not assigned to the agent scout").await;
    me.refused(&invocation(&tool, Some(f.new_uuid())), "there is no such agent").await;
    let paused = agent(&f, json!({"status": "paused", "custom_tools": ["probe"]})).await;
    me.refused(&invocation(&tool, Some(paused)), "scout is paused").await;
    let stopped = agent(&f, json!({"custom_tools": ["probe"]})).await;
    permit(&f, stopped, status("blocked"), blocked.clone()).await;
    me.refused(&invocation(&tool, Some(stopped)), "blocked for the agent").await;
    let denied = agent(&f, json!({"custom_tools": ["probe"]})).await;
    assign(&f, denied, "probe", false, None).await;
    me.refused(&invocation(&tool, Some(denied)), "as denied").await;
    let orphaned = agent(&f, json!({})).await;
    assign(&f, orphaned, "probe", true, Some(f.new_uuid())).await;
    me.refused(&invocation(&tool, Some(orphaned)), "as denied").await;

    let (asks, runs) = ("pending/pending", "running/not_required");
    for (patch, tools, overrides, assigned, expected) in [
        (json!({"tool_groups": ["search"]}), json!({}), json!({}), None, asks),
        (json!({"custom_tools": ["probe"]}), status("needs_approval"), json!({}), None, asks),
        (json!({}), status("always_allow"), json!({}), None, runs),
        (json!({}), status("needs_approval"), blocked.clone(), None, runs),
        (json!({}), json!({}), json!({}), Some(None), asks),
        (json!({}), status("always_allow"), json!({}), Some(None), runs),
        (json!({}), status("always_allow"), json!({}), Some(Some(profile)), asks),
    ] {
        let given = format!("{patch} {tools} {overrides} {assigned:?}");
        let agent = agent(&f, patch).await;
        permit(&f, agent, tools, overrides).await;
        if let Some(profile) = assigned {
            assign(&f, agent, "probe", true, profile).await;
        }
        let id = me.invoke(&tool, Some(agent)).await.unwrap();
        assert_eq!(me.status(id).await, expected, "{given}");
        let own = Client::new(&f, format!("agt_{agent}"));
        assert_eq!(own.status(own.invoke(&tool, None).await.unwrap()).await, expected, "{given}");
        own.refused(&invocation(&tool, Some(bare)), "in its own name only").await;
    }
}

#[tokio::test]
async fn what_sql_cannot_judge_is_left_to_the_server() {
    let f = fixture().await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let boss = Client::new(&f, person(&f, &["approver"]).await);
    let several = registered(&f, "several", json!({"requires_approval": true})).await;
    put(&f, Kind::Switch, f.new_uuid(), "several", json!({"approval": {"quorum": 2, "allow_self": false}}))
        .await;
    let id = me.invoke(&several, None).await.unwrap();
    boss.refused(&format!("SELECT fn_approve_tool_invocation('{id}')"), "several people must agree").await;
    let deep = format!("'{}1{}'", "[".repeat(70), "]".repeat(70));
    for bad in [deep.as_str(), "'{\"a\": 9007199254740993}'", "'1e400'", "to_jsonb(repeat('x', 3000000))"] {
        let sql = format!("SELECT fn_invoke_tool(NULL, '{}', NULL, {bad})", several.id.uuid());
        me.refused(&sql, "the input is larger").await;
    }
    put(&f, Kind::Policy, f.new_uuid(), "1", json!({})).await;
    me.refused(&invocation(&several, None), "only the server can judge").await;
}

#[tokio::test]
async fn a_run_stays_within_its_bounds() {
    let f = fixture().await;
    let me = Client::new(&f, person(&f, &["member"]).await);
    let (probe, other) = (registered(&f, "probe", json!({})).await, registered(&f, "other", json!({})).await);
    put(
        &f,
        Kind::Setting,
        f.new_uuid(),
        "settings",
        json!({"guard": {"max_tool_calls": 2, "enabled_tools": ["probe"]}}),
    )
    .await;
    let run = f.new_uuid();
    let call = |id: Uuid| format!("SELECT fn_invoke_tool('{run}', '{id}', NULL, '{{}}')");
    me.refused(&call(other.id.uuid()), "not among its enabled tools").await;
    for _ in 0..2 {
        me.run(&call(probe.id.uuid())).await.unwrap();
    }
    me.refused(&call(probe.id.uuid()), "has made 2 calls").await;
}
