//! The one statement that writes a group of entries: rows, changes, events and blobs, in one trip to the server.

use std::{collections::HashSet, sync::LazyLock};

use sqlx::{PgConnection, query::QueryScalar};
use toolgate_domain::{AuditEvent, ids::Uuid};
use toolgate_store::{BlobRecord, Change, Entry};

use super::{
    columns::{JsonText, Moment},
    handed_over::{Changed, Row, Told},
    rows::as_bigint,
};
use crate::{codec, log};

/// A transaction of its own, because every further trip would cost as much as ten entries.
///
/// The lock ("tgledger") makes the commits of all processes follow each other, and is taken before any id of an event is drawn:
/// ids become visible in their own order, and a follower that has seen id n has seen everything before n. That the statement's
/// snapshot is older than the lock does no harm: a row that changed meanwhile is looked at again before it is changed.
///
/// Events and blobs follow their entry's change; those of an entry without a change (its owner is null) are written in any case.
/// Ids of events are drawn in the order of the group. The answer: the ids whose change applied, and word to other processes.
///
/// The head of a chain is moved by an UPDATE, which looks at the newest row even when the snapshot is older, so a link never
/// stands on any but the last one.
///
/// Only what the group holds is in the statement: an empty part would cost as much as several rows.
fn text(parts: Parts) -> String {
    let mut last = 0;
    let mut next = |columns: usize| {
        let numbers = last + 1..=last + columns;
        last += columns;
        numbers.map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
    };
    let (mut writes, mut applied) = (String::new(), Vec::new());
    if parts.inserts {
        let rows = next(1);
        let taken = if parts.taken { "ON CONFLICT DO NOTHING" } else { "" };
        applied.push("SELECT id FROM inserted");
        writes += &format!(
            ", inserted AS (
    INSERT INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name,
        tool_version, egress_class, call_id, seq, input, status, approval_status, approval_decided_by, approval_reason,
        decision, caller, surface, idempotency_key, warnings, node_id, attempt, output, error, cached, truncated,
        attachments, cost_estimate, created_at, started_at, completed_at, approval_expires_at, parent_id,
        is_test)
    SELECT r.* FROM locked, unnest({rows}) AS r
    {taken}
    RETURNING id
)"
        );
    }
    if parts.advances {
        let changes = next(1);
        applied.push("SELECT id FROM advanced");
        writes += &format!(
            ", advanced AS (
    UPDATE tool_invocations i SET status = t.status, approval_status = t.approval_status,
        node_id = coalesce(t.node_id, i.node_id), started_at = coalesce(t.started_at, i.started_at),
        completed_at = t.completed_at, output = t.output, error = t.error, cached = t.cached, truncated = t.truncated,
        attachments = t.attachments, cost_estimate = t.cost_estimate,
        approval_decided_by = coalesce(t.decided_by, i.approval_decided_by),
        approval_reason = coalesce(t.reason, i.approval_reason),
        approved_input = coalesce(t.approved_input, i.approved_input)
    FROM locked, unnest({changes}) AS t
    WHERE i.tenant_id = t.tenant_id AND i.id = t.id AND i.status = t.from_status
        AND i.approval_status = t.from_approval_status
        AND (i.status <> 'running' OR t.node_id IS NULL OR i.node_id = t.node_id)
    RETURNING i.id
)"
        );
    }
    if applied.is_empty() {
        applied.push("SELECT NULL::uuid AS id WHERE false");
    }
    let events = next(1);
    writes += &format!(
        ", applied AS (
    {applied}
), appended AS (
    INSERT INTO session_events (tenant_id, session_id, type, invocation_id, data, created_at, began_at)
    SELECT tenant_id, session_id, type, invocation_id, data, created_at, began_at
    FROM locked, unnest({events}) WITH ORDINALITY
        AS e (owner, tenant_id, session_id, type, invocation_id, data, created_at, began_at, place)
    WHERE owner IS NULL OR owner IN (SELECT id FROM applied)
    ORDER BY place
)",
        applied = applied.join(" UNION ALL ")
    );
    if parts.blobs {
        let values = next(BLOB_COLUMNS);
        writes += &format!(
            ", kept AS (
    INSERT INTO blobs (id, tenant_id, invocation_id, content_type, bytes, created_at)
    SELECT id, tenant_id, invocation_id, content_type, bytes, created_at
    FROM locked, unnest({values}) AS b (owner, id, tenant_id, invocation_id, content_type, bytes, created_at)
    WHERE owner IS NULL OR owner IN (SELECT id FROM applied)
)"
        );
    }
    if parts.news {
        let values = next(NEWS_COLUMNS);
        writes += &format!(
            ", news AS MATERIALIZED (
    SELECT tenant_id, string_agg(item, ''::bytea ORDER BY place) AS items
    FROM unnest({values}) WITH ORDINALITY AS n (owner, tenant_id, item, place)
    WHERE owner IS NULL OR owner IN (SELECT id FROM applied)
    GROUP BY tenant_id
), moved AS (
    UPDATE audit_heads h SET seq = h.seq + 1, hash = sha256(h.hash || int8send(h.seq + 1) || news.items)
    FROM locked, news WHERE h.tenant_id = news.tenant_id
    RETURNING h.tenant_id, h.seq, h.hash, news.items
), linked AS (
    INSERT INTO audit_chain (tenant_id, seq, hash, items) SELECT tenant_id, seq, hash, items FROM moved
)"
        );
    }
    if parts.audit {
        let values = next(AUDIT_COLUMNS);
        writes += &format!(
            ", audited AS (
    INSERT INTO audit_events (id, tenant_id, at, actor, action, target, before, after)
    SELECT id, tenant_id, at, actor, action, target, before, after
    FROM locked, unnest({values}) AS a (owner, id, tenant_id, at, actor, action, target, before, after)
    WHERE owner IS NULL OR owner IN (SELECT id FROM applied)
)"
        );
    }
    format!(
        "WITH locked AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(8387792013732832626)
){writes}
SELECT coalesce(array_agg(id), '{{}}'), pg_notify('toolgate_ledger', '') FROM applied"
    )
}

