//! What a tenant decides for itself, and about single tools.

use toolgate_domain::{
    Caller,
    governance::{TenantSettings, ToolSettings},
    rate::RateLimit,
};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told};

impl Rules {
    pub async fn settings(&self, caller: &Caller) -> Result<TenantSettings, RuleError> {
        Ok(self.snapshot(caller.tenant_id).await?.settings.clone())
    }

    pub async fn set_settings(&self, caller: &Caller, settings: TenantSettings) -> Result<(), RuleError> {
        let amounts = [
            settings.guard.max_budget,
            settings.budget.daily,
            settings.budget.monthly,
            settings.agent_budget.daily,
            settings.agent_budget.monthly,
        ];
        if amounts.into_iter().flatten().any(|amount| !amount.is_finite() || amount < 0.0) {
            return Err(RuleError::Invalid("budgets are numbers of at least 0".to_owned()));
        }
        let rates = [settings.rate_limit, settings.agent_rate_limit, settings.user_rate_limit];
        rates.into_iter().flatten().try_for_each(check_rate)?;
        let told = Told { action: "settings.update", target: caller.tenant_id.to_string() };
        self.put(caller, Kind::Setting, "settings", &settings, told).await
    }

    pub async fn tool_settings(&self, caller: &Caller, tool: &str) -> Result<ToolSettings, RuleError> {
        Ok(self.snapshot(caller.tenant_id).await?.tools.get(tool).cloned().unwrap_or_default())
    }

    /// In the installation's own tenant, `enabled` concerns every tenant.
    pub async fn set_tool_settings(
        &self,
        caller: &Caller,
        tool: &str,
        mut settings: ToolSettings,
    ) -> Result<(), RuleError> {
        if settings.approval.is_some_and(|terms| !(1..=20).contains(&terms.quorum)) {
            return Err(RuleError::Invalid("approval.quorum is 1 to 20 people".to_owned()));
        }
        let old = self.tool_settings(caller, tool).await?.approval;
        settings.approval = settings.approval.map(|terms| terms.set_by(caller.user_id(), old));
        let told = Told { action: "tool.settings", target: tool.to_owned() };
        self.put(caller, Kind::Switch, tool, &settings, told).await
    }
}

/// How many calls run at a time is the tool's own business; everybody else limits how often.
pub(super) fn check_rate(rate: RateLimit) -> Result<(), RuleError> {
    if rate.concurrency.is_some() {
        return Err(RuleError::Invalid("concurrency belongs to the tool's own rate_limit".to_owned()));
    }
    if !rate.is_sound() {
        return Err(RuleError::Invalid(format!("a rate limit {}", RateLimit::SOUND)));
    }
    Ok(())
}
