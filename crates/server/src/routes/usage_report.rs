use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use toolgate_domain::{AgentId, RunId, Timestamp, usage::Dimension};
use toolgate_engine::{UsageGroup, UsageReport, UsageRequest};

use crate::{
    ApiCode, AppState, Json, Problem,
    auth::{self, Needs},
    page::{Params, parsed, parsed_option},
    problem::ProblemDocument,
    sheet::table,
};

#[derive(Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct UsageReportParams {
    /// What to group by: `day` (UTC), `agent`, `tool`, `run`, `provider`, `model`; several with commas. One sum of all when absent.
    by: Option<String>,
    /// From this moment on (RFC 3339); the last 30 days when absent.
    since: Option<String>,
    /// Before this moment (RFC 3339), at most 366 days later.
    until: Option<String>,
    /// An agent's id.
    agent: Option<String>,
    /// A tool's name.
    tool: Option<String>,
    /// A run's id.
    run: Option<String>,
    /// A provider's name.
    provider: Option<String>,
    /// A model, as its provider calls it.
    model: Option<String>,
    /// `json` or `csv`; without it, as the header `Accept` has it.
    format: Option<String>,
}

/// One group. Of `day`, `agent_id`, `tool`, `run_id`, `provider` and `model`, those that were asked for say what it is about.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UsageItem {
    day: Option<String>,
    agent_id: Option<AgentId>,
    tool: Option<String>,
    run_id: Option<RunId>,
    provider: Option<String>,
    model: Option<String>,
    /// Calls of tools, but for tests. Nothing where the report is about models: a call of a tool has none.
    calls: Option<u64>,
    /// Calls that failed.
    errors: Option<u64>,
    /// Calls that were answered from the cache.
    cached_calls: Option<u64>,
    /// Milliseconds from the beginning of a call to its end, waiting included.
    call_avg_ms: Option<u64>,
    call_p50_ms: Option<u64>,
    call_p95_ms: Option<u64>,
    /// Questions to models, those of tests too: they were paid for.
    model_calls: u64,
    /// Questions without an answer.
    model_errors: u64,
    /// Runs of agents among those who asked.
    runs: u64,
    /// Includes what was cached.
    input_tokens: u64,
    cached_input_tokens: u64,
    /// Includes what was thought.
    output_tokens: u64,
    reasoning_tokens: u64,
    model_avg_ms: Option<u64>,
    model_p50_ms: Option<u64>,
    model_p95_ms: Option<u64>,
    /// Of models by the price table, of tools by their own word; in the currency of the price table.
    cost: f64,
    /// Answers whose provider named a price that is more than a tenth off the table's.
    cost_mismatches: u64,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UsageReportResponse {
    from: Timestamp,
    to: Timestamp,
    by: Vec<Dimension>,
    /// The newest days first; at most 1000.
    items: Vec<UsageItem>,
    /// There are more groups than these: ask for a shorter time, or for one agent, tool or model.
    truncated: bool,
}

/// Sum up usage
///
/// Calls, errors, latency, tokens, cached tokens and cost, by day, agent, tool, run, provider and model. As CSV with
/// `Accept: text/csv` or `format=csv`.
#[utoipa::path(
    get, path = "/api/usage", tag = "receipts", operation_id = "get_usage", params(UsageReportParams),
    security(("key" = ["invocations:read"])),
    responses(
        (status = 200, description = "Done", content((UsageReportResponse = "application/json"), (String = "text/csv"))),
        (status = "4XX", description = "Refused; the code says why", body = ProblemDocument, content_type = "application/problem+json")
    )
)]
pub(crate) async fn get(
    State(state): State<AppState>,
    Needs(caller, _): Needs<auth::InvocationsRead>,
    headers: HeaderMap,
    Params(params): Params<UsageReportParams>,
) -> Result<Response, Problem> {
    let as_csv = wants_csv(params.format.as_deref(), &headers)?;
    let names = params.by.as_deref().unwrap_or_default().split(',').map(str::trim);
    let by: Vec<Dimension> =
        names.filter(|name| !name.is_empty()).map(|name| parsed("by", name)).collect::<Result<_, _>>()?;
    let request = UsageRequest {
        from: parsed_option("since", params.since.as_deref())?,
        to: parsed_option("until", params.until.as_deref())?,
        by,
        agent_id: parsed_option("agent", params.agent.as_deref())?,
        tool: params.tool,
        run_id: parsed_option("run", params.run.as_deref())?,
        provider: params.provider,
        model: params.model,
    };
    let report = UsageReportResponse::from(state.engine.usage(&caller, request).await?);
    if !as_csv {
        return Ok(Json(report).into_response());
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"usage.csv\""),
    ];
    Ok((headers, report.csv()?).into_response())
}

