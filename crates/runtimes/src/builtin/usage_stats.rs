//! `getUsageStats`: what calls and models came to, for those who want to use less.

use serde_json::{Map, Value, json};
use toolgate_domain::{ErrorCode, ToolError, ToolSpec, usage::Dimension};
use toolgate_engine::{RuleError, RunContext, UsageGroup, UsageRequest};

use super::definition::{Definition, refuses, runs};

pub(super) const NAME: &str = "getUsageStats";

const DAY_MS: i64 = 24 * 3_600 * 1_000;
const DEFAULT_DAYS: i64 = 30;
const MAX_DAYS: i64 = 366;
/// Groups that an answer shows.
const MAX_GROUPS: usize = 100;

const DESCRIPTION: &str = "Tells what was used: calls of tools with errors, cached results and latency; questions to models with \
tokens, cached tokens and cost. `prompt_caching` says how much of the prompts came from the provider's cache, `runtime` how many \
runs and turns there were and how long they took. `by` splits it up by day, agent, tool, run, provider or model. An agent is told \
of its own usage alone. Use it to see whether prompts are cached, what a day cost, or which tool is slow.";

pub(super) fn spec() -> ToolSpec {
    let count = |description: &str| json!({"type": "integer", "minimum": 0, "description": description});
    let number = |description: &str| json!({"type": "number", "minimum": 0, "description": description});
    let maybe = |kind: &str, description: &str| json!({"type": [kind, "null"], "description": description});
    let names = Dimension::ALL.map(Dimension::as_str);
    Definition {
        name: NAME,
        category: "context",
        icon: "chart-column",
        description: DESCRIPTION,
        input_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "since_days": {
                    "type": "integer", "minimum": 1, "maximum": MAX_DAYS, "default": DEFAULT_DAYS,
                    "description": "How many days back.",
                },
                "agent": {"type": "string", "maxLength": 128, "description": "Only of this agent: a handle or an id."},
                "by": {
                    "type": "array", "items": {"enum": names}, "uniqueItems": true, "maxItems": names.len(),
                    "description": "What to split it up by.",
                },
            },
        }),
        output_schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["from", "to", "totals", "prompt_caching", "runtime", "groups", "truncated"],
            "properties": {
                "from": {"type": "string", "description": "From this moment on."},
                "to": {"type": "string", "description": "Until this moment."},
                "totals": {
                    "type": "object",
                    "description": "All of it.",
                    "properties": {
                        "calls": count("Calls of tools."),
                        "errors": count("Those that failed."),
                        "cached_calls": count("Those that were answered from the cache of results."),
                        "model_calls": count("Questions to models."),
                        "model_errors": count("Those without an answer."),
                        "cost": number("What it cost, in the currency of the price table."),
                        "input_tokens": count("Tokens that were read, cached ones too."),
                        "output_tokens": count("Tokens that were written, thoughts too."),
                        "reasoning_tokens": count("Tokens that were thought."),
                        "cost_mismatches": count("Answers whose provider named a price far from the table's."),
                    },
                },
                "prompt_caching": {
                    "type": "object",
                    "description": "How much of the prompts the providers had cached.",
                    "properties": {
                        "cached_input_tokens": count("Tokens read from a cache."),
                        "hit_ratio": maybe("number", "Their share of all that was read."),
                        "calls_with_hits": count("Questions of which some was cached."),
                    },
                },
                "runtime": {
                    "type": "object",
                    "description": "How runs went.",
                    "properties": {
                        "runs": count("Runs of agents."),
                        "turns": count("Questions to models."),
                        "input_tokens_per_turn": maybe("integer", "How long the conversations are, on average."),
                        "model_avg_ms": maybe("integer", "How long an answer took, on average."),
                        "model_p95_ms": maybe("integer", "19 of 20 answers were no slower."),
                        "call_avg_ms": maybe("integer", "How long a call of a tool took, on average."),
                        "call_p95_ms": maybe("integer", "19 of 20 calls were no slower."),
                    },
                },
                "groups": {
                    "type": "array", "items": {"type": "object"},
                    "description": "The same, split up; the newest days first.",
                },
                "truncated": {"type": "boolean", "description": "There are more groups than are shown."},
            },
        }),
        examples: vec![
            runs("The last week by day", json!({"since_days": 7, "by": ["day"]})),
            refuses("nothing to group by", json!({"by": ["colour"]})),
            refuses("no day at all", json!({"since_days": 0})),
        ],
        output_sections: vec![],
        repeatable: false,
    }
    .into_spec()
}

