//! The questions that sum up usage. Both databases are asked in the same words, but for a few.

use toolgate_domain::{Timestamp, ids::Uuid, usage::Dimension};
use toolgate_store::UsageQuery;

/// Where the databases differ.
pub(crate) struct Dialect {
    /// What stands before the number of a parameter.
    pub(crate) parameter: char,
    /// The day of `created_at`, counted from 1970 in UTC.
    pub(crate) day: &'static str,
    /// Whole milliseconds from `started_at` to `completed_at`.
    pub(crate) took_ms: &'static str,
}

/// A parameter, in the order in which they are numbered.
pub(crate) enum Given {
    Id(Uuid),
    Moment(Timestamp),
    Text(String),
    Count(usize),
}

pub(crate) struct Question {
    pub(crate) sql: String,
    pub(crate) given: Vec<Given>,
}

/// What a table has to say.
struct Source {
    table: &'static str,
    /// Besides the dimensions: what the measures are made of, and how long it took as `ms`.
    columns: String,
    only: &'static str,
    measures: &'static str,
}

/// Rows are found by their id, which is a UUIDv7: no second index has to be kept for it. An id is made with its row, and never
/// before it by a day.
const SLACK_MS: i64 = 86_400_000;

pub(crate) fn of_calls(dialect: &Dialect, tenant: Uuid, query: &UsageQuery) -> Question {
    let source = Source {
        table: "tool_invocations",
        // What a call that asked a model says of its cost is counted with the model.
        columns: format!(
            "status, cached, CASE WHEN cost_estimate IS NOT NULL AND NOT EXISTS (SELECT 1 FROM model_usage u
                 WHERE u.tenant_id = tool_invocations.tenant_id AND u.invocation_id = tool_invocations.id)
                 THEN cost_estimate END AS cost,
             CASE WHEN completed_at >= started_at THEN {} END AS ms",
            dialect.took_ms
        ),
        only: " AND NOT is_test",
        measures: "count(*) AS calls, count(*) FILTER (WHERE status = 'failed') AS errors,
             count(*) FILTER (WHERE cached) AS cached, coalesce(sum(cost), 0.0) AS cost",
    };
    question(dialect, &source, tenant, query)
}

pub(crate) fn of_models(dialect: &Dialect, tenant: Uuid, query: &UsageQuery) -> Question {
    let source = Source {
        table: "model_usage",
        columns: "input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost, cost_mismatch, outcome,
             run_id AS asked_in, latency_ms AS ms"
            .to_owned(),
        only: "",
        measures: "count(*) AS calls, count(*) FILTER (WHERE outcome <> 'ok') AS errors, count(DISTINCT asked_in) AS runs,
             CAST(coalesce(sum(input_tokens), 0) AS bigint) AS input_tokens,
             CAST(coalesce(sum(cached_input_tokens), 0) AS bigint) AS cached_input_tokens,
             CAST(coalesce(sum(output_tokens), 0) AS bigint) AS output_tokens,
             CAST(coalesce(sum(reasoning_tokens), 0) AS bigint) AS reasoning_tokens,
             count(*) FILTER (WHERE cached_input_tokens > 0) AS cache_hits, coalesce(sum(cost), 0.0) AS cost,
             count(*) FILTER (WHERE cost_mismatch) AS cost_mismatches",
    };
    question(dialect, &source, tenant, query)
}

fn question(dialect: &Dialect, source: &Source, tenant: Uuid, query: &UsageQuery) -> Question {
    let mut given = Vec::new();
    let mut bind = |value| {
        given.push(value);
        format!("{}{}", dialect.parameter, given.len())
    };
    let mut only = format!(
        "tenant_id = {} AND id >= {} AND created_at >= {} AND created_at < {}{}",
        bind(Given::Id(tenant)),
        bind(Given::Id(first_id(query.from))),
        bind(Given::Moment(query.from)),
        bind(Given::Moment(query.to)),
        source.only,
    );
    let text = |text: &Option<String>| text.clone().map(Given::Text);
    let filters = [
        ("agent_id", query.agent_id.map(|id| Given::Id(id.uuid()))),
        ("tool_name", text(&query.tool)),
        ("run_id", query.run_id.map(|id| Given::Id(id.uuid()))),
        ("provider", text(&query.provider)),
        ("model", text(&query.model)),
    ];
    for (column, value) in filters {
        if let Some(value) = value {
            only += &format!(" AND {column} = {}", bind(value));
        }
    }
    let grouped: Vec<Dimension> =
        Dimension::ALL.into_iter().filter(|dimension| query.by.contains(dimension)).collect();
    let names: Vec<&str> = grouped.iter().map(|dimension| column(*dimension)).collect();
    let read: String = grouped
        .iter()
        .map(|dimension| match dimension {
            Dimension::Day => format!("{} AS day, ", dialect.day),
            other => format!("{}, ", column(*other)),
        })
        .collect();
    let shown: String = names.iter().map(|name| format!("{name}, ")).collect();
    let (partition, group, order) = if names.is_empty() {
        Default::default()
    } else {
        let names_ = names.join(", ");
        let order = grouped.iter().map(|dimension| match dimension {
            Dimension::Day => "day DESC".to_owned(),
            // What has none comes first, in both databases.
            other => format!("{0} IS NOT NULL, {0}", column(*other)),
        });
        (
            format!("PARTITION BY {names_} "),
            format!(" GROUP BY {names_}"),
            format!(" ORDER BY {}", order.collect::<Vec<_>>().join(", ")),
        )
    };
    let limit = bind(Given::Count(query.limit));
    let Source { table, columns, measures, .. } = source;
    // Nearest rank: the first value that so many per cent do not exceed.
    let sql = format!(
        "WITH counted AS (SELECT {read}{columns} FROM {table} WHERE {only}),
         ranked AS (SELECT counted.*, row_number() OVER ({partition}ORDER BY ms IS NULL, ms) AS place,
             count(ms) OVER ({partition_}) AS among FROM counted)
         SELECT {shown}{measures}, count(ms) AS timed, CAST(coalesce(sum(ms), 0) AS bigint) AS sum_ms,
             min(ms) FILTER (WHERE place * 100 >= among * 50) AS p50_ms,
             min(ms) FILTER (WHERE place * 100 >= among * 95) AS p95_ms
         FROM ranked{group}{order} LIMIT {limit}",
        partition_ = partition.trim_end(),
    );
    Question { sql, given }
}

fn column(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Day => "day",
        Dimension::Agent => "agent_id",
        Dimension::Tool => "tool_name",
        Dimension::Run => "run_id",
        Dimension::Provider => "provider",
        Dimension::Model => "model",
    }
}

/// The least id that a row of this moment can have.
fn first_id(from: Timestamp) -> Uuid {
    let ms = u128::try_from(from.plus_ms(-SLACK_MS).as_millis()).unwrap_or(0);
    Uuid::from_u128(ms << 80)
}
