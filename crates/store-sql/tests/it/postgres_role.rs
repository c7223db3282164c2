//! What the server's role can do to the database: its work, and nothing else.

use crate::database::Database;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use toolgate_domain::{EventType, Gate, Phase, TenantId};
use toolgate_store::{Keys, Settings, Tenants, conformance::Fixture};
use toolgate_store_sql::postgres::{Postgres, PostgresOptions};

const DONE: Phase = Phase::Completed(Gate::NotRequired);

async fn as_role(url: &str, role: &str) -> PgConnection {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let mine = format!("SET ROLE {role}; SET app.tenant = '{}'", TenantId::DEFAULT.uuid());
    sqlx::raw_sql(AssertSqlSafe(mine)).execute(&mut connection).await.unwrap();
    connection
}

async fn as_server(url: &str) -> PgConnection {
    as_role(url, "toolgate_app").await
}

async fn refusal(connection: &mut PgConnection, sql: &str) -> String {
    match sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await {
        Ok(_) => panic!("{sql} went through"),
        Err(error) => error.to_string(),
    }
}

fn url_of(f: &Fixture) -> &str {
    &f.guard.downcast_ref::<Database>().unwrap().url
}

#[tokio::test]
async fn the_server_works_without_the_owners_powers() {
    let f = Database::create().await.fixture().await;
    // Someone writes down who writes: the pool's connections audit, the writer's own appends events.
    f.raw.execute("CREATE TABLE seen (who text, what text)").await.unwrap();
    let note = "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
        $$BEGIN INSERT INTO seen VALUES (current_user, TG_TABLE_NAME); RETURN NULL; END$$";
    f.raw.execute(note).await.unwrap();
    f.raw.execute("GRANT INSERT ON seen TO toolgate_app, toolgate_ledger").await.unwrap();
    for table in ["audit_events", "session_events", "nodes"] {
        let sql =
            format!("CREATE TRIGGER note AFTER INSERT ON {table} FOR EACH STATEMENT EXECUTE FUNCTION note()");
        f.raw.execute(&sql).await.unwrap();
    }
    let tool = f.registered("probe").await;
    let row = f.invocation(&tool, DONE);
    let mut entry = f.insert(&row);
    entry.events = vec![f.event(&row, EventType::Completed)];
    f.stores.ledger.record(entry).await.unwrap();
    f.stores.nodes.renew(toolgate_domain::NodeId::generate(&f.ids), row.created_at, 0).await.unwrap();
    let seen = "SELECT string_agg(DISTINCT who || ' ' || what, ', ' ORDER BY who || ' ' || what) FROM seen";
    assert_eq!(
        f.raw.query_text(seen).await.unwrap().unwrap(),
        "toolgate_app audit_events, toolgate_app nodes, toolgate_ledger session_events"
    );
    let powers =
        "SELECT bool_or(rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolcanlogin) FROM pg_roles
        WHERE rolname IN ('toolgate_app', 'toolgate_ledger')";
    assert_eq!(f.raw.query_text(powers).await.unwrap().unwrap(), "false");
}

#[tokio::test]
async fn the_servers_role_cannot_take_the_walls_down() {
    let f = Database::create().await.fixture().await;
    let mut server = as_server(url_of(&f)).await;
    for sql in [
        "ALTER TABLE tool_invocations DISABLE TRIGGER ALL",
        "ALTER TABLE tool_invocations DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE tool_invocations NO FORCE ROW LEVEL SECURITY",
        "DROP TRIGGER tool_invocations_legal_change ON tool_invocations",
        "DROP POLICY of_the_tenant ON tool_invocations",
        "CREATE POLICY hole ON tool_invocations USING (true)",
        "CREATE OR REPLACE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE OR REPLACE FUNCTION toolgate_tenants() RETURNS uuid[] LANGUAGE sql AS 'SELECT NULL::uuid[]'",
        "DROP TABLE tool_invocations CASCADE",
        "CREATE TABLE mine (id int)",
        "SET session_replication_role = replica",
        "ALTER ROLE toolgate_app BYPASSRLS",
        "UPDATE settings SET value = ''",
        "INSERT INTO audit_pending VALUES ('00000000-0000-0000-0000-000000000000', 1, gen_random_uuid())",
    ] {
        let refusal = refusal(&mut server, sql).await;
        assert!(
            ["permission denied", "must be owner", "must be superuser"].iter().any(|no| refusal.contains(no)),
            "{sql}: {refusal}"
        );
    }
    for table in [
        "tool_invocations",
        "session_events",
        "schema_versions",
        "blobs",
        "tools_registry",
        "audit_events",
        "audit_chain",
        "audit_heads",
        "audit_signatures",
        "tenants",
        "api_keys",
    ] {
        for sql in [format!("DELETE FROM {table}"), format!("TRUNCATE {table} CASCADE")] {
            assert!(refusal(&mut server, &sql).await.contains("permission denied"), "{sql}");
        }
    }
}

