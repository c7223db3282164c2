use async_trait::async_trait;
use rusqlite::{Row, named_params, params};
use toolgate_domain::{
    AgentId, Invocation, InvocationId, NodeId, Page, RunId, Status, TenantId, Timestamp, ToolId,
};
use toolgate_store::{InvocationFilter, Invocations, RunTotals, StoreError, Takeover, Usage};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_optional_uuid, get_text, get_time, get_uuid, query, read_invocation},
};
use crate::codec;

#[async_trait]
impl Invocations for Sqlite {
    async fn get(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Invocation>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tool_invocations WHERE tenant_id = ?1 AND id = ?2";
                let parameters = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
                Ok(query(connection, sql, parameters, read_invocation)?.pop())
            })
            .await
    }

    async fn by_ids(&self, tenant: TenantId, ids: &[InvocationId]) -> Result<Vec<Invocation>, StoreError> {
        let ids = ids.to_vec();
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tool_invocations WHERE tenant_id = ?1 AND id = ?2";
                let mut found = Vec::with_capacity(ids.len());
                for id in ids {
                    let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
                    found.extend(query(connection, sql, key, read_invocation)?);
                }
                Ok(found)
            })
            .await
    }

    async fn by_idempotency_key(
        &self,
        tenant: TenantId,
        caller: &str,
        key: &str,
    ) -> Result<Option<Invocation>, StoreError> {
        let (caller, key) = (caller.to_owned(), key.to_owned());
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM tool_invocations WHERE tenant_id = ?1 AND caller = ?2 AND idempotency_key = ?3";
                Ok(query(connection, sql, params![tenant.uuid().into_bytes(), caller, key], read_invocation)?.pop())
            })
            .await
    }

    async fn list(
        &self,
        tenant: TenantId,
        filter: &InvocationFilter,
    ) -> Result<Page<Invocation>, StoreError> {
        let filter = filter.clone();
        self.readers
            .run(move |connection| {
                // Only the conditions that are asked for stand in the text, so that each can use its index.
                let mut sql =
                    "SELECT * FROM tool_invocations WHERE tenant_id = :tenant AND id < :before".to_owned();
                let mut narrow = |asked: bool, condition: &str, otherwise: &str| {
                    sql.push_str(if asked { condition } else { otherwise });
                };
                narrow(filter.status.is_some(), " AND status = :status", " AND :status IS NULL");
                narrow(
                    filter.tool.is_some(),
                    " AND (tool_id IN (SELECT id FROM tools_registry WHERE name = :tool)
                        OR tool_id IS NULL AND tool_name = :tool)",
                    " AND :tool IS NULL",
                );
                narrow(filter.agent_id.is_some(), " AND agent_id = :agent", " AND :agent IS NULL");
                narrow(filter.run_id.is_some(), " AND run_id = :run", " AND :run IS NULL");
                narrow(filter.parent_id.is_some(), " AND parent_id = :parent", " AND :parent IS NULL");
                narrow(filter.since.is_some(), " AND created_at >= :since", " AND :since IS NULL");
                narrow(filter.until.is_some(), " AND created_at < :until", " AND :until IS NULL");
                narrow(filter.is_test.is_some(), " AND is_test = :test", " AND :test IS NULL");
                narrow(
                    !filter.of_agents.is_empty(),
                    " AND input ->> '$.agent' IN (SELECT value FROM json_each(:agents))",
                    " AND :agents = '[]'",
                );
                sql.push_str(" ORDER BY id DESC LIMIT :limit");
                let tenant = tenant.uuid().into_bytes();
                let before = filter.before.map_or([0xff; 16], |id| id.uuid().into_bytes());
                let rows = query(
                    connection,
                    &sql,
                    named_params! {
                        ":tenant": tenant,
                        ":before": before,
                        ":status": filter.status.map(Status::as_str),
                        ":test": filter.is_test,
                        ":agents": codec::to_json(&filter.of_agents),
                        ":tool": filter.tool,
                        ":agent": filter.agent_id.map(|id| id.uuid().into_bytes()),
                        ":run": filter.run_id.map(|id| id.uuid().into_bytes()),
                        ":parent": filter.parent_id.map(|id| id.uuid().into_bytes()),
                        ":since": filter.since.map(Timestamp::as_micros),
                        ":until": filter.until.map(Timestamp::as_micros),
                        ":limit": i64::try_from(filter.limit + 1).unwrap_or(i64::MAX),
                    },
                    read_invocation,
                )?;
                Ok(Page::from_overfetch(rows, filter.limit, |last| last.id.to_string()))
            })
            .await
    }

    async fn count_pending(&self, tenant: TenantId) -> Result<u64, StoreError> {
        self.readers
            .run(move |connection| {
                // `status <> 'completed'` is said again so that the partial index of open rows is used.
                let sql = "SELECT count(*) AS waiting FROM tool_invocations
                    WHERE status = 'pending' AND status <> 'completed' AND tenant_id = ?1";
                let counted = query(connection, sql, [tenant.uuid().into_bytes()], |row| {
                    row.get::<_, i64>("waiting").map_err(refused)
                })?;
                Ok(counted.first().copied().unwrap_or_default().cast_unsigned())
            })
            .await
    }

    async fn run_totals(&self, tenant: TenantId, run: RunId) -> Result<RunTotals, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT count(*) AS calls, coalesce(sum(cost_estimate), 0.0) AS cost FROM tool_invocations
                    WHERE run_id = ?2 AND tenant_id = ?1";
                let given = params![tenant.uuid().into_bytes(), run.uuid().into_bytes()];
                let mut totals = query(connection, sql, given, |row| {
                    Ok(RunTotals {
                        calls: row.get::<_, i64>("calls").map_err(refused)?.cast_unsigned(),
                        cost: row.get("cost").map_err(refused)?,
                    })
                })?;
                Ok(totals.pop().unwrap_or_default())
            })
            .await
    }

    async fn usage(
        &self,
        tenant: TenantId,
        tools: &[ToolId],
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<Usage>, StoreError> {
        let tools = tools.to_vec();
        self.readers
            .run(move |connection| {
                // By the index of tool and moment, one version after the other.
                let sql = "SELECT tool_id, tool_name, tool_version, caller, agent_id, surface, warnings,
                        count(*) AS calls, max(created_at) AS last_call
                    FROM tool_invocations
                    WHERE tool_id = ?2 AND created_at >= ?3 AND tenant_id = ?1 AND is_test = 0
                    GROUP BY tool_name, tool_version, caller, agent_id, surface, warnings
                    ORDER BY last_call DESC LIMIT ?4";
                let most = i64::try_from(limit).unwrap_or(i64::MAX);
                let mut found = Vec::new();
                for tool in tools {
                    let given = params![
                        tenant.uuid().into_bytes(),
                        tool.uuid().into_bytes(),
                        since.as_micros(),
                        most
                    ];
                    found.extend(query(connection, sql, given, read_usage)?);
                }
                found.sort_by_key(|usage| std::cmp::Reverse(usage.last_call));
                found.truncate(limit);
                Ok(found)
            })
            .await
    }

    async fn orphans(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.due(ORPHANS, now, limit).await
    }

    async fn decided(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.due(DECIDED, now, limit).await
    }

    async fn adopt(&self, orphan: &Invocation, node: NodeId, takeover: Takeover) -> Result<bool, StoreError> {
        let (tenant, id, attempt, was) = (orphan.tenant_id, orphan.id, orphan.attempt, orphan.node_id);
        let adopted = self
            .writer
            .run(move |connection| {
                let sql = "UPDATE tool_invocations SET node_id = ?3, attempt = attempt + (node_id IS NOT NULL AND ?6)
                     WHERE tenant_id = ?1 AND id = ?2 AND status = 'running' AND attempt = ?4 AND node_id IS ?5";
                let parameters = (
                    tenant.uuid().into_bytes(),
                    id.uuid().into_bytes(),
                    node.uuid().into_bytes(),
                    attempt,
                    was.map(|node| node.uuid().into_bytes()),
                    takeover == Takeover::Run,
                );
                connection.prepare_cached(sql).and_then(|mut statement| statement.execute(parameters)).map_err(refused)
            })
            .await?;
        Ok(adopted == 1)
    }
}