const BLOB_COLUMNS: usize = 7;
const NEWS_COLUMNS: usize = 3;
const AUDIT_COLUMNS: usize = 9;

/// What a group holds besides events.
#[derive(Clone, Copy)]
struct Parts {
    inserts: bool,
    /// Some of the ids or keys may be taken. To pass over them the server looks into every index first and writes each row in two
    /// steps, which costs half as much again as the row; without it, one that is taken ends the statement.
    taken: bool,
    advances: bool,
    blobs: bool,
    /// What the chains are told.
    news: bool,
    audit: bool,
}

/// The statement for each kind of group there can be; a statement is planned once per connection, by its text.
static TEXTS: LazyLock<[String; 64]> = LazyLock::new(|| {
    std::array::from_fn(|n| {
        text(Parts {
            inserts: n & 1 != 0,
            advances: n & 2 != 0,
            blobs: n & 4 != 0,
            news: n & 8 != 0,
            audit: n & 16 != 0,
            taken: n & 32 != 0,
        })
    })
});

fn text_for(parts: Parts) -> &'static str {
    let place = usize::from(parts.inserts)
        | usize::from(parts.advances) << 1
        | usize::from(parts.blobs) << 2
        | usize::from(parts.news) << 3
        | usize::from(parts.audit) << 4
        | usize::from(parts.taken) << 5;
    TEXTS.get(place).map_or("", String::as_str)
}

type Record<'q> = QueryScalar<'q, sqlx::Postgres, Vec<Uuid>, sqlx::postgres::PgArguments>;

