//! The wall between tenants, tried from the database's side: as the server's own role, with any SQL there is.

use std::sync::Arc;

use crate::database::Database;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row};
use toolgate_domain::{AuditEvent, Clock, EventType, Gate, Invocation, Phase, TenantId, ids::Uuid};
use toolgate_store::{
    ApiKey, Entry, KeyBinding, Kind, Record, RecordWrite, SignedHead, Tenant, conformance::Fixture,
};

const DONE: Phase = Phase::Completed(Gate::NotRequired);

/// A connection with the server's role and no more, as the server would have it.
async fn as_server(f: &Fixture, tenant: &str) -> PgConnection {
    let url = &f.guard.downcast_ref::<Database>().unwrap().url;
    let mut connection = PgConnection::connect(url).await.unwrap();
    let setting = format!("SET ROLE toolgate_app; SET app.tenant = '{tenant}'");
    sqlx::raw_sql(AssertSqlSafe(setting)).execute(&mut connection).await.unwrap();
    connection
}

async fn run(connection: &mut PgConnection, sql: &str) -> Result<u64, String> {
    let done = sqlx::query(AssertSqlSafe(sql)).execute(connection).await;
    done.map(|done| done.rows_affected()).map_err(|error| error.to_string())
}

async fn count(connection: &mut PgConnection, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(connection).await.unwrap()
}

/// Every table and view with a tenant, and the column that tells whose a row is.
async fn tenant_tables(f: &Fixture) -> Vec<(String, &'static str)> {
    let url = &f.guard.downcast_ref::<Database>().unwrap().url;
    let mut owner = PgConnection::connect(url).await.unwrap();
    let rows = sqlx::query(
        "SELECT table_name::text FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'
             AND table_name IN (SELECT tablename FROM pg_tables) ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    let mut tables: Vec<_> = rows.iter().map(|row| (row.get::<String, _>(0), "tenant_id")).collect();
    tables.push(("tenants".to_owned(), "id"));
    assert!(tables.len() >= Kind::ALL.len() + 10, "{tables:?}");
    tables
}

/// A second tenant that has a row in every table, as the first one has.
async fn furnished() -> (Fixture, TenantId) {
    let f = Database::create().await.fixture().await;
    let other = Tenant {
        id: TenantId::from_uuid(f.new_uuid()),
        slug: "other".into(),
        name: "Other".into(),
        created_at: f.clock.now(),
        archived_at: None,
    };
    f.stores.tenants.insert(&other, &f.audit("tenant.create")).await.unwrap();
    for tenant in [TenantId::DEFAULT, other.id] {
        furnish(&f, tenant).await;
    }
    (f, other.id)
}

async fn furnish(f: &Fixture, tenant: TenantId) {
    let told = || AuditEvent { tenant_id: tenant, ..f.audit("x.create") };
    let mut tool = f.tool("probe", "1.0.0", serde_json::json!({}));
    tool.tenant_id = tenant;
    f.stores.tools.insert(&tool, &f.schemas(&tool), &told()).await.unwrap();
    let now = f.clock.now();
    let alias = toolgate_store::Alias {
        tenant_id: tenant,
        alias: "old_probe".parse().unwrap(),
        target: tool.spec.name.clone(),
        remove_by: now,
        created_at: now,
    };
    f.stores.tools.put_alias(&alias, &told()).await.unwrap();
    let key = ApiKey {
        id: toolgate_domain::KeyId::generate(&f.ids),
        tenant_id: tenant,
        tenant_slug: String::new(),
        name: "ci".into(),
        hash: std::array::from_fn(|n| tenant.uuid().as_bytes()[n % 16]),
        hint: "tg_".into(),
        scopes: vec![],
        bound: KeyBinding::default(),
        created_at: now,
        expires_at: None,
        revoked_at: None,
    };
    f.stores.keys.insert(&key, &told()).await.unwrap();
    let record = |kind: &Kind| {
        RecordWrite::Insert(Record {
            tenant_id: tenant,
            kind: *kind,
            id: f.new_uuid(),
            name: "a".into(),
            body: serde_json::json!({}),
            revision: 1,
            created_at: now,
            updated_at: now,
        })
    };
    f.stores.records.commit(tenant, Kind::ALL.iter().map(record).collect(), vec![told()]).await.unwrap();
    let row = Invocation { tenant_id: tenant, ..f.invocation(&tool, DONE) };
    let blob = toolgate_store::BlobRecord {
        id: toolgate_domain::BlobId::generate(&f.ids),
        tenant_id: tenant,
        invocation_id: row.id,
        content_type: "text/plain".into(),
        bytes: 1,
        created_at: now,
    };
    let entry = Entry {
        events: vec![f.event(&row, EventType::Completed)],
        blobs: vec![blob],
        ..Entry::inserting(Arc::new(row.clone()))
    };
    f.stores.ledger.record(entry).await.unwrap();
    let head = f.stores.audit.head(tenant).await.unwrap();
    let signed = SignedHead { seq: head.seq, hash: head.hash, signed_at: now, signature: vec![1] };
    f.stores.audit.sign(tenant, &signed).await.unwrap();
    let thread = f.new_uuid();
    for sql in [
        format!(
            "INSERT INTO threads VALUES ('{}', '{thread}', gen_random_uuid(), gen_random_uuid(), 't', 'key_a', now(), now())",
            tenant.uuid()
        ),
        format!(
            "INSERT INTO messages VALUES ('{}', gen_random_uuid(), '{thread}', 1, 'user', 'hello', gen_random_uuid(), now())",
            tenant.uuid()
        ),
        format!("INSERT INTO agent_run_steps VALUES (gen_random_uuid(), '{}', 'step')", tenant.uuid()),
        format!("INSERT INTO suspensions VALUES ('{}', gen_random_uuid(), NULL, NULL, now())", tenant.uuid()),
        format!(
            "INSERT INTO spans VALUES ('{}', '\\x01', '\\x02', NULL, 'chat', 'client', now(), NULL, NULL, '{{}}')",
            tenant.uuid()
        ),
        format!(
            "INSERT INTO agent_action_places VALUES ('{}', gen_random_uuid(), gen_random_uuid(), 'a', '2026-01-01', now())",
            tenant.uuid()
        ),
        format!("INSERT INTO audit_pending VALUES ('{}', 1, gen_random_uuid())", tenant.uuid()),
        format!(
            "INSERT INTO model_usage VALUES ('{}', gen_random_uuid(), now(), gen_random_uuid(), NULL, NULL, 'probe', 'p', 'm',
                 1, 0, 1, 0, 0.5, NULL, false, 7, 'ok')",
            tenant.uuid()
        ),
    ] {
        f.raw.execute(&sql).await.unwrap();
    }
}