/// It writes for all tenants, so it must not be a way to read what they wrote, nor to change it.
#[tokio::test]
async fn the_ledgers_role_writes_and_reads_next_to_nothing() {
    let f = Database::create().await.fixture().await;
    let tool = f.registered("probe").await;
    let row = f.in_phase(&tool, DONE).await;
    let mut ledger = as_role(url_of(&f), "toolgate_ledger").await;
    for sql in [
        "SELECT input FROM tool_invocations",
        "SELECT output FROM tool_invocations",
        "SELECT * FROM tool_invocations_v",
        "SELECT data FROM session_events",
        "SELECT id FROM blobs",
        "SELECT id FROM audit_events",
        "SELECT items FROM audit_chain",
        "SELECT id FROM tenants",
        "SELECT hash FROM api_keys",
        "SELECT body FROM secrets",
        "INSERT INTO tools_registry SELECT",
        "INSERT INTO audit_heads SELECT",
        "INSERT INTO audit_pending VALUES ('00000000-0000-0000-0000-000000000000', 1, gen_random_uuid())",
        "UPDATE tool_invocations SET input = '{}'",
        "UPDATE tool_invocations SET decision = '{}'",
        "UPDATE session_events SET data = '{}'",
        "DELETE FROM tool_invocations",
        "DELETE FROM session_events",
        "DELETE FROM audit_chain",
        "TRUNCATE tool_invocations CASCADE",
        "ALTER TABLE tool_invocations DISABLE TRIGGER ALL",
    ] {
        let refusal = refusal(&mut ledger, sql).await;
        assert!(
            refusal.contains("permission denied") || refusal.contains("must be owner"),
            "{sql}: {refusal}"
        );
    }
    let flip = format!("UPDATE tool_invocations SET status = 'running' WHERE id = {}", f.id_of(&row));
    assert!(refusal(&mut ledger, &flip).await.contains("illegal change"));
    assert_eq!(f.stored(&row).await.unwrap().phase, DONE);
    // Who is a member of it would look over every wall.
    let member = "SELECT pg_has_role('toolgate_app', 'toolgate_ledger', 'MEMBER')";
    assert_eq!(f.raw.query_text(member).await.unwrap().unwrap(), "false");
}

#[tokio::test]
async fn a_status_flipped_by_hand_is_refused() {
    let f = Database::create().await.fixture().await;
    let tool = f.registered("probe").await;
    let mut server = as_server(url_of(&f)).await;
    for (from, flip) in [
        (Phase::Pending, "status = 'running', approval_status = 'not_required'"),
        (Phase::Pending, "status = 'running', approval_status = 'approved'"),
        (Phase::Pending, "status = 'completed'"),
        (Phase::Rejected, "status = 'approved', approval_status = 'approved'"),
        (DONE, "status = 'running'"),
        (DONE, "output = '{}'"),
    ] {
        let row = f.in_phase(&tool, from).await;
        let sql = format!("UPDATE tool_invocations SET {flip} WHERE id = {}", f.id_of(&row));
        assert!(refusal(&mut server, &sql).await.contains("illegal change"), "{sql}");
        assert_eq!(f.stored(&row).await.unwrap().phase, from);
    }
    let row = f.in_phase(&tool, Phase::Pending).await;
    for column in ["input", "decision", "caller", "tool_id", "call_id", "approval_expires_at", "surface"] {
        let sql = format!("UPDATE tool_invocations SET {column} = {column} WHERE id = {}", f.id_of(&row));
        assert!(refusal(&mut server, &sql).await.contains("permission denied"), "{sql}");
    }
}

#[tokio::test]
async fn an_owner_who_is_no_superuser_is_told_what_is_missing_and_then_served() {
    let database = Database::empty().await;
    let mut superuser = PgConnection::connect(&database.url).await.unwrap();
    let name = database.url.rsplit_once('/').unwrap().1.to_owned();
    let (owner, login) = (format!("{name}_owner"), format!("{name}_login"));
    let given = format!(
        "CREATE ROLE {owner} LOGIN; CREATE ROLE {login} LOGIN; ALTER DATABASE {name} OWNER TO {owner}"
    );
    sqlx::raw_sql(AssertSqlSafe(given)).execute(&mut superuser).await.unwrap();
    let options = |user: &str| PostgresOptions {
        max_connections: 4,
        ..PostgresOptions::new(database.url.replace("postgres@", &format!("{user}@")))
    };
    // The role is there already, because other tests made it; what is missing is the right to become it.
    Database::create().await.fixture().await;
    let refused = Postgres::connect(&options(&owner)).await.err().unwrap().to_string();
    assert!(refused.contains(&format!("GRANT toolgate_app TO {owner}")), "{refused}");

    let grant = format!("GRANT toolgate_app TO {owner}, {login}");
    sqlx::raw_sql(AssertSqlSafe(grant)).execute(&mut superuser).await.unwrap();
    let refused = Postgres::connect(&options(&owner)).await.err().unwrap().to_string();
    assert!(refused.contains(&format!("GRANT toolgate_ledger TO {owner}")), "{refused}");
    let grant = format!("GRANT toolgate_ledger TO {owner}");
    sqlx::raw_sql(AssertSqlSafe(grant)).execute(&mut superuser).await.unwrap();
    let (_, applied) = Postgres::connect(&options(&owner)).await.unwrap();
    assert!(!applied.is_empty());
    // Told at the start, and not to the first who calls.
    let refused = Postgres::connect(&options(&login)).await.err().unwrap().to_string();
    assert!(refused.contains(&format!("GRANT toolgate_ledger TO {login}")), "{refused}");
    let grant = format!("GRANT toolgate_ledger TO {login}");
    sqlx::raw_sql(AssertSqlSafe(grant)).execute(&mut superuser).await.unwrap();
    // Whoever owns nothing can serve once somebody has migrated.
    let (served, applied) = Postgres::connect(&options(&login)).await.unwrap();
    assert!(applied.is_empty());
    served.ready().await.unwrap();
    assert_eq!(Tenants::list(&served).await.unwrap().len(), 1, "the owner's functions see past the policies");
    assert!(served.by_hash(&[7; 32]).await.unwrap().is_none());
}

#[tokio::test]
async fn databases_of_one_cluster_migrate_at_once() {
    let databases = futures::future::join_all((0..4).map(|_| Database::empty())).await;
    let options: Vec<_> = databases.iter().map(Database::options).collect();
    let started = futures::future::join_all(options.iter().map(Postgres::connect)).await;
    assert!(started.into_iter().all(|start| !start.unwrap().1.is_empty()));
}
