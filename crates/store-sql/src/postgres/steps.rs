use async_trait::async_trait;
use sqlx::PgConnection;
use toolgate_domain::{RunId, RunStep, StepId, TenantId};
use toolgate_store::{Steps, StoreError};

use super::{
    Postgres,
    columns::{JsonText, Moment},
    database::refused,
    rows::{as_bigint, as_limit, get, get_count, get_json, get_time, read_all},
};
use crate::codec;

#[async_trait]
impl Steps for Postgres {
    async fn add_step(&self, step: &RunStep) -> Result<bool, StoreError> {
        let mut transaction = self.change_of(step.tenant_id).await?;
        let added = insert_step(&mut transaction, step).await?;
        transaction.commit().await.map_err(refused)?;
        Ok(added)
    }

    async fn steps(
        &self,
        tenant: TenantId,
        run: RunId,
        from: u64,
        limit: usize,
    ) -> Result<Vec<RunStep>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM agent_run_steps WHERE tenant_id = $1 AND run_id = $2 AND seq >= $3 ORDER BY seq LIMIT $4",
        )
        .bind(tenant.uuid())
        .bind(run.uuid())
        .bind(as_bigint(from))
        .bind(as_limit(limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, |row| {
            Ok(RunStep {
                id: StepId::from_uuid(get(row, "id")?),
                tenant_id: tenant,
                run_id: run,
                seq: get_count(row, "seq")?,
                kind: codec::parse(&get::<String>(row, "kind")?)?,
                title: get(row, "title")?,
                body: codec::from_json(&get_json(row, "body")?)?,
                created_at: get_time(row, "created_at")?,
            })
        })
    }
}

/// Adds a step; `false` when its place is taken.
pub(super) async fn insert_step(connection: &mut PgConnection, step: &RunStep) -> Result<bool, StoreError> {
    let added = sqlx::query(
        "INSERT INTO agent_run_steps (id, tenant_id, run_id, seq, kind, title, body, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(step.id.uuid())
    .bind(step.tenant_id.uuid())
    .bind(step.run_id.uuid())
    .bind(as_bigint(step.seq))
    .bind(step.kind.as_str())
    .bind(&step.title)
    .bind(JsonText(codec::to_json(&step.body)))
    .bind(Moment(step.created_at))
    .execute(connection)
    .await
    .map_err(refused)?;
    Ok(added.rows_affected() == 1)
}