pub(super) async fn run(input: &Value, context: &RunContext) -> Result<Value, ToolError> {
    let house = context.invoker.house()?;
    let agent_id = match input["agent"].as_str() {
        Some(reference) => Some(house.agent(reference).await.map_err(refusal)?.id),
        None => None,
    };
    let days = input["since_days"].as_i64().unwrap_or(DEFAULT_DAYS).clamp(1, MAX_DAYS);
    let to = context.invoker.now().plus_ms(1);
    let all = UsageRequest {
        from: Some(to.plus_ms(-days * DAY_MS)),
        to: Some(to),
        agent_id,
        ..UsageRequest::default()
    };
    let by: Vec<Dimension> =
        input["by"].as_array().into_iter().flatten().filter_map(|name| name.as_str()?.parse().ok()).collect();
    let report = house.usage(all.clone()).await.map_err(refusal)?;
    let total = report.groups.into_iter().next().unwrap_or_default();
    let (groups, truncated) = if by.is_empty() {
        (Vec::new(), false)
    } else {
        let split = house.usage(UsageRequest { by: by.clone(), ..all }).await.map_err(refusal)?;
        let truncated = split.truncated || split.groups.len() > MAX_GROUPS;
        (split.groups.iter().take(MAX_GROUPS).map(|group| shown(group, &by)).collect(), truncated)
    };
    let models = total.models;
    Ok(json!({
        "from": report.from,
        "to": report.to,
        "totals": sums(&total),
        "prompt_caching": {
            "cached_input_tokens": models.cached_input_tokens,
            "hit_ratio": ratio(models.cached_input_tokens, models.input_tokens),
            "calls_with_hits": models.cache_hits,
        },
        "runtime": {
            "runs": models.runs,
            "turns": models.calls,
            "input_tokens_per_turn": models.input_tokens.checked_div(models.calls),
            "model_avg_ms": models.latency.avg_ms(),
            "model_p95_ms": models.latency.p95_ms,
            "call_avg_ms": total.calls.and_then(|calls| calls.latency.avg_ms()),
            "call_p95_ms": total.calls.and_then(|calls| calls.latency.p95_ms),
        },
        "groups": groups,
        "truncated": truncated,
    }))
}

fn sums(group: &UsageGroup) -> Value {
    let models = &group.models;
    let mut sums = json!({
        "model_calls": models.calls,
        "model_errors": models.errors,
        "cost": group.cost(),
        "input_tokens": models.input_tokens,
        "output_tokens": models.output_tokens,
        "reasoning_tokens": models.reasoning_tokens,
        "cost_mismatches": models.cost_mismatches,
    });
    if let Some(calls) = group.calls {
        sums["calls"] = calls.calls.into();
        sums["errors"] = calls.errors.into();
        sums["cached_calls"] = calls.cached.into();
    }
    sums
}

fn shown(group: &UsageGroup, by: &[Dimension]) -> Value {
    let key = &group.key;
    let mut shown = Map::new();
    for dimension in by {
        let value = match dimension {
            Dimension::Day => json!(group.day()),
            Dimension::Agent => json!(key.agent_id),
            Dimension::Tool => json!(key.tool),
            Dimension::Run => json!(key.run_id),
            Dimension::Provider => json!(key.provider),
            Dimension::Model => json!(key.model),
        };
        shown.insert(dimension.as_str().to_owned(), value);
    }
    if let Value::Object(sums) = sums(group) {
        shown.extend(sums);
    }
    shown.insert("cached_input_tokens".to_owned(), group.models.cached_input_tokens.into());
    Value::Object(shown)
}

/// A share to four digits; nothing where there is nothing to have a share of.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits")]
    let share = || (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0;
    (whole > 0).then(share)
}

fn refusal(error: RuleError) -> ToolError {
    match error {
        RuleError::NotFound(message) | RuleError::Forbidden(message) => {
            ToolError::denied(message).with_details(json!({"reason": "not_yours"}))
        }
        RuleError::Invalid(message) => ToolError::validation(message),
        other => ToolError::new(ErrorCode::Unknown, other.to_string()),
    }
}