/// What the ledger's role writes, for all tenants. `postgres_role` shows that it cannot read it.
const OF_THE_LEDGER: &str =
    "'tool_invocations', 'session_events', 'blobs', 'audit_events', 'audit_chain', 'audit_heads'";

#[tokio::test]
async fn every_table_with_a_tenant_has_a_wall() {
    let f = Database::create().await.fixture().await;
    for (table, _) in tenant_tables(&f).await {
        let sql = format!(
            "SELECT relrowsecurity AND relforcerowsecurity AND EXISTS (SELECT FROM pg_policies WHERE tablename = '{table}'
                 AND roles = '{{public}}' AND cmd = 'ALL' AND qual LIKE '%toolgate_tenants%')
                 AND NOT EXISTS (SELECT FROM pg_policies WHERE tablename = '{table}' AND qual = 'true'
                     AND roles <> ARRAY[pg_get_userbyid(relowner)]
                     AND NOT (roles = '{{toolgate_ledger}}' AND tablename IN ({OF_THE_LEDGER})))
             FROM pg_class WHERE oid = '{table}'::regclass"
        );
        assert_eq!(
            f.raw.query_text(&sql).await.unwrap().unwrap(),
            "true",
            "{table} needs FORCE RLS and a policy"
        );
    }
    let views =
        "SELECT count(*) FROM pg_class WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
        AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)";
    assert_eq!(f.raw.query_text(views).await.unwrap().unwrap(), "0", "views look with the eyes of who asks");
}

#[tokio::test]
async fn without_a_tenant_nothing_is_read_and_nothing_written() {
    let (f, _) = furnished().await;
    let url = f.guard.downcast_ref::<Database>().unwrap().url.clone();
    let mut unset = PgConnection::connect(&url).await.unwrap();
    run(&mut unset, "SET ROLE toolgate_app").await.unwrap();
    let mut empty = as_server(&f, "").await;
    for connection in [&mut unset, &mut empty] {
        for (table, column) in tenant_tables(&f).await {
            assert!(
                f.raw.query_text(&format!("SELECT count(*) >= 2 FROM {table}")).await.unwrap().unwrap()
                    == "true"
            );
            assert_eq!(count(connection, &table).await, 0, "{table}");
            refused_or_nothing(connection, &table, column, "true").await;
        }
        assert_eq!(count(connection, "tool_invocations_v").await, 0);
        let born = "INSERT INTO tenants VALUES (gen_random_uuid(), 'forged', 'Forged', now())";
        assert!(run(connection, born).await.unwrap_err().contains("row-level security"));
    }
}

