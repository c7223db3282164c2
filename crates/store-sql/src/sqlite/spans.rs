use async_trait::async_trait;
use rusqlite::{Connection, Row, params};
use toolgate_domain::{InvocationId, RunId, Span, SpanId, TenantId, TraceId};
use toolgate_store::{Spans, StoreError};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_optional_time, get_optional_uuid, get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Spans for Sqlite {
    async fn add_spans(&self, spans: &[Span]) -> Result<(), StoreError> {
        let spans = spans.to_vec();
        Ok(self.writer.run(move |connection| spans.iter().try_for_each(|span| add(connection, span))).await?)
    }

    async fn spans(&self, tenant: TenantId, trace: TraceId, limit: usize) -> Result<Vec<Span>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM spans WHERE tenant_id = ?1 AND trace_id = ?2
                     ORDER BY started_at, span_id LIMIT ?3";
                query(connection, sql, (tenant.uuid().into_bytes(), trace.to_bytes(), limit), read)
            })
            .await
    }

    async fn span(&self, tenant: TenantId, trace: TraceId, id: SpanId) -> Result<Option<Span>, StoreError> {
        let mut found = self
            .readers
            .run(move |connection| {
                let sql = "SELECT * FROM spans WHERE tenant_id = ?1 AND trace_id = ?2 AND span_id = ?3";
                query(connection, sql, (tenant.uuid().into_bytes(), trace.to_bytes(), id.to_bytes()), read)
            })
            .await?;
        Ok(found.pop())
    }
}

fn add(connection: &Connection, span: &Span) -> Result<(), StoreError> {
    let sql = "INSERT INTO spans (tenant_id, trace_id, span_id, parent_span_id, name, kind, started_at, ended_at, error,
             attributes, links, run_id, invocation_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
         ON CONFLICT (tenant_id, trace_id, span_id) DO UPDATE SET
             parent_span_id = excluded.parent_span_id, name = excluded.name, started_at = excluded.started_at,
             ended_at = excluded.ended_at, error = excluded.error, attributes = excluded.attributes,
             links = coalesce(excluded.links, spans.links)
         WHERE spans.ended_at IS NULL";
    let mut statement = connection.prepare_cached(sql).map_err(refused)?;
    statement
        .execute(params![
            span.tenant_id.uuid().into_bytes(),
            span.trace_id.to_bytes(),
            span.span_id.to_bytes(),
            span.parent_span_id.map(SpanId::to_bytes),
            span.name,
            span.kind.as_str(),
            span.started_at.as_micros(),
            span.ended_at.map(|at| at.as_micros()),
            span.error,
            codec::to_json(&span.attributes),
            codec::list_to_json(&span.links),
            span.run_id.map(|id| id.uuid().into_bytes()),
            span.invocation_id.map(|id| id.uuid().into_bytes()),
        ])
        .map(drop)
        .map_err(refused)
}

fn read(row: &Row<'_>) -> Result<Span, StoreError> {
    let parent: Option<[u8; 8]> = row.get("parent_span_id").map_err(refused)?;
    Ok(Span {
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        trace_id: TraceId::from_bytes(row.get("trace_id").map_err(refused)?),
        span_id: SpanId::from_bytes(row.get("span_id").map_err(refused)?),
        parent_span_id: parent.map(SpanId::from_bytes),
        name: get_text(row, "name")?,
        kind: codec::parse(&get_text(row, "kind")?)?,
        started_at: get_time(row, "started_at")?,
        ended_at: get_optional_time(row, "ended_at")?,
        error: get_optional_text(row, "error")?,
        attributes: codec::from_json(&get_text(row, "attributes")?)?,
        links: codec::list_from_json(get_optional_text(row, "links")?)?,
        run_id: get_optional_uuid(row, "run_id")?.map(RunId::from_uuid),
        invocation_id: get_optional_uuid(row, "invocation_id")?.map(InvocationId::from_uuid),
    })
}
