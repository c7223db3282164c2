use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use toolgate_domain::{AuditEvent, TenantId, ids::Uuid};
use toolgate_store::{Kind, Record, RecordWrite, Records, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Records for Sqlite {
    async fn get(&self, tenant: TenantId, kind: Kind, id: Uuid) -> Result<Option<Record>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = format!("SELECT * FROM {} WHERE tenant_id = ?1 AND id = ?2", kind.table());
                let given = params![tenant.uuid().into_bytes(), id.into_bytes()];
                Ok(query(connection, &sql, given, |row| read_record(kind, row))?.pop())
            })
            .await
    }

    async fn by_name(&self, tenant: TenantId, kind: Kind, name: &str) -> Result<Option<Record>, StoreError> {
        let name = name.to_owned();
        self.readers
            .run(move |connection| {
                let sql = format!("SELECT * FROM {} WHERE tenant_id = ?1 AND name = ?2", kind.table());
                let given = params![tenant.uuid().into_bytes(), name];
                Ok(query(connection, &sql, given, |row| read_record(kind, row))?.pop())
            })
            .await
    }

    async fn all(&self, tenant: TenantId, kind: Kind) -> Result<Vec<Record>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = format!("SELECT * FROM {} WHERE tenant_id = ?1 ORDER BY id", kind.table());
                query(connection, &sql, [tenant.uuid().into_bytes()], |row| read_record(kind, row))
            })
            .await
    }

    async fn named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<Vec<Record>, StoreError> {
        let prefix = prefix.to_owned();
        self.readers
            .run(move |connection| {
                let sql = format!(
                    "SELECT * FROM {} WHERE tenant_id = ?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2 ORDER BY name",
                    kind.table()
                );
                let given = params![tenant.uuid().into_bytes(), prefix];
                query(connection, &sql, given, |row| read_record(kind, row))
            })
            .await
    }

    async fn last_named(
        &self,
        tenant: TenantId,
        kind: Kind,
        prefix: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let before = before.map_or_else(|| codec::after_prefix(prefix), str::to_owned);
        let (prefix, limit) = (prefix.to_owned(), i64::try_from(limit).unwrap_or(i64::MAX));
        self.readers
            .run(move |connection| {
                let sql = format!(
                    "SELECT * FROM {} WHERE tenant_id = ?1 AND name >= ?2 AND name < ?3 ORDER BY name DESC LIMIT ?4",
                    kind.table()
                );
                let given = params![tenant.uuid().into_bytes(), prefix, before, limit];
                query(connection, &sql, given, |row| read_record(kind, row))
            })
            .await
    }

    async fn count_named(&self, tenant: TenantId, kind: Kind, prefix: &str) -> Result<u64, StoreError> {
        let (after, prefix) = (codec::after_prefix(prefix), prefix.to_owned());
        self.readers
            .run(move |connection| {
                let sql = format!(
                    "SELECT count(*) FROM {} WHERE tenant_id = ?1 AND name >= ?2 AND name < ?3",
                    kind.table()
                );
                let given = params![tenant.uuid().into_bytes(), prefix, after];
                let count: i64 = connection
                    .prepare_cached(&sql)
                    .and_then(|mut statement| statement.query_row(given, |row| row.get(0)))
                    .map_err(refused)?;
                Ok(count.cast_unsigned())
            })
            .await
    }

    async fn commit(
        &self,
        tenant: TenantId,
        writes: Vec<RecordWrite>,
        audit: Vec<AuditEvent>,
    ) -> Result<(), StoreError> {
        self.writer
            .run_audited(audit, move |connection| {
                writes.iter().try_for_each(|write| apply(connection, tenant, write))
            })
            .await?;
        Ok(())
    }
}

fn apply(connection: &Connection, tenant: TenantId, write: &RecordWrite) -> Result<(), StoreError> {
    let tenant = tenant.uuid().into_bytes();
    let changed = match write {
        RecordWrite::Insert(record) => connection.execute(
            &format!(
                "INSERT INTO {} (tenant_id, id, name, body, revision, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6)",
                record.kind.table()
            ),
            params![
                tenant,
                record.id.into_bytes(),
                record.name,
                codec::to_json(&record.body),
                record.created_at.as_micros(),
                record.updated_at.as_micros()
            ],
        ),
        RecordWrite::Update(record) => connection.execute(
            &format!(
                "UPDATE {} SET name = ?3, body = ?4, revision = ?5, updated_at = ?6
                 WHERE tenant_id = ?1 AND id = ?2 AND revision = ?5 - 1",
                record.kind.table()
            ),
            params![
                tenant,
                record.id.into_bytes(),
                record.name,
                codec::to_json(&record.body),
                record.revision.cast_signed(),
                record.updated_at.as_micros()
            ],
        ),
        RecordWrite::Delete { kind, id, revision } => connection.execute(
            &format!("DELETE FROM {} WHERE tenant_id = ?1 AND id = ?2 AND revision = ?3", kind.table()),
            params![tenant, id.into_bytes(), revision.cast_signed()],
        ),
    };
    if changed.map_err(refused)? == 1 { Ok(()) } else { Err(codec::overtaken()) }
}

fn read_record(kind: Kind, row: &Row<'_>) -> Result<Record, StoreError> {
    Ok(Record {
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        kind,
        id: get_uuid(row, "id")?,
        name: get_text(row, "name")?,
        body: codec::from_json(&get_text(row, "body")?)?,
        revision: row.get::<_, i64>("revision").map_err(refused)?.cast_unsigned(),
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
    })
}
