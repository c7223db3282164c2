//! The one statement that writes a group of entries: rows, changes, events and blobs, in one trip to the server.

use std::sync::LazyLock;

use sqlx::{PgConnection, Postgres, postgres::PgArguments, query::Query};
use toolgate_domain::AuditEvent;
use toolgate_store::BlobRecord;

use super::{
    columns::Moment,
    handed_over::{Changed, HandedOver, Row, Told, json},
    rows::as_bigint,
};
use crate::news::News;

/// A transaction of its own, because every further trip would cost as much as ten entries.
///
/// The lock ("tgledger") makes the commits of all processes follow each other, and is taken before any id of an event is drawn:
/// ids become visible in their own order, and a follower that has seen id n has seen everything before n. That the statement's
/// snapshot is older than the lock does no harm: a row that changed meanwhile is looked at again before it is changed.
///
/// All of it is written or nothing: an id or a key that is taken, and a change that finds its row elsewhere, end the statement. Both
/// are rare; to pass over them, and to keep back what follows them, would cost something with every row.
///
/// Ids of events are drawn in the order of the group, which is the order in which a function's rows come.
///
/// The head of a chain is moved by an UPDATE, which looks at the newest row even when the snapshot is older, so a link never
/// stands on any but the last one.
///
/// Only what the group holds is in the statement: an empty part would cost as much as several rows.
fn text(parts: Parts) -> String {
    let mut last = 0;
    // The lock stands where the rows come from: a join with it, or a condition, would be one step more for each of them.
    let mut next = |columns: usize| {
        let first = last + 1;
        last += columns;
        let others: String = (first + 1..=last).map(|number| format!(", ${number}")).collect();
        format!("CASE WHEN (SELECT held FROM locked) THEN ${first} END{others}")
    };
    let (mut writes, mut lost) = (String::new(), String::new());
    if parts.inserts {
        let rows = next(1);
        writes += &format!(
            ", inserted AS (
    INSERT INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name,
        tool_version, egress_class, call_id, seq, input, status, approval_status, approval_decided_by, approval_reason,
        decision, caller, surface, idempotency_key, warnings, node_id, attempt, output, error, cached, truncated,
        attachments, cost_estimate, created_at, started_at, completed_at, approval_expires_at, parent_id,
        is_test)
    SELECT r.* FROM unnest({rows}) AS r
)"
        );
    }
    if parts.advances {
        let changes = next(1);
        writes += &format!(
            ", advanced AS (
    UPDATE tool_invocations i SET status = t.status, approval_status = t.approval_status,
        node_id = CASE WHEN t.status IN ('completed', 'failed', 'cancelled', 'rejected') THEN NULL
            ELSE coalesce(t.node_id, i.node_id) END, started_at = coalesce(t.started_at, i.started_at),
        completed_at = t.completed_at, output = t.output, error = t.error, cached = t.cached, truncated = t.truncated,
        attachments = t.attachments, cost_estimate = t.cost_estimate,
        approval_decided_by = coalesce(t.decided_by, i.approval_decided_by),
        approval_reason = coalesce(t.reason, i.approval_reason),
        approved_input = coalesce(t.approved_input, i.approved_input)
    FROM unnest({changes}) AS t
    WHERE i.tenant_id = t.tenant_id AND i.id = t.id AND i.status = t.from_status
        AND i.approval_status = t.from_approval_status
        AND (i.status <> 'running' OR t.node_id IS NULL OR i.node_id = t.node_id)
    RETURNING 1
)"
        );
        lost = format!(
            ", CASE WHEN (SELECT count(*) FROM advanced) < cardinality({changes}) THEN toolgate_another_came_first() END"
        );
    }
    let events = next(1);
    writes += &format!(
        ", appended AS (
    INSERT INTO session_events (tenant_id, session_id, type, invocation_id, data, created_at, began_at)
    SELECT e.* FROM unnest({events}) AS e
)"
    );
    if parts.blobs {
        let values = next(BLOB_COLUMNS);
        writes += &format!(
            ", kept AS (
    INSERT INTO blobs (id, tenant_id, invocation_id, content_type, bytes, created_at)
    SELECT b.* FROM unnest({values}) AS b
)"
        );
    }
    if parts.news {
        let values = next(NEWS_COLUMNS);
        writes += &format!(
            ", moved AS (
    UPDATE audit_heads h SET seq = h.seq + 1, hash = sha256(h.hash || int8send(h.seq + 1) || n.items)
    FROM unnest({values}) AS n (tenant_id, items) WHERE h.tenant_id = n.tenant_id
    RETURNING h.tenant_id, h.seq, h.hash, n.items
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
    SELECT a.* FROM unnest({values}) AS a
)"
        );
    }
    let told = if parts.told { "pg_notify('toolgate_ledger', '')" } else { "NULL" };
    format!(
        "WITH locked AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(8387792013732832626) IS NOT NULL AS held
){writes}
SELECT {told}{lost}"
    )
}

