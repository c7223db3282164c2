use async_trait::async_trait;
use rusqlite::{Connection, params};
use toolgate_domain::{RunId, RunStep, StepId, TenantId};
use toolgate_store::{Steps, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Steps for Sqlite {
    async fn add_step(&self, step: &RunStep) -> Result<bool, StoreError> {
        let step = step.clone();
        let added = self.writer.run(move |connection| insert_step(connection, &step)).await?;
        Ok(added)
    }

    async fn steps(
        &self,
        tenant: TenantId,
        run: RunId,
        from: u64,
        limit: usize,
    ) -> Result<Vec<RunStep>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM agent_run_steps WHERE tenant_id = ?1 AND run_id = ?2 AND seq >= ?3
                     ORDER BY seq LIMIT ?4";
                let given = (tenant.uuid().into_bytes(), run.uuid().into_bytes(), from.cast_signed(), limit);
                query(connection, sql, given, |row| {
                    Ok(RunStep {
                        id: StepId::from_uuid(get_uuid(row, "id")?),
                        tenant_id: tenant,
                        run_id: run,
                        seq: row.get::<_, i64>("seq").map_err(refused)?.cast_unsigned(),
                        kind: codec::parse(&get_text(row, "kind")?)?,
                        title: get_text(row, "title")?,
                        body: codec::from_json(&get_text(row, "body")?)?,
                        created_at: get_time(row, "created_at")?,
                    })
                })
            })
            .await
    }
}

/// Adds a step; `false` when its place is taken.
pub(super) fn insert_step(connection: &Connection, step: &RunStep) -> Result<bool, StoreError> {
    let sql = "INSERT INTO agent_run_steps (id, tenant_id, run_id, seq, kind, title, body, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING";
    let added = connection
        .prepare_cached(sql)
        .and_then(|mut statement| {
            statement.execute(params![
                step.id.uuid().into_bytes(),
                step.tenant_id.uuid().into_bytes(),
                step.run_id.uuid().into_bytes(),
                step.seq.cast_signed(),
                step.kind.as_str(),
                step.title,
                codec::to_json(&step.body),
                step.created_at.as_micros(),
            ])
        })
        .map_err(refused)?;
    Ok(added == 1)
}