fn wants_csv(format: Option<&str>, headers: &HeaderMap) -> Result<bool, Problem> {
    match format {
        Some("csv") => Ok(true),
        Some("json") => Ok(false),
        Some(_) => Err(Problem::new(ApiCode::Malformed, "format is `json` or `csv`")),
        None => {
            let accept =
                headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let kind = |part: &str| part.split(';').next().unwrap_or_default().trim().to_lowercase();
            let first = accept.split(',').map(kind).find(|kind| kind == "text/csv" || kind.contains("json"));
            Ok(first.is_some_and(|kind| kind == "text/csv"))
        }
    }
}

impl From<UsageReport> for UsageReportResponse {
    fn from(report: UsageReport) -> Self {
        let UsageReport { from, to, by, groups, truncated } = report;
        Self { from, to, by, items: groups.into_iter().map(UsageItem::from).collect(), truncated }
    }
}

impl From<UsageGroup> for UsageItem {
    fn from(group: UsageGroup) -> Self {
        let (day, cost) = (group.day(), group.cost());
        let UsageGroup { key, calls, models } = group;
        Self {
            day,
            agent_id: key.agent_id,
            tool: key.tool,
            run_id: key.run_id,
            provider: key.provider,
            model: key.model,
            calls: calls.map(|calls| calls.calls),
            errors: calls.map(|calls| calls.errors),
            cached_calls: calls.map(|calls| calls.cached),
            call_avg_ms: calls.and_then(|calls| calls.latency.avg_ms()),
            call_p50_ms: calls.and_then(|calls| calls.latency.p50_ms),
            call_p95_ms: calls.and_then(|calls| calls.latency.p95_ms),
            model_calls: models.calls,
            model_errors: models.errors,
            runs: models.runs,
            input_tokens: models.input_tokens,
            cached_input_tokens: models.cached_input_tokens,
            output_tokens: models.output_tokens,
            reasoning_tokens: models.reasoning_tokens,
            model_avg_ms: models.latency.avg_ms(),
            model_p50_ms: models.latency.p50_ms,
            model_p95_ms: models.latency.p95_ms,
            cost,
            cost_mismatches: models.cost_mismatches,
        }
    }
}

impl UsageReportResponse {
    /// The columns that were asked for, then the sums; the names are those of the JSON.
    fn csv(&self) -> Result<String, Problem> {
        let left_out: Vec<&str> =
            Dimension::ALL.into_iter().filter(|d| !self.by.contains(d)).map(column).collect();
        table(&self.items, UsageItem::COLUMNS.iter().copied().filter(|name| !left_out.contains(name)))
    }
}

impl UsageItem {
    const COLUMNS: [&'static str; 24] = [
        "day",
        "agent_id",
        "tool",
        "run_id",
        "provider",
        "model",
        "calls",
        "errors",
        "cached_calls",
        "call_avg_ms",
        "call_p50_ms",
        "call_p95_ms",
        "model_calls",
        "model_errors",
        "runs",
        "input_tokens",
        "cached_input_tokens",
        "output_tokens",
        "reasoning_tokens",
        "model_avg_ms",
        "model_p50_ms",
        "model_p95_ms",
        "cost",
        "cost_mismatches",
    ];
}

fn column(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Agent => "agent_id",
        Dimension::Run => "run_id",
        other => other.as_str(),
    }
}