const BLOB_COLUMNS: usize = 6;
const NEWS_COLUMNS: usize = 2;
const AUDIT_COLUMNS: usize = 8;

/// What a group holds besides events.
#[derive(Clone, Copy)]
struct Parts {
    inserts: bool,
    advances: bool,
    blobs: bool,
    /// What the chains are told.
    news: bool,
    audit: bool,
    /// Whether other processes are told that the ledger grew.
    told: bool,
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
            told: n & 32 != 0,
        })
    })
});

fn text_for(parts: Parts) -> &'static str {
    let place = usize::from(parts.inserts)
        | usize::from(parts.advances) << 1
        | usize::from(parts.blobs) << 2
        | usize::from(parts.news) << 3
        | usize::from(parts.audit) << 4
        | usize::from(parts.told) << 5;
    TEXTS.get(place).map_or("", String::as_str)
}

type Record = Query<'static, Postgres, PgArguments>;

/// Writes entries that change different invocations: all of them, or none.
pub(super) async fn record(
    connection: &mut PgConnection,
    group: &[HandedOver],
    told: bool,
) -> Result<(), sqlx::Error> {
    let inserts: Vec<_> = group.iter().filter_map(|entry| entry.row.as_deref().map(Row)).collect();
    let advances: Vec<_> = group.iter().filter_map(|entry| entry.change.as_deref().map(Changed)).collect();
    let events: Vec<_> =
        group.iter().flat_map(|entry| entry.events.iter().map(|event| Told(event))).collect();
    let blobs: Vec<_> = group.iter().flat_map(|entry| &entry.blobs).collect();
    let audit: Vec<_> = group.iter().flat_map(|entry| &entry.audit).collect();
    let mut news = News::default();
    for entry in group {
        news.add(entry.tenant_id, entry.items.iter().copied());
    }
    let news = news.take();
    let parts = Parts {
        inserts: !inserts.is_empty(),
        advances: !advances.is_empty(),
        blobs: !blobs.is_empty(),
        news: !news.is_empty(),
        audit: !audit.is_empty(),
        told,
    };
    let mut query: Record = sqlx::query(text_for(parts));
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
            .bind(each(&news, |(tenant, _)| tenant.uuid()))
            .bind(each(&news, |(_, items)| items.as_slice()));
    }
    if parts.audit {
        query = bind_audit(query, &audit);
    }
    query.execute(connection).await.map(drop)
}

/// One column of a group.
fn each<'a, R, T>(rows: &'a [R], value: impl Fn(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

fn bind_blobs(query: Record, rows: &[&BlobRecord]) -> Record {
    query
        .bind(each(rows, |b| b.id.uuid()))
        .bind(each(rows, |b| b.tenant_id.uuid()))
        .bind(each(rows, |b| b.invocation_id.uuid()))
        .bind(each(rows, |b| b.content_type.as_str()))
        .bind(each(rows, |b| as_bigint(b.bytes)))
        .bind(each(rows, |b| Moment(b.created_at)))
}

fn bind_audit(query: Record, rows: &[&AuditEvent]) -> Record {
    query
        .bind(each(rows, |a| a.id.uuid()))
        .bind(each(rows, |a| a.tenant_id.uuid()))
        .bind(each(rows, |a| Moment(a.at)))
        .bind(each(rows, |a| a.actor.as_str()))
        .bind(each(rows, |a| a.action.as_str()))
        .bind(each(rows, |a| a.target.as_str()))
        .bind(each(rows, |a| a.before.as_ref().map(json)))
        .bind(each(rows, |a| a.after.as_ref().map(json)))
}