/// Asked every few seconds. The index has few rows, and SQLite uses it only where its condition is repeated word for word.
const ORPHANS: &str = "SELECT * FROM tool_invocations
    WHERE status = 'running' AND status <> 'completed' AND node_id IS NOT NULL
        AND node_id NOT IN (SELECT id FROM nodes WHERE expires_at > ?1) LIMIT ?2";
const DECIDED: &str = "SELECT * FROM tool_invocations
    WHERE status IN ('approved', 'pending') AND status <> 'completed'
        AND (status = 'approved' OR approval_expires_at <= ?1) LIMIT ?2";

impl Sqlite {
    /// Calls, of any tenant, that something must be done about now.
    async fn due(
        &self,
        sql: &'static str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers
            .run(move |connection| query(connection, sql, params![now.as_micros(), limit], read_invocation))
            .await
    }
}

fn read_usage(row: &Row<'_>) -> Result<Usage, StoreError> {
    Ok(Usage {
        tool_id: ToolId::from_uuid(get_uuid(row, "tool_id")?),
        tool_name: get_text(row, "tool_name")?,
        tool_version: get_text(row, "tool_version")?,
        caller: get_text(row, "caller")?,
        agent_id: get_optional_uuid(row, "agent_id")?.map(AgentId::from_uuid),
        surface: codec::parse(&get_text(row, "surface")?)?,
        warnings: codec::list_from_json(get_optional_text(row, "warnings")?)?,
        calls: row.get::<_, i64>("calls").map_err(refused)?.cast_unsigned(),
        last_call: get_time(row, "last_call")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteOptions, suspensions::READY};

    #[tokio::test]
    async fn what_is_asked_every_few_seconds_looks_at_no_call_that_is_over() {
        let directory = tempfile::tempdir().unwrap();
        let (database, _) = Sqlite::open(&SqliteOptions::new(directory.path().join("toolgate.db"))).unwrap();
        for sql in [ORPHANS, DECIDED, READY] {
            let plan = database.readers.run(move |connection| {
                query(connection, &format!("EXPLAIN QUERY PLAN {sql}"), [0, 1], |row| {
                    row.get::<_, String>("detail").map_err(refused)
                })
            });
            let plan = plan.await.unwrap().join("; ");
            assert!(plan.contains("tool_invocations") || plan.contains("SEARCH i"), "{plan}");
            for whole in ["SCAN tool_invocations", "SCAN i", "SCAN c"] {
                assert!(!plan.contains(whole), "{sql}: {plan}");
            }
        }
    }
}
