//! What calls and models come to: by day, agent, tool, run, provider and model.

use std::collections::BTreeMap;

use toolgate_domain::{AgentId, Caller, RunId, Scope, Timestamp, usage::Dimension};
use toolgate_store::{CallTotals, ModelTotals, UsageKey, UsageQuery};

use crate::{Engine, RuleError};

/// How far back a report looks when nobody says.
const LOOKS_BACK_MS: i64 = 30 * DAY_MS;
/// The longest time that one report is about.
const MAX_DAYS: i64 = 366;
/// Groups of one report.
const MAX_GROUPS: usize = 1_000;
const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// What somebody wants to know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageRequest {
    /// The last 30 days when absent.
    pub from: Option<Timestamp>,
    /// Now when absent; not included.
    pub to: Option<Timestamp>,
    /// Without any, there is one group: all of it.
    pub by: Vec<Dimension>,
    pub agent_id: Option<AgentId>,
    pub tool: Option<String>,
    pub run_id: Option<RunId>,
    pub provider: Option<String>,
    pub model: Option<String>,
}

/// One group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsageGroup {
    pub key: UsageKey,
    /// Absent in a report that is about models: a call of a tool has none.
    pub calls: Option<CallTotals>,
    pub models: ModelTotals,
}

impl UsageGroup {
    /// What it cost, all told.
    pub fn cost(&self) -> f64 {
        self.models.cost + self.calls.map_or(0.0, |calls| calls.cost)
    }

    /// The day of the group as it is written, `2026-12-31`.
    pub fn day(&self) -> Option<String> {
        let start = |days: i64| Timestamp::EPOCH.plus_ms(days.saturating_mul(DAY_MS)).to_string();
        self.key.day.map(|day| start(day.0).chars().take_while(|c| *c != 'T').collect())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct UsageReport {
    pub from: Timestamp,
    pub to: Timestamp,
    pub by: Vec<Dimension>,
    /// The newest days first.
    pub groups: Vec<UsageGroup>,
    /// There are more groups than one report has.
    pub truncated: bool,
}

impl Engine {
    /// What calls and models come to. An agent is told of itself alone; anybody else who may read the receipts, of the tenant.
    pub async fn usage(&self, caller: &Caller, mut request: UsageRequest) -> Result<UsageReport, RuleError> {
        match caller.agent_id {
            Some(own) if request.agent_id.is_some_and(|asked| asked != own) => {
                return Err(RuleError::Forbidden("an agent is told of its own usage alone".to_owned()));
            }
            Some(own) => request.agent_id = Some(own),
            None if caller.may(Scope::InvocationsRead) => {}
            None => {
                let message = "usage is told to those who may read invocations (`invocations.tenant.read`)";
                return Err(RuleError::Forbidden(message.to_owned()));
            }
        }
        let to = request.to.unwrap_or_else(|| self.clock.now().plus_ms(1));
        let from = request.from.unwrap_or_else(|| to.plus_ms(-LOOKS_BACK_MS));
        if from >= to {
            return Err(RuleError::Invalid(format!("the time from {from} to {to} has no length")));
        }
        if to.as_millis().saturating_sub(from.as_millis()) > MAX_DAYS * DAY_MS {
            return Err(RuleError::Invalid(format!(
                "a report is about {MAX_DAYS} days at most: ask for less"
            )));
        }
        let query = UsageQuery {
            from,
            to,
            by: request.by,
            agent_id: request.agent_id,
            tool: request.tool,
            run_id: request.run_id,
            provider: request.provider,
            model: request.model,
            limit: MAX_GROUPS + 1,
        };
        let (tenant, meter) = (caller.tenant_id, &self.stores.meter);
        let models = meter.model_totals(tenant, &query).await?;
        let calls = if query.is_of_models() { None } else { Some(meter.call_totals(tenant, &query).await?) };
        let (mut groups, truncated) = joined(models, calls);
        groups.truncate(MAX_GROUPS);
        Ok(UsageReport { from, to, by: query.by, groups, truncated })
    }
}

/// Both sides come in the order of their keys, each to its limit: what is first in both together is in at least one of them.
fn joined(
    models: Vec<(UsageKey, ModelTotals)>,
    calls: Option<Vec<(UsageKey, CallTotals)>>,
) -> (Vec<UsageGroup>, bool) {
    let has_calls = calls.as_ref().map(|_| CallTotals::default());
    let mut groups: BTreeMap<UsageKey, UsageGroup> = BTreeMap::new();
    let blank = |key: &UsageKey| UsageGroup { key: key.clone(), calls: has_calls, ..UsageGroup::default() };
    for (key, totals) in models {
        groups.entry(key.clone()).or_insert_with(|| blank(&key)).models = totals;
    }
    for (key, totals) in calls.into_iter().flatten() {
        groups.entry(key.clone()).or_insert_with(|| blank(&key)).calls = Some(totals);
    }
    let truncated = groups.len() > MAX_GROUPS;
    (groups.into_values().collect(), truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_sides_of_a_group_become_one_line_in_the_order_of_the_keys() {
        let key = |tool: &str| UsageKey { tool: Some(tool.into()), ..UsageKey::default() };
        let asked = |calls| ModelTotals { calls, cost: 0.5, ..ModelTotals::default() };
        let called = |calls| CallTotals { calls, cost: 0.25, ..CallTotals::default() };
        let models = vec![(key("a"), asked(1)), (key("c"), asked(2))];
        let calls = vec![(key("b"), called(3)), (key("c"), called(4))];
        let (groups, truncated) = joined(models.clone(), Some(calls));
        let shown: Vec<_> = groups
            .iter()
            .map(|group| (group.models.calls, group.calls.unwrap().calls, group.cost()))
            .collect();
        assert_eq!((shown, truncated), (vec![(1, 0, 0.5), (0, 3, 0.25), (2, 4, 0.75)], false));
        assert!(joined(models, None).0.iter().all(|group| group.calls.is_none()));
    }

    #[test]
    fn a_day_is_written_as_a_date() {
        let group = |day| UsageGroup {
            key: UsageKey { day: Some(std::cmp::Reverse(day)), ..UsageKey::default() },
            ..UsageGroup::default()
        };
        assert_eq!(group(20_370).day().as_deref(), Some("2025-10-09"));
        assert_eq!(UsageGroup::default().day(), None);
    }
}
