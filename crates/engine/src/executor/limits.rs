//! Limit: how often, how many a day, and for how much. Tool, agent, person and tenant each have their own accounts.

use std::sync::Arc;

use serde_json::json;
use toolgate_domain::{
    ErrorCode, Invocation, Timestamp, Tool, ToolError,
    governance::{Budget, Profile},
    quota::{Amount, Claim, QuotaDecision, Settlement, Window},
    rate::{RateDecision, RateLimit},
};

use super::prepare::Prepared;
use crate::{Engine, rules::TenantRules};

/// What a call took from the accounts before it began; it is settled when its cost is known.
#[derive(Default)]
pub(super) struct Taken(Vec<(Claim, toolgate_domain::Timestamp)>);

/// A rate that holds for this call: whose account, and what is said when it is used up.
struct Rate {
    account: String,
    limit: RateLimit,
    whose: String,
}

impl Engine {
    /// Every limit in turn, the narrowest first. What is refused by a later one was still counted by the earlier ones: a caller
    /// who hammers a closed door is slowed down.
    pub(super) async fn limit(&self, prepared: &mut Prepared, tool: &Tool) -> Result<(), ToolError> {
        let row = &prepared.invocation;
        let rules = self.rules.snapshot(row.tenant_id).await.map_err(|e| unchecked(&e))?;
        let standing = row.agent_id.and_then(|id| rules.agents.get(&id)).map(|standing| &**standing);
        let profile = standing.and_then(|standing| standing.assigned(tool).ok().flatten());
        for rate in rates(row, tool, &rules, profile) {
            self.check_rate(&rate).await?;
        }
        let claims = claims(row, tool, &rules, profile);
        prepared.profile_timeout_ms = profile.and_then(|profile| profile.timeout_ms);
        if claims.is_empty() {
            return Ok(());
        }
        let now = self.clock.now();
        match self.stores.quotas.take(&claims, now).await.map_err(|e| unchecked(&e))? {
            QuotaDecision::Taken => {
                prepared.taken = Taken(claims.into_iter().map(|claim| (claim, now)).collect());
                Ok(())
            }
            QuotaDecision::Exhausted { index_of_claim, spent, cap, retry_after_us } => {
                let error = match claims.get(index_of_claim) {
                    Some(claim) => exhausted(claim, row, spent, cap, claim.window.ends_at(now)),
                    None => ToolError::new(ErrorCode::RateLimit, "a limit of this call is used up"),
                };
                Err(error.retry_after(seconds(retry_after_us)))
            }
        }
    }

    async fn check_rate(&self, rate: &Rate) -> Result<(), ToolError> {
        match self.stores.rates.check(&rate.account, rate.limit, self.clock.now()).await {
            Ok(RateDecision::Allowed { .. }) => Ok(()),
            Ok(RateDecision::Limited { retry_after_us }) => {
                let message =
                    format!("{} allows {} calls in {} s", rate.whose, rate.limit.limit, rate.limit.window_s);
                Err(ToolError::new(ErrorCode::RateLimit, message).retry_after(seconds(retry_after_us)))
            }
            // A limit that cannot be checked is not a limit that may be ignored.
            Err(error) => Err(unchecked(&error)),
        }
    }

    /// What was taken becomes what it cost.
    pub(super) async fn settle_cost(&self, taken: Taken, cost: Option<f64>) {
        let settled: Vec<Settlement> = taken
            .0
            .iter()
            .map(|(claim, at)| {
                let cost = if is_money(claim) { money(cost.unwrap_or(0.0)) } else { claim.amount };
                claim.settled(*at, cost)
            })
            .collect();
        if settled.is_empty() {
            return;
        }
        if let Err(error) = self.stores.quotas.settle(&settled, self.clock.now()).await {
            tracing::error!(%error, "what a call cost could not be settled; its reservation stays");
        }
    }
}

/// The profile's and the tool's own rate, then the agent's, the person's and the tenant's. Most calls meet none of them, and then
/// nothing is put together for them.
fn rates(row: &Invocation, tool: &Tool, rules: &TenantRules, profile: Option<&Arc<Profile>>) -> Vec<Rate> {
    let mut rates = Vec::new();
    let (tenant, name, settings) = (row.tenant_id, &tool.spec.name, &rules.settings);
    if let (Some(profile), Some(agent)) = (profile, row.agent_id)
        && let Some(limit) = profile.rate_limit
    {
        let account = format!("{tenant}:{agent}:{name}");
        rates.push(Rate { account, limit, whose: format!("the profile {}", profile.name) });
    }
    if let Some(limit) = tool.spec.rate_limit {
        rates.push(Rate { account: format!("{tenant}:{name}"), limit, whose: name.to_string() });
    }
    if let (Some(agent), Some(limit)) = (row.agent_id, settings.agent_rate_limit) {
        rates.push(Rate {
            account: format!("{tenant}:{agent}"),
            limit,
            whose: "the agent's limit".to_owned(),
        });
    }
    if let (None, Some(limit)) = (row.agent_id, settings.user_rate_limit) {
        let account = format!("{tenant}:{}", row.caller);
        rates.push(Rate { account, limit, whose: "the limit of each caller".to_owned() });
    }
    if let Some(limit) = settings.rate_limit {
        rates.push(Rate { account: tenant.to_string(), limit, whose: "the tenant's limit".to_owned() });
    }
    rates
}