/// Writes entries that change different invocations; tells for each whether its change applied. Where `taken` is false, an id or a key
/// that is taken is an error.
pub(super) async fn record(
    connection: &mut PgConnection,
    group: &[&Entry],
    taken: bool,
) -> Result<Vec<bool>, sqlx::Error> {
    let mut inserts = Vec::with_capacity(group.len());
    let mut advances = Vec::new();
    let mut events = Vec::with_capacity(group.len());
    let mut blobs = Vec::new();
    let mut news = Vec::with_capacity(group.len());
    let mut audit = Vec::new();
    for entry in group {
        match &entry.change {
            Some(Change::Insert(row)) => inserts.push(Row(row)),
            Some(Change::Advance(transition)) => {
                advances.push(Changed { tenant_id: entry.tenant_id, transition });
            }
            None => {}
        }
        let owner = changed_id(entry);
        events.extend(log::lines(&entry.events).map(|line| Told { owner, tenant_id: entry.tenant_id, line }));
        blobs.extend(entry.blobs.iter().map(|blob| (owner, blob)));
        news.extend(entry.items().map(|item| (owner, entry.tenant_id, item.to_bytes())));
        audit.extend(entry.audit.iter().map(|event| (owner, event)));
    }
    let parts = Parts {
        inserts: !inserts.is_empty(),
        taken: taken && !inserts.is_empty(),
        advances: !advances.is_empty(),
        blobs: !blobs.is_empty(),
        news: !news.is_empty(),
        audit: !audit.is_empty(),
    };
    let mut query = sqlx::query_scalar(text_for(parts));
    if parts.inserts {
        query = query.bind(inserts);
    }
    if parts.advances {
        query = query.bind(advances);
    }
    query = query.bind(events);
    if parts.blobs {
        query = bind_blobs(query, &blobs);
    }
    if parts.news {
        query = query
            .bind(each(&news, |(owner, ..)| *owner))
            .bind(each(&news, |(_, tenant, _)| tenant.uuid()))
            .bind(each(&news, |(.., item)| &item[..]));
    }
    if parts.audit {
        query = bind_audit(query, &audit);
    }
    let applied: HashSet<Uuid> = query.fetch_one(connection).await?.into_iter().collect();
    Ok(group.iter().map(|entry| changed_id(entry).is_none_or(|id| applied.contains(&id))).collect())
}

/// The invocation that an entry makes or changes.
pub(super) fn changed_id(entry: &Entry) -> Option<Uuid> {
    match entry.change.as_ref()? {
        Change::Insert(row) => Some(row.invocation.id.uuid()),
        Change::Advance(transition) => Some(transition.id.uuid()),
    }
}

/// One column of a group.
fn each<'a, R, T>(rows: &'a [R], value: impl Fn(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

fn json<T: serde::Serialize>(value: &T) -> JsonText {
    JsonText(codec::to_json(value))
}

fn bind_blobs<'q>(query: Record<'q>, rows: &'q [(Option<Uuid>, &BlobRecord)]) -> Record<'q> {
    query
        .bind(each(rows, |(owner, _)| *owner))
        .bind(each(rows, |(_, b)| b.id.uuid()))
        .bind(each(rows, |(_, b)| b.tenant_id.uuid()))
        .bind(each(rows, |(_, b)| b.invocation_id.uuid()))
        .bind(each(rows, |(_, b)| b.content_type.as_str()))
        .bind(each(rows, |(_, b)| as_bigint(b.bytes)))
        .bind(each(rows, |(_, b)| Moment(b.created_at)))
}

fn bind_audit<'q>(query: Record<'q>, rows: &'q [(Option<Uuid>, &AuditEvent)]) -> Record<'q> {
    query
        .bind(each(rows, |(owner, _)| *owner))
        .bind(each(rows, |(_, a)| a.id.uuid()))
        .bind(each(rows, |(_, a)| a.tenant_id.uuid()))
        .bind(each(rows, |(_, a)| Moment(a.at)))
        .bind(each(rows, |(_, a)| a.actor.as_str()))
        .bind(each(rows, |(_, a)| a.action.as_str()))
        .bind(each(rows, |(_, a)| a.target.as_str()))
        .bind(each(rows, |(_, a)| a.before.as_ref().map(json)))
        .bind(each(rows, |(_, a)| a.after.as_ref().map(json)))
}
