//! Prepared statements in a tight loop, with the pragmas of the server.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use rusqlite::{Connection, Statement, params};
use toolgate_store_sql::sqlite::PRAGMAS;

use crate::{
    rows::{LAST_EVENT, Rows},
    stats::Round,
};

/// `OR FAIL` as in the server: a group that is undone as a whole needs no journal of each statement.
const INVOCATION: &str = "INSERT OR FAIL INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id,
        tool_id, tool_name, tool_version, egress_class, call_id, seq, input, status, approval_status,
        approval_decided_by, approval_reason, decision, caller, surface, idempotency_key, warnings, node_id, attempt,
        output, error, cached, truncated, attachments, cost_estimate, created_at, started_at, completed_at)
    VALUES (?1, ?2, ?1, NULL, NULL, NULL, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, NULL, NULL, ?12, ?13, ?14, NULL, NULL,
        NULL, ?15, ?16, NULL, ?17, ?18, NULL, NULL, ?19, ?19, ?19)";

const EVENT: &str =
    "INSERT OR FAIL INTO session_events (tenant_id, session_id, type, invocation_id, data, created_at, began_at)
    VALUES (?1, ?2, ?3, ?2, NULL, ?4, ?4)";

pub(crate) struct SqliteFloor {
    connection: Connection,
    rows: Rows,
    /// The columns that are JSON, encoded beforehand.
    input: String,
    decision: String,
    output: String,
}

impl SqliteFloor {
    pub(super) fn open(file: &Path, rows: Rows) -> anyhow::Result<Self> {
        let connection = Connection::open(file)?;
        connection.execute_batch(PRAGMAS)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self {
            connection,
            input: serde_json::to_string(&rows.template.input)?,
            decision: serde_json::to_string(&rows.template.decision)?,
            output: serde_json::to_string(&rows.template.outcome.output)?,
            rows,
        })
    }

    pub(super) fn run(&self, batch: usize, time: Duration) -> anyhow::Result<Round> {
        let mut begin = self.connection.prepare("BEGIN IMMEDIATE")?;
        let mut commit = self.connection.prepare("COMMIT")?;
        let mut invocation = self.connection.prepare(INVOCATION)?;
        let mut event = self.connection.prepare(EVENT)?;
        let mut took = Vec::with_capacity(4_096);
        let began = Instant::now();
        let mut now = began;
        while now - began < time {
            begin.execute([])?;
            for _ in 0..batch {
                self.insert(&mut invocation, &mut event)?;
            }
            commit.execute([])?;
            let after = Instant::now();
            took.push(after - now);
            now = after;
        }
        Ok(Round { calls: took.len() * batch, took, elapsed: now - began, ..Round::default() })
    }

    fn insert(&self, invocation: &mut Statement<'_>, event: &mut Statement<'_>) -> rusqlite::Result<()> {
        let row = &self.rows.template;
        let (id, now) = self.rows.next();
        let (id, tenant, now) = (id.into_bytes(), row.tenant_id.uuid().into_bytes(), now.as_micros());
        invocation.execute(params![
            id,
            tenant,
            row.tool_id.map(|id| id.uuid().into_bytes()),
            row.tool_name,
            row.tool_version,
            row.egress_class.as_str(),
            row.call_id,
            0_i64,
            self.input,
            row.status().as_str(),
            row.approval_status().as_str(),
            self.decision,
            row.caller,
            row.surface.as_str(),
            row.attempt,
            self.output,
            row.outcome.cached,
            row.outcome.truncated,
            now,
        ])?;
        event.execute(params![tenant, id, LAST_EVENT.as_str(), now]).map(drop)
    }
}
