use async_trait::async_trait;
use sqlx::{AssertSqlSafe, PgConnection, postgres::PgRow};
use toolgate_domain::{AgentId, ErrorCode, RunId, RunStep, TenantId, ids::Uuid, usage::Dimension};
use toolgate_store::{CallTotals, Latency, Meter, ModelTotals, ModelUse, StoreError, UsageKey, UsageQuery};

use super::{
    Postgres,
    columns::Moment,
    database::refused,
    rows::{as_bigint, as_limit, get, get_count},
    steps::insert_step,
};
use crate::totals::{self, Dialect, Given, Question};

const DIALECT: Dialect = Dialect {
    parameter: '$',
    day: "floor(extract(epoch FROM created_at) / 86400)::bigint",
    took_ms: "trunc(extract(epoch FROM completed_at - started_at) * 1000)::bigint",
};

#[async_trait]
impl Meter for Postgres {
    async fn add_use(&self, used: &ModelUse) -> Result<(), StoreError> {
        let mut transaction = self.change_of(used.tenant_id).await?;
        insert_use(&mut transaction, used).await?;
        transaction.commit().await.map_err(refused)
    }

    async fn add_turn(&self, step: &RunStep, used: &ModelUse) -> Result<bool, StoreError> {
        let mut transaction = self.change_of(step.tenant_id).await?;
        let added = insert_step(&mut transaction, step).await?;
        insert_use(&mut transaction, used).await?;
        transaction.commit().await.map_err(refused)?;
        Ok(added)
    }

    async fn call_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, CallTotals)>, StoreError> {
        let question = totals::of_calls(&DIALECT, tenant.uuid(), query);
        let rows = self.sum_up(tenant, question).await?;
        let read = |row: &PgRow| {
            let totals = CallTotals {
                calls: get_count(row, "calls")?,
                errors: get_count(row, "errors")?,
                cached: get_count(row, "cached")?,
                cost: get(row, "cost")?,
                latency: latency(row)?,
            };
            Ok((key(row, &query.by)?, totals))
        };
        rows.iter().map(read).collect()
    }

    async fn model_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, ModelTotals)>, StoreError> {
        let question = totals::of_models(&DIALECT, tenant.uuid(), query);
        let rows = self.sum_up(tenant, question).await?;
        let read = |row: &PgRow| {
            let totals = ModelTotals {
                calls: get_count(row, "calls")?,
                errors: get_count(row, "errors")?,
                runs: get_count(row, "runs")?,
                input_tokens: get_count(row, "input_tokens")?,
                cached_input_tokens: get_count(row, "cached_input_tokens")?,
                output_tokens: get_count(row, "output_tokens")?,
                reasoning_tokens: get_count(row, "reasoning_tokens")?,
                cache_hits: get_count(row, "cache_hits")?,
                cost: get(row, "cost")?,
                cost_mismatches: get_count(row, "cost_mismatches")?,
                latency: latency(row)?,
            };
            Ok((key(row, &query.by)?, totals))
        };
        rows.iter().map(read).collect()
    }
}

impl Postgres {
    async fn sum_up(&self, tenant: TenantId, question: Question) -> Result<Vec<PgRow>, StoreError> {
        let mut query = sqlx::query(AssertSqlSafe(question.sql));
        for value in question.given {
            query = match value {
                Given::Id(id) => query.bind(id),
                Given::Moment(moment) => query.bind(Moment(moment)),
                // PostgreSQL keeps no NUL in text, and refuses to be asked for one.
                Given::Text(text) => query.bind(text.replace('\0', "\u{fffd}")),
                Given::Count(count) => query.bind(as_limit(count)),
            };
        }
        query.fetch_all(&mut *self.of(tenant).await?).await.map_err(refused)
    }
}

fn key(row: &PgRow, by: &[Dimension]) -> Result<UsageKey, StoreError> {
    let mut key = UsageKey::default();
    for dimension in by {
        match dimension {
            Dimension::Day => key.day = Some(std::cmp::Reverse(get(row, "day")?)),
            Dimension::Agent => key.agent_id = get::<Option<Uuid>>(row, "agent_id")?.map(AgentId::from_uuid),
            Dimension::Tool => key.tool = get(row, "tool_name")?,
            Dimension::Run => key.run_id = get::<Option<Uuid>>(row, "run_id")?.map(RunId::from_uuid),
            Dimension::Provider => key.provider = get(row, "provider")?,
            Dimension::Model => key.model = get(row, "model")?,
        }
    }
    Ok(key)
}

fn latency(row: &PgRow) -> Result<Latency, StoreError> {
    let quantile =
        |column: &str| Ok::<_, StoreError>(get::<Option<i64>>(row, column)?.map(i64::cast_unsigned));
    Ok(Latency {
        timed: get_count(row, "timed")?,
        sum_ms: get_count(row, "sum_ms")?,
        p50_ms: quantile("p50_ms")?,
        p95_ms: quantile("p95_ms")?,
    })
}

async fn insert_use(connection: &mut PgConnection, used: &ModelUse) -> Result<(), StoreError> {
    let plain = |text: &String| text.replace('\0', "\u{fffd}");
    sqlx::query(
        "INSERT INTO model_usage (tenant_id, id, created_at, invocation_id, run_id, agent_id, tool_name, provider, model,
             input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost, self_reported_cost, cost_mismatch,
             latency_ms, outcome)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) ON CONFLICT DO NOTHING",
    )
    .bind(used.tenant_id.uuid())
    .bind(used.id)
    .bind(Moment(used.at))
    .bind(used.invocation_id.uuid())
    .bind(used.run_id.map(RunId::uuid))
    .bind(used.agent_id.map(AgentId::uuid))
    .bind(&used.tool_name)
    .bind(used.provider.as_ref().map(plain))
    .bind(used.model.as_ref().map(plain))
    .bind(as_bigint(used.input_tokens))
    .bind(as_bigint(used.cached_input_tokens))
    .bind(as_bigint(used.output_tokens))
    .bind(as_bigint(used.reasoning_tokens))
    .bind(used.cost)
    .bind(used.self_reported_cost)
    .bind(used.cost_mismatch)
    .bind(as_bigint(used.latency_ms))
    .bind(used.error.map_or("ok", ErrorCode::as_str))
    .execute(connection)
    .await
    .map_err(refused)?;
    Ok(())
}