/// The daily quota of an agent, and the budgets of the agent with this tool, of the agent, and of the tenant.
fn claims(row: &Invocation, tool: &Tool, rules: &TenantRules, profile: Option<&Arc<Profile>>) -> Vec<Claim> {
    let (tenant, settings) = (row.tenant_id, &rules.settings);
    let mut claims = Vec::new();
    if let (Some(agent), Some(cap)) = (row.agent_id, settings.agent_daily_calls) {
        let cap = Amount::new(cap).unwrap_or(Amount::MAX);
        let account = format!("{tenant}:{agent}:calls");
        claims.push(Claim { account, window: Window::Day, amount: Amount::ONE, cap });
    }
    if let Some(agent) = row.agent_id {
        let of_tool = Budget { daily: profile.and_then(|profile| profile.cost_limit), monthly: None };
        claim_money(&mut claims, of_tool, || format!("{tenant}:{agent}:{}", tool.spec.name));
        claim_money(&mut claims, settings.agent_budget, || format!("{tenant}:{agent}"));
    }
    claim_money(&mut claims, settings.budget, || tenant.to_string());
    claims
}

/// What a call will cost is not known before; the smallest coin shows whether anything is left.
fn claim_money(claims: &mut Vec<Claim>, budget: Budget, whose: impl Fn() -> String) {
    for (window, cap) in [(Window::Day, budget.daily), (Window::Month, budget.monthly)] {
        if let Some(cap) = cap {
            let account = format!("{}:{MONEY}", whose());
            claims.push(Claim { account, window, amount: Amount::ONE, cap: money(cap) });
        }
    }
}

/// What a caller is told whose account is used up: which one, over which time, in which unit, and when it begins anew.
fn exhausted(claim: &Claim, row: &Invocation, spent: Amount, cap: Amount, renews_at: Timestamp) -> ToolError {
    let (window, period) = match claim.window {
        Window::Day => ("day", "today"),
        Window::Month => ("month", "this month"),
    };
    if !is_money(claim) {
        let message = format!(
            "the agent has made all {} calls that it may make {period}; it may go on at {renews_at}",
            cap.get()
        );
        return ToolError::new(ErrorCode::RateLimit, message).with_details(json!({
            "reason": "daily_quota_exceeded", "window": window, "unit": "calls", "cap": cap.get(), "renews_at": renews_at,
        }));
    }
    let tool = format!(":{}:{MONEY}", row.tool_name);
    let (budget, whose) = match row.agent_id {
        Some(_) if claim.account.ends_with(&tool) => {
            ("profile", format!("the agent's budget for {}", row.tool_name))
        }
        Some(agent) if claim.account.contains(&agent.to_string()) => {
            ("agent", "the agent's budget".to_owned())
        }
        _ => ("tenant", "the tenant's budget".to_owned()),
    };
    let amount = |micros: Amount| decimal(micros);
    let message = format!(
        "{whose} for {period} is spent: {} of {}; it renews at {renews_at}",
        amount(spent),
        amount(cap)
    );
    ToolError::denied(message).with_details(json!({
        "reason": "budget_exceeded", "budget": budget, "window": window, "unit": "cost",
        "spent": amount(spent), "cap": amount(cap), "renews_at": renews_at,
    }))
}

const MONEY: &str = "cost";

fn is_money(claim: &Claim) -> bool {
    claim.account.ends_with(MONEY)
}

/// Millionths, as people write money: at least two places.
fn decimal(micros: Amount) -> String {
    let (whole, part) = (micros.get() / 1_000_000, micros.get() % 1_000_000);
    let places = format!("{part:06}");
    let kept = places.trim_end_matches('0').len().max(2);
    format!("{whole}.{}", &places[..kept])
}

/// In millionths, rounded up: a cost is never lost by rounding.
fn money(amount: f64) -> Amount {
    let micros = (amount.max(0.0) * 1e6).ceil();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded from both sides")]
    let whole = if micros.is_finite() { micros.min(9e15) as u64 } else { u64::MAX };
    Amount::new(whole).unwrap_or(Amount::MAX)
}

fn seconds(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(1_000_000)
}

fn unchecked(error: &toolgate_store::StoreError) -> ToolError {
    tracing::error!(%error, "a limit cannot be checked");
    ToolError::new(ErrorCode::RateLimit, "a limit cannot be checked right now").retry_after(1)
}