#[tokio::test]
async fn a_tenant_neither_reads_nor_writes_what_is_anothers() {
    let (f, other) = furnished().await;
    let me = TenantId::DEFAULT.uuid().to_string();
    let mut connection = as_server(&f, &me).await;
    for (table, column) in tenant_tables(&f).await {
        assert!(count(&mut connection, &table).await > 0, "{table}: one's own are there");
        let foreign = format!("{column} = '{}'", other.uuid());
        let theirs = count(&mut connection, &format!("{table} WHERE {foreign}")).await;
        assert_eq!(theirs, 0, "{table}");
        refused_or_nothing(&mut connection, &table, column, &foreign).await;
        // One's own row, copied over to the other tenant, and given to it.
        let copy = copy_of(&f, &table, column, other.uuid()).await;
        let refusal = run(&mut connection, &copy).await.unwrap_err();
        assert!(
            refusal.contains("row-level security") || refusal.contains("permission denied"),
            "{table}: {refusal}"
        );
        let given = format!("UPDATE {table} SET {column} = '{}'", other.uuid());
        run(&mut connection, &given).await.unwrap_err();
    }
    let theirs = format!("tool_invocations_v WHERE tenant_id = '{}'", other.uuid());
    assert_eq!(count(&mut connection, &theirs).await, 0);
    // Both, for who asks for both.
    let mut both = as_server(&f, &format!("{me},{}", other.uuid())).await;
    assert_eq!(count(&mut both, "tenants").await, 2);
}

/// UPDATE and DELETE of what cannot be seen: either they are not permitted at all, or they find nothing.
async fn refused_or_nothing(connection: &mut PgConnection, table: &str, column: &str, whose: &str) {
    let some = ["updated_at", "revoked_at", "archived_at", "seq", "attempt", "target"];
    for change in some.map(|name| format!("UPDATE {table} SET {name} = {name} WHERE {whose}")) {
        assert_eq!(run(connection, &change).await.unwrap_or(0), 0, "{change}");
    }
    for change in [
        format!("UPDATE {table} SET {column} = {column} WHERE {whose}"),
        format!("DELETE FROM {table} WHERE {whose}"),
    ] {
        assert_eq!(run(connection, &change).await.unwrap_or(0), 0, "{change}");
    }
}

/// A statement that inserts a copy of a row of the default tenant as one of `other`.
async fn copy_of(f: &Fixture, table: &str, column: &str, other: Uuid) -> String {
    let sql = format!(
        "SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) FROM information_schema.columns
         WHERE table_name = '{table}' AND is_generated = 'NEVER' AND is_identity = 'NO'"
    );
    let columns = f.raw.query_text(&sql).await.unwrap().unwrap();
    let values: Vec<_> = columns
        .split(", ")
        .map(|name| match name {
            name if name == column => format!("'{other}'::uuid"),
            "id" | "slug" => format!("gen_random_uuid(){}", if name == "slug" { "::text" } else { "" }),
            "hash" if table == "api_keys" => "'\\x00'".to_owned(),
            name => name.to_owned(),
        })
        .collect();
    format!("INSERT INTO {table} ({columns}) SELECT {} FROM {table} LIMIT 1", values.join(", "))
}

#[tokio::test]
async fn nobody_calls_another_tenants_tool() {
    let (f, other) = furnished().await;
    let row = f.in_phase(&f.registered("mine").await, DONE).await;
    let mut stranger = Invocation { tenant_id: other, ..row };
    stranger.id = toolgate_domain::InvocationId::generate(&f.ids);
    let refusal = f.stores.ledger.record(f.insert(&stranger)).await.unwrap_err().to_string();
    assert!(refusal.contains("does not exist"), "{refusal}");
    let mut shared = f.tool("everyones", "1.0.0", serde_json::json!({}));
    shared.origin = toolgate_domain::tool::Origin::Code;
    f.stores.tools.insert(&shared, &f.schemas(&shared), &f.audit("tool.register")).await.unwrap();
    let call = Invocation { tenant_id: other, ..f.invocation(&shared, DONE) };
    f.stores.ledger.record(f.insert(&call)).await.unwrap();
    let filter = toolgate_store::InvocationFilter {
        tool: Some("everyones".into()),
        limit: 10,
        ..toolgate_store::InvocationFilter::default()
    };
    assert_eq!(f.stores.invocations.list(other, &filter).await.unwrap().items.len(), 1);
}
