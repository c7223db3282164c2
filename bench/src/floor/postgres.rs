//! One connection, one statement per group: the fewest trips in which the rows can become durable.

use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};
use toolgate_domain::{Timestamp, ids::Uuid};

use super::columns::{JsonText, Moment};
use crate::{
    rows::{LAST_EVENT, Rows},
    stats::Round,
};

const GROUP: &str = "
WITH inserted AS (
    INSERT INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name,
        tool_version, egress_class, call_id, seq, input, status, approval_status, approval_decided_by, approval_reason,
        decision, caller, surface, idempotency_key, warnings, node_id, attempt, output, error, cached, truncated,
        attachments, cost_estimate, created_at, started_at, completed_at)
    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
        $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)
)
INSERT INTO session_events (tenant_id, session_id, type, invocation_id, data, created_at, began_at)
SELECT * FROM unnest($34, $35, $36, $37, $38, $39, $40)";

pub(crate) struct PostgresFloor {
    connection: PgConnection,
    rows: Rows,
    /// The columns that are JSON, encoded beforehand.
    input: String,
    decision: String,
    output: String,
}

impl PostgresFloor {
    pub(super) async fn connect(url: &str, rows: Rows) -> anyhow::Result<Self> {
        let options = PgConnectOptions::from_str(url)?
            .options([("jit", "off"), ("plan_cache_mode", "force_generic_plan")]);
        Ok(Self {
            connection: options.connect().await?,
            input: serde_json::to_string(&rows.template.input)?,
            decision: serde_json::to_string(&rows.template.decision)?,
            output: serde_json::to_string(&rows.template.outcome.output)?,
            rows,
        })
    }

    pub(super) async fn run(&mut self, batch: usize, time: Duration) -> anyhow::Result<Round> {
        let mut took = Vec::with_capacity(4_096);
        let began = Instant::now();
        let mut now = began;
        while now - began < time {
            self.commit(batch).await?;
            let after = Instant::now();
            took.push(after - now);
            now = after;
        }
        Ok(Round { calls: took.len() * batch, took, elapsed: now - began, ..Round::default() })
    }

    async fn commit(&mut self, batch: usize) -> Result<(), sqlx::Error> {
        let fresh: Vec<(Uuid, Timestamp)> = (0..batch).map(|_| self.rows.next()).collect();
        let row = &self.rows.template;
        let ids: Vec<Uuid> = fresh.iter().map(|(id, _)| *id).collect();
        let moments: Vec<Moment> = fresh.iter().map(|(_, at)| Moment(*at)).collect();
        let text = |value: &'static str| vec![value; batch];
        let absent_ids = || vec![None::<Uuid>; batch];
        let absent_texts = || vec![None::<&str>; batch];
        let absent_json = || vec![None::<JsonText<'_>>; batch];
        sqlx::query(GROUP)
            .bind(&ids)
            .bind(vec![row.tenant_id.uuid(); batch])
            .bind(&ids)
            .bind(absent_ids())
            .bind(absent_ids())
            .bind(absent_ids())
            .bind(vec![row.tool_id.map(|id| id.uuid()); batch])
            .bind(vec![row.tool_name.as_str(); batch])
            .bind(vec![row.tool_version.as_str(); batch])
            .bind(text(row.egress_class.as_str()))
            .bind(vec![row.call_id.as_str(); batch])
            .bind(vec![0_i64; batch])
            .bind(vec![JsonText(&self.input); batch])
            .bind(text(row.status().as_str()))
            .bind(text(row.approval_status().as_str()))
            .bind(absent_texts())
            .bind(absent_texts())
            .bind(vec![JsonText(&self.decision); batch])
            .bind(vec![row.caller.as_str(); batch])
            .bind(text(row.surface.as_str()))
            .bind(absent_texts())
            .bind(absent_json())
            .bind(absent_ids())
            .bind(vec![i64::from(row.attempt); batch])
            .bind(vec![JsonText(&self.output); batch])
            .bind(absent_json())
            .bind(vec![row.outcome.cached; batch])
            .bind(vec![row.outcome.truncated; batch])
            .bind(absent_json())
            .bind(vec![None::<f64>; batch])
            .bind(&moments)
            .bind(&moments)
            .bind(&moments)
            .bind(vec![row.tenant_id.uuid(); batch])
            .bind(&ids)
            .bind(text(LAST_EVENT.as_str()))
            .bind(&ids)
            .bind(absent_json())
            .bind(&moments)
            .bind(&moments)
            .execute(&mut self.connection)
            .await
            .map(drop)
    }
}
