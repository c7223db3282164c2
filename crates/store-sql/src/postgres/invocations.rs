use std::collections::BTreeSet;

use async_trait::async_trait;
use sqlx::{QueryBuilder, postgres::PgRow};
use toolgate_domain::{
    AgentId, Invocation, InvocationId, NodeId, Page, RunId, TenantId, Timestamp, ToolId, ids::Uuid,
};
use toolgate_store::{InvocationFilter, Invocations, RunTotals, StoreError, Takeover, Usage};

use super::{
    Postgres,
    columns::Moment,
    database::refused,
    rows::{as_limit, get, get_count, get_time, read_all, read_invocation},
};
use crate::codec;

#[async_trait]
impl Invocations for Postgres {
    async fn get(&self, tenant: TenantId, id: InvocationId) -> Result<Option<Invocation>, StoreError> {
        let found = sqlx::query("SELECT * FROM tool_invocations WHERE tenant_id = $1 AND id = $2")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        found.as_ref().map(read_invocation).transpose()
    }

    async fn by_ids(&self, tenant: TenantId, ids: &[InvocationId]) -> Result<Vec<Invocation>, StoreError> {
        let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        let rows = sqlx::query("SELECT * FROM tool_invocations WHERE tenant_id = $1 AND id = ANY ($2)")
            .bind(tenant.uuid())
            .bind(ids)
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, read_invocation)
    }

    async fn by_idempotency_key(
        &self,
        tenant: TenantId,
        caller: &str,
        key: &str,
    ) -> Result<Option<Invocation>, StoreError> {
        let found = sqlx::query(
            "SELECT * FROM tool_invocations WHERE tenant_id = $1 AND caller = $2 AND idempotency_key = $3",
        )
        .bind(tenant.uuid())
        .bind(caller)
        .bind(key)
        .fetch_optional(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        found.as_ref().map(read_invocation).transpose()
    }

    async fn list(
        &self,
        tenant: TenantId,
        filter: &InvocationFilter,
    ) -> Result<Page<Invocation>, StoreError> {
        // Only the conditions that are asked for stand in the text, so that each can use its index.
        let mut query = QueryBuilder::new("SELECT * FROM tool_invocations WHERE tenant_id = ");
        query.push_bind(tenant.uuid());
        let before = filter.before.map_or(Uuid::max(), InvocationId::uuid);
        query.push(" AND id < ").push_bind(before);
        if let Some(status) = filter.status {
            query.push(" AND status = ").push_bind(status.as_str());
        }
        if let Some(tool) = &filter.tool {
            // PostgreSQL keeps no NUL in text, and refuses to be asked for one.
            let tool = tool.replace('\0', "\u{fffd}");
            query
                .push(" AND (tool_id IN (SELECT id FROM tools_registry WHERE name = ")
                .push_bind(tool.clone())
                .push(") OR tool_id IS NULL AND tool_name = ")
                .push_bind(tool)
                .push(")");
        }
        if let Some(agent) = filter.agent_id {
            query.push(" AND agent_id = ").push_bind(agent.uuid());
        }
        if let Some(run) = filter.run_id {
            query.push(" AND run_id = ").push_bind(run.uuid());
        }
        if let Some(parent) = filter.parent_id {
            query.push(" AND parent_id = ").push_bind(parent.uuid());
        }
        if let Some(since) = filter.since {
            query.push(" AND created_at >= ").push_bind(Moment(since));
        }
        if let Some(until) = filter.until {
            query.push(" AND created_at < ").push_bind(Moment(until));
        }
        if let Some(is_test) = filter.is_test {
            query.push(" AND is_test = ").push_bind(is_test);
        }
        if !filter.of_agents.is_empty() {
            let named: Vec<_> = filter.of_agents.iter().map(|name| name.replace('\0', "\u{fffd}")).collect();
            // For one member PostgreSQL reads the whole text, and fails where any of it holds a NUL. An escaped backslash before it
            // stays one, so what comes of it is JSON in any case.
            query
                .push(r" AND replace(input::text, '\u0000', '\ufffd')::json ->> 'agent' = ANY (")
                .push_bind(named)
                .push(")");
        }
        query.push(" ORDER BY id DESC LIMIT ").push_bind(as_limit(filter.limit.saturating_add(1)));
        // A call may name a tool that is everyone's.
        let mut scope = self.of_all(&[tenant, TenantId::DEFAULT]).await?;
        let rows = query.build().fetch_all(&mut *scope).await.map_err(refused)?;
        let rows = read_all(&rows, read_invocation)?;
        Ok(Page::from_overfetch(rows, filter.limit, |last| last.id.to_string()))
    }

    async fn count_pending(&self, tenant: TenantId) -> Result<u64, StoreError> {
        let row = sqlx::query(
            "SELECT count(*) AS waiting FROM tool_invocations WHERE status = 'pending' AND tenant_id = $1",
        )
        .bind(tenant.uuid())
        .fetch_one(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        get_count(&row, "waiting")
    }

    async fn run_totals(&self, tenant: TenantId, run: RunId) -> Result<RunTotals, StoreError> {
        let row = sqlx::query(
            "SELECT count(*) AS calls, coalesce(sum(cost_estimate), 0.0) AS cost FROM tool_invocations
             WHERE run_id = $2 AND tenant_id = $1",
        )
        .bind(tenant.uuid())
        .bind(run.uuid())
        .fetch_one(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        Ok(RunTotals { calls: get_count(&row, "calls")?, cost: get(&row, "cost")? })
    }

    async fn usage(
        &self,
        tenant: TenantId,
        tools: &[ToolId],
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<Usage>, StoreError> {
        let tools: Vec<_> = tools.iter().map(|tool| tool.uuid()).collect();
        // `json` has no equality; its text has.
        let rows = sqlx::query(
            "SELECT tool_id, tool_name, tool_version, caller, agent_id, surface, warnings::text AS warnings,
                 count(*) AS calls, max(created_at) AS last_call
             FROM tool_invocations
             WHERE tool_id = ANY ($2) AND created_at >= $3 AND tenant_id = $1 AND NOT is_test
             GROUP BY tool_id, tool_name, tool_version, caller, agent_id, surface, warnings::text
             ORDER BY last_call DESC LIMIT $4",
        )
        .bind(tenant.uuid())
        .bind(tools)
        .bind(Moment(since))
        .bind(as_limit(limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_usage)
    }

    async fn orphans(&self, _now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        let due = sqlx::query_as("SELECT * FROM toolgate_orphans(clock_timestamp(), $1)")
            .bind(as_limit(limit))
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        self.read_due(due).await
    }

    async fn decided(&self, now: Timestamp, limit: usize) -> Result<Vec<Invocation>, StoreError> {
        self.due("SELECT * FROM toolgate_decided($1, $2)", now, limit).await
    }

    async fn adopt(&self, orphan: &Invocation, node: NodeId, takeover: Takeover) -> Result<bool, StoreError> {
        let mut transaction = self.change_of(orphan.tenant_id).await?;
        let adopted = sqlx::query(
            "UPDATE tool_invocations SET node_id = $3, attempt = attempt + (node_id IS NOT NULL AND $6)::int
             WHERE tenant_id = $1 AND id = $2 AND status = 'running' AND attempt = $4
                 AND node_id IS NOT DISTINCT FROM $5",
        )
        .bind(orphan.tenant_id.uuid())
        .bind(orphan.id.uuid())
        .bind(node.uuid())
        .bind(i64::from(orphan.attempt))
        .bind(orphan.node_id.map(NodeId::uuid))
        .bind(takeover == Takeover::Run)
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)?;
        Ok(adopted.rows_affected() == 1)
    }
}

impl Postgres {
    /// Calls, of any tenant, that something must be done about now.
    async fn due(
        &self,
        sql: &'static str,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<Invocation>, StoreError> {
        // The door tells which ones; they are read as their tenants' own.
        let due: Vec<(Uuid, Uuid)> = sqlx::query_as(sql)
            .bind(Moment(now))
            .bind(as_limit(limit))
            .fetch_all(&self.pool)
            .await
            .map_err(refused)?;
        self.read_due(due).await
    }

    /// The rows of calls that a door told of.
    pub(super) async fn read_due(&self, due: Vec<(Uuid, Uuid)>) -> Result<Vec<Invocation>, StoreError> {
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let (tenants, ids): (Vec<Uuid>, Vec<Uuid>) = due.into_iter().unzip();
        let owners: BTreeSet<TenantId> = tenants.iter().copied().map(TenantId::from_uuid).collect();
        let owners: Vec<TenantId> = owners.into_iter().collect();
        let rows = sqlx::query(
            "SELECT i.* FROM unnest($1, $2) AS due (tenant_id, id) JOIN tool_invocations i USING (tenant_id, id)",
        )
        .bind(tenants)
        .bind(ids)
        .fetch_all(&mut *self.of_all(&owners).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read_invocation)
    }
}

fn read_usage(row: &PgRow) -> Result<Usage, StoreError> {
    Ok(Usage {
        tool_id: ToolId::from_uuid(get(row, "tool_id")?),
        tool_name: get(row, "tool_name")?,
        tool_version: get(row, "tool_version")?,
        caller: get(row, "caller")?,
        agent_id: get::<Option<Uuid>>(row, "agent_id")?.map(AgentId::from_uuid),
        surface: codec::parse(&get::<String>(row, "surface")?)?,
        warnings: codec::list_from_json(get(row, "warnings")?)?,
        calls: get_count(row, "calls")?,
        last_call: get_time(row, "last_call")?,
    })
}
