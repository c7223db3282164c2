use async_trait::async_trait;
use rusqlite::{Connection, Row, params, params_from_iter, types::Value};
use toolgate_domain::{AgentId, ErrorCode, RunId, RunStep, TenantId, usage::Dimension};
use toolgate_store::{CallTotals, Latency, Meter, ModelTotals, ModelUse, StoreError, UsageKey, UsageQuery};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_uuid, query},
    steps::insert_step,
};
use crate::totals::{self, Dialect, Given, Question};

const DIALECT: Dialect = Dialect {
    parameter: '?',
    day: "created_at / 86400000000",
    took_ms: "(completed_at - started_at) / 1000",
};

#[async_trait]
impl Meter for Sqlite {
    async fn add_use(&self, used: &ModelUse) -> Result<(), StoreError> {
        let used = used.clone();
        Ok(self.writer.run(move |connection| insert_use(connection, &used)).await?)
    }

    async fn add_turn(&self, step: &RunStep, used: &ModelUse) -> Result<bool, StoreError> {
        let (step, used) = (step.clone(), used.clone());
        let added = self
            .writer
            .run(move |connection| {
                let added = insert_step(connection, &step)?;
                insert_use(connection, &used)?;
                Ok(added)
            })
            .await?;
        Ok(added)
    }

    async fn call_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, CallTotals)>, StoreError> {
        let question = totals::of_calls(&DIALECT, tenant.uuid(), query);
        self.sum_up(question, query, |row| {
            Ok(CallTotals {
                calls: count(row, "calls")?,
                errors: count(row, "errors")?,
                cached: count(row, "cached")?,
                cost: row.get("cost").map_err(refused)?,
                latency: latency(row)?,
            })
        })
        .await
    }

    async fn model_totals(
        &self,
        tenant: TenantId,
        query: &UsageQuery,
    ) -> Result<Vec<(UsageKey, ModelTotals)>, StoreError> {
        let question = totals::of_models(&DIALECT, tenant.uuid(), query);
        self.sum_up(question, query, |row| {
            Ok(ModelTotals {
                calls: count(row, "calls")?,
                errors: count(row, "errors")?,
                runs: count(row, "runs")?,
                input_tokens: count(row, "input_tokens")?,
                cached_input_tokens: count(row, "cached_input_tokens")?,
                output_tokens: count(row, "output_tokens")?,
                reasoning_tokens: count(row, "reasoning_tokens")?,
                cache_hits: count(row, "cache_hits")?,
                cost: row.get("cost").map_err(refused)?,
                cost_mismatches: count(row, "cost_mismatches")?,
                latency: latency(row)?,
            })
        })
        .await
    }
}

impl Sqlite {
    async fn sum_up<T: Send + 'static>(
        &self,
        question: Question,
        asked: &UsageQuery,
        read: impl Fn(&Row<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<Vec<(UsageKey, T)>, StoreError> {
        let Question { sql, given } = question;
        let by = asked.by.clone();
        let given = given.into_iter().map(|value| match value {
            Given::Id(id) => Value::Blob(id.into_bytes().to_vec()),
            Given::Moment(moment) => Value::Integer(moment.as_micros()),
            Given::Text(text) => Value::Text(text),
            Given::Count(count) => Value::Integer(i64::try_from(count).unwrap_or(i64::MAX)),
        });
        let given = params_from_iter(given.collect::<Vec<_>>());
        self.readers
            .run(move |connection| query(connection, &sql, given, |row| Ok((key(row, &by)?, read(row)?))))
            .await
    }
}

fn key(row: &Row<'_>, by: &[Dimension]) -> Result<UsageKey, StoreError> {
    let mut key = UsageKey::default();
    for dimension in by {
        match dimension {
            Dimension::Day => key.day = Some(std::cmp::Reverse(row.get("day").map_err(refused)?)),
            Dimension::Agent => key.agent_id = get_optional_uuid(row, "agent_id")?.map(AgentId::from_uuid),
            Dimension::Tool => key.tool = row.get("tool_name").map_err(refused)?,
            Dimension::Run => key.run_id = get_optional_uuid(row, "run_id")?.map(RunId::from_uuid),
            Dimension::Provider => key.provider = row.get("provider").map_err(refused)?,
            Dimension::Model => key.model = row.get("model").map_err(refused)?,
        }
    }
    Ok(key)
}

fn latency(row: &Row<'_>) -> Result<Latency, StoreError> {
    let quantile = |column: &str| {
        Ok::<_, StoreError>(row.get::<_, Option<i64>>(column).map_err(refused)?.map(i64::cast_unsigned))
    };
    Ok(Latency {
        timed: count(row, "timed")?,
        sum_ms: count(row, "sum_ms")?,
        p50_ms: quantile("p50_ms")?,
        p95_ms: quantile("p95_ms")?,
    })
}

fn count(row: &Row<'_>, column: &str) -> Result<u64, StoreError> {
    Ok(u64::try_from(row.get::<_, i64>(column).map_err(refused)?).unwrap_or(0))
}

fn insert_use(connection: &Connection, used: &ModelUse) -> Result<(), StoreError> {
    let sql = "INSERT INTO model_usage (tenant_id, id, created_at, invocation_id, run_id, agent_id, tool_name, provider,
             model, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost, self_reported_cost,
             cost_mismatch, latency_ms, outcome)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
         ON CONFLICT DO NOTHING";
    let small = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.execute(params![
                used.tenant_id.uuid().into_bytes(),
                used.id.into_bytes(),
                used.at.as_micros(),
                used.invocation_id.uuid().into_bytes(),
                used.run_id.map(|id| id.uuid().into_bytes()),
                used.agent_id.map(|id| id.uuid().into_bytes()),
                used.tool_name,
                used.provider,
                used.model,
                small(used.input_tokens),
                small(used.cached_input_tokens),
                small(used.output_tokens),
                small(used.reasoning_tokens),
                used.cost,
                used.self_reported_cost,
                used.cost_mismatch,
                small(used.latency_ms),
                used.error.map_or("ok", ErrorCode::as_str),
            ])
        })
        .map(drop)
        .map_err(refused)
}
