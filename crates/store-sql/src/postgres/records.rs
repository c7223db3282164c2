use async_trait::async_trait;
use sqlx::{AssertSqlSafe, PgConnection, postgres::PgRow};
use toolgate_domain::{AuditEvent, TenantId, ids::Uuid};
use toolgate_store::{Kind, Record, RecordWrite, Records, StoreError};

use super::{
    Postgres, chain,
    columns::{JsonText, Moment},
    database::refused,
    rows::{as_bigint, as_limit, get, get_count, get_json, get_time, read_all},
};
use crate::codec;

/// Only the table's name varies, and it comes from the list of kinds.
fn select(kind: Kind, rest: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!("SELECT * FROM {} WHERE tenant_id = $1 {rest}", kind.table()))
}

#[async_trait]
impl Records for Postgres {
    async fn get(&self, tenant: TenantId, kind: Kind, id: Uuid) -> Result<Option<Record>, StoreError> {
        let row = sqlx::query(select(kind, "AND id = $2"))
            .bind(tenant.uuid())
            .bind(id)
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        row.map(|row| read_record(kind, &row)).transpose()
    }

    async fn by_name(&self, tenant: TenantId, kind: Kind, name: &str) -> Result<Option<Record>, StoreError> {
        let row = sqlx::query(select(kind, "AND name = $2"))
            .bind(tenant.uuid())
            .bind(name)
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        row.map(|row| read_record(kind, &row)).transpose()
    }

    async fn all(&self, tenant: TenantId, kind: Kind) -> Result<Vec<Record>, StoreError> {
        let rows = sqlx::query(select(kind, "ORDER BY id"))
            .bind(tenant.uuid())
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| read_record(kind, row))
    }

    async fn named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<Vec<Record>, StoreError> {
        let rows = sqlx::query(select(kind, "AND name >= $2 AND starts_with(name, $2) ORDER BY name"))
            .bind(tenant.uuid())
            .bind(prefix)
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| read_record(kind, row))
    }

    async fn last_named(
        &self,
        tenant: TenantId,
        kind: Kind,
        prefix: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let rows = sqlx::query(select(kind, "AND name >= $2 AND name < $3 ORDER BY name DESC LIMIT $4"))
            .bind(tenant.uuid())
            .bind(prefix)
            .bind(before.map_or_else(|| codec::after_prefix(prefix), str::to_owned))
            .bind(as_limit(limit))
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, |row| read_record(kind, row))
    }

    async fn count_named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) AS count FROM";
        let sql = format!("{sql} {} WHERE tenant_id = $1 AND name >= $2 AND name < $3", kind.table());
        let row = sqlx::query(AssertSqlSafe(sql))
            .bind(tenant.uuid())
            .bind(prefix)
            .bind(codec::after_prefix(prefix))
            .fetch_one(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        get_count(&row, "count")
    }

    async fn commit(
        &self,
        tenant: TenantId,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), StoreError> {
        let mut transaction = chain::begin(&self.pool, tenant, &audit).await?;
        for write in &writes {
            apply(&mut transaction, tenant, write).await?;
        }
        chain::commit(transaction, &audit).await
    }
}

async fn apply(
    connection: &mut PgConnection,
    tenant: TenantId,
    write: &RecordWrite,
) -> Result<(), StoreError> {
    let done = match write {
        RecordWrite::Insert(record) => {
            sqlx::query(AssertSqlSafe(format!(
                "INSERT INTO {} (tenant_id, id, name, body, revision, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, 1, $5, $6)",
                record.kind.table()
            )))
            .bind(tenant.uuid())
            .bind(record.id)
            .bind(&record.name)
            .bind(JsonText(codec::to_json(&record.body)))
            .bind(Moment(record.created_at))
            .bind(Moment(record.updated_at))
            .execute(connection)
            .await
        }
        RecordWrite::Update(record) => {
            sqlx::query(AssertSqlSafe(format!(
                "UPDATE {} SET name = $3, body = $4, revision = $5, updated_at = $6
                 WHERE tenant_id = $1 AND id = $2 AND revision = $5 - 1",
                record.kind.table()
            )))
            .bind(tenant.uuid())
            .bind(record.id)
            .bind(&record.name)
            .bind(JsonText(codec::to_json(&record.body)))
            .bind(as_bigint(record.revision))
            .bind(Moment(record.updated_at))
            .execute(connection)
            .await
        }
        RecordWrite::Delete { kind, id, revision } => {
            sqlx::query(AssertSqlSafe(format!(
                "DELETE FROM {} WHERE tenant_id = $1 AND id = $2 AND revision = $3",
                kind.table()
            )))
            .bind(tenant.uuid())
            .bind(id)
            .bind(as_bigint(*revision))
            .execute(connection)
            .await
        }
    };
    if done.map_err(refused)?.rows_affected() == 1 { Ok(()) } else { Err(codec::overtaken()) }
}

fn read_record(kind: Kind, row: &PgRow) -> Result<Record, StoreError> {
    Ok(Record {
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        kind,
        id: get(row, "id")?,
        name: get(row, "name")?,
        body: codec::from_json(&get_json(row, "body")?)?,
        revision: get_count(row, "revision")?,
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
    })
}
