//! A client that works in the database: psql, with the server's role and two settings.

use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::process::Command;
use toolgate_domain::{Clock, TenantId, Tool, ids::Uuid};
use toolgate_store::{Kind, Record, RecordWrite, conformance::Fixture};

use crate::database::Database;

/// The one of the newest PostgreSQL that is installed, which is the server's own (scripts/with-services).
fn psql() -> PathBuf {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest =
        installed.max_by_key(|entry| entry.file_name().to_string_lossy().parse::<u32>().unwrap_or(0));
    newest.map(|entry| entry.path().join("bin/psql")).filter(|path| path.exists()).unwrap_or("psql".into())
}

pub struct Client<'a> {
    pub f: &'a Fixture,
    pub tenants: String,
    pub who: String,
}

impl<'a> Client<'a> {
    pub fn new(f: &'a Fixture, who: impl ToString) -> Self {
        Self { f, tenants: TenantId::DEFAULT.uuid().to_string(), who: who.to_string() }
    }

    /// What psql prints, or its complaint.
    pub async fn run(&self, sql: &str) -> Result<String, String> {
        let url = &self.f.guard.downcast_ref::<Database>().unwrap().url;
        let done = Command::new(psql())
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url, "-c", "SET ROLE toolgate_app"])
            .args(["-c", &format!("SET app.tenant = '{}'", self.tenants)])
            .args(["-c", &format!("SET app.principal = '{}'", self.who), "-c", sql])
            .output()
            .await
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap().trim().to_owned();
        if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
    }

    pub async fn refused(&self, sql: &str, because: &str) {
        let refusal = self.run(sql).await.unwrap_err();
        assert!(refusal.contains(because), "{sql}: {refusal}");
    }

    pub async fn invoke(&self, tool: &Tool, agent: Option<Uuid>) -> Result<Uuid, String> {
        let id = self.run(&invocation(tool, agent)).await?;
        Ok(id.parse().unwrap())
    }

    pub async fn status(&self, id: Uuid) -> String {
        let sql = format!("SELECT status || '/' || approval_status FROM tool_invocations WHERE id = '{id}'");
        self.run(&sql).await.unwrap()
    }
}

pub fn invocation(tool: &Tool, agent: Option<Uuid>) -> String {
    let agent = agent.map_or("NULL".to_owned(), |id| format!("'{id}'"));
    format!("SELECT fn_invoke_tool(NULL, '{}', {agent}, '{{\"a\": 1}}')", tool.id.uuid())
}

pub async fn registered(f: &Fixture, name: &str, patch: Value) -> Tool {
    let tool = f.tool(name, "1.0.0", patch);
    f.stores.tools.insert(&tool, &f.schemas(&tool), &f.audit("tool.register")).await.unwrap();
    tool
}

/// A document of the default tenant.
pub async fn put(f: &Fixture, kind: Kind, id: Uuid, name: &str, body: Value) {
    let now = f.clock.now();
    let record = Record {
        tenant_id: TenantId::DEFAULT,
        kind,
        id,
        name: name.to_owned(),
        body,
        revision: 1,
        created_at: now,
        updated_at: now,
    };
    f.stores.records.commit(TenantId::DEFAULT, vec![RecordWrite::Insert(record)], vec![]).await.unwrap();
}

/// A person with these roles; the answer is the principal.
pub async fn person(f: &Fixture, roles: &[&str]) -> String {
    let id = f.new_uuid();
    let body = json!({"roles": roles, "status": "active", "email": "x"});
    put(f, Kind::User, id, &id.to_string(), body).await;
    format!("usr_{id}")
}
