use std::collections::BTreeSet;

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use toolgate_domain::{InvocationId, RunId, Span, SpanId, TenantId, TraceId, ids::Uuid};
use toolgate_store::{Spans, StoreError};

use super::{
    Postgres,
    columns::{JsonText, Moment},
    database::refused,
    rows::{as_limit, get, get_json, get_optional_json, get_optional_time, get_time, read_all},
    scope::begin,
};
use crate::codec;

#[async_trait]
impl Spans for Postgres {
    async fn add_spans(&self, spans: &[Span]) -> Result<(), StoreError> {
        let tenants: BTreeSet<TenantId> = spans.iter().map(|span| span.tenant_id).collect();
        let tenants: Vec<TenantId> = tenants.into_iter().collect();
        let mut transaction = begin(&self.pool, "", &tenants, "").await?;
        sqlx::query(
            "INSERT INTO spans (tenant_id, trace_id, span_id, parent_span_id, name, kind, started_at, ended_at, error,
                 attributes, links, run_id, invocation_id)
             SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[], $5::text[], $6::text[],
                 $7::timestamptz[], $8::timestamptz[], $9::text[], $10::json[], $11::json[], $12::uuid[], $13::uuid[])
             ON CONFLICT (tenant_id, trace_id, span_id) DO UPDATE SET
                 parent_span_id = excluded.parent_span_id, name = excluded.name, started_at = excluded.started_at,
                 ended_at = excluded.ended_at, error = excluded.error, attributes = excluded.attributes,
                 links = coalesce(excluded.links, spans.links)
             WHERE spans.ended_at IS NULL",
        )
        .bind(column(spans, |span| span.tenant_id.uuid()))
        .bind(column(spans, |span| span.trace_id.to_bytes().to_vec()))
        .bind(column(spans, |span| span.span_id.to_bytes().to_vec()))
        .bind(column(spans, |span| span.parent_span_id.map(|id| id.to_bytes().to_vec())))
        .bind(column(spans, |span| span.name.clone()))
        .bind(column(spans, |span| span.kind.as_str()))
        .bind(column(spans, |span| Moment(span.started_at)))
        .bind(column(spans, |span| span.ended_at.map(Moment)))
        .bind(column(spans, |span| span.error.clone()))
        .bind(column(spans, |span| JsonText(codec::to_json(&span.attributes))))
        .bind(column(spans, |span| codec::list_to_json(&span.links).map(JsonText)))
        .bind(column(spans, |span| span.run_id.map(RunId::uuid)))
        .bind(column(spans, |span| span.invocation_id.map(InvocationId::uuid)))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }

    async fn spans(&self, tenant: TenantId, trace: TraceId, limit: usize) -> Result<Vec<Span>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM spans WHERE tenant_id = $1 AND trace_id = $2 ORDER BY started_at, span_id LIMIT $3",
        )
        .bind(tenant.uuid())
        .bind(trace.to_bytes().to_vec())
        .bind(as_limit(limit))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        read_all(&rows, read)
    }

    async fn span(&self, tenant: TenantId, trace: TraceId, id: SpanId) -> Result<Option<Span>, StoreError> {
        let row = sqlx::query("SELECT * FROM spans WHERE tenant_id = $1 AND trace_id = $2 AND span_id = $3")
            .bind(tenant.uuid())
            .bind(trace.to_bytes().to_vec())
            .bind(id.to_bytes().to_vec())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        row.as_ref().map(read).transpose()
    }
}

fn column<T>(spans: &[Span], of: impl Fn(&Span) -> T) -> Vec<T> {
    spans.iter().map(of).collect()
}

fn read(row: &PgRow) -> Result<Span, StoreError> {
    let span_id =
        |bytes: Vec<u8>| bytes.try_into().map(SpanId::from_bytes).map_err(|_| codec::corrupt("a span's id"));
    let trace_id = get::<Vec<u8>>(row, "trace_id")?.try_into().map_err(|_| codec::corrupt("a trace's id"))?;
    Ok(Span {
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        trace_id: TraceId::from_bytes(trace_id),
        span_id: span_id(get(row, "span_id")?)?,
        parent_span_id: get::<Option<Vec<u8>>>(row, "parent_span_id")?.map(span_id).transpose()?,
        name: get(row, "name")?,
        kind: codec::parse(&get::<String>(row, "kind")?)?,
        started_at: get_time(row, "started_at")?,
        ended_at: get_optional_time(row, "ended_at")?,
        error: get(row, "error")?,
        attributes: codec::from_json(&get_json(row, "attributes")?)?,
        links: codec::list_from_json(get_optional_json(row, "links")?)?,
        run_id: get::<Option<Uuid>>(row, "run_id")?.map(RunId::from_uuid),
        invocation_id: get::<Option<Uuid>>(row, "invocation_id")?.map(InvocationId::from_uuid),
    })
}
