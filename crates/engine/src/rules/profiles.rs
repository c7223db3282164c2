use serde::Deserialize;
use toolgate_domain::{
    Caller, ProfileId,
    governance::{ApprovalTerms, Profile},
    rate::RateLimit,
};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told, settings::check_rate};

/// A profile as somebody wants it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSpec {
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub requires_approval: bool,
    #[serde(default)]
    pub approval: Option<ApprovalTerms>,
    #[serde(default)]
    pub cost_limit: Option<f64>,
    #[serde(default)]
    pub rate_limit: Option<RateLimit>,
    #[serde(default)]
    pub timeout_ms: Option<u64>,
}

impl ProfileSpec {
    fn with_id(self, id: ProfileId) -> Result<Profile, RuleError> {
        let refuse = |message: &str| Err(RuleError::Invalid(message.to_owned()));
        if self.name.trim().is_empty() || self.name.chars().count() > 100 || self.description.len() > 2_000 {
            return refuse("a profile has a name of 1 to 100 characters, and a description of at most 2000");
        }
        if self.cost_limit.is_some_and(|limit| !limit.is_finite() || limit < 0.0) {
            return refuse("cost_limit is a number of at least 0");
        }
        if self.approval.is_some_and(|terms| !(1..=20).contains(&terms.quorum)) {
            return refuse("approval.quorum is 1 to 20 people");
        }
        self.rate_limit.map_or(Ok(()), check_rate)?;
        if self.timeout_ms == Some(0) {
            return refuse("timeout_ms is at least 1");
        }
        Ok(Profile {
            id,
            name: self.name.trim().to_owned(),
            description: self.description,
            requires_approval: self.requires_approval,
            approval: self.approval,
            cost_limit: self.cost_limit,
            rate_limit: self.rate_limit,
            timeout_ms: self.timeout_ms,
        })
    }
}

impl Rules {
    pub async fn profiles(&self, caller: &Caller) -> Result<Vec<Profile>, RuleError> {
        let mut all: Vec<Profile> = self.read_all(caller.tenant_id, Kind::Profile).await?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// By id or by name.
    pub async fn find_profile(&self, caller: &Caller, reference: &str) -> Result<Profile, RuleError> {
        let id = reference.parse::<ProfileId>().ok();
        let found =
            self.profiles(caller).await?.into_iter().find(|p| Some(p.id) == id || p.name == reference);
        found.ok_or_else(|| RuleError::missing("profile", reference))
    }

    pub async fn create_profile(&self, caller: &Caller, spec: ProfileSpec) -> Result<Profile, RuleError> {
        let mut profile = spec.with_id(ProfileId::generate(&*self.ids))?;
        profile.approval = profile.approval.map(|terms| terms.set_by(caller.user_id(), None));
        let told = Told { action: "profile.create", target: profile.id.to_string() };
        let taken = || format!("there is a profile `{}` already", profile.name);
        self.add(caller, Kind::Profile, (profile.id.uuid(), &profile.name), &profile, told, taken).await?;
        Ok(profile)
    }

    pub async fn update_profile(
        &self,
        caller: &Caller,
        id: ProfileId,
        spec: ProfileSpec,
    ) -> Result<Profile, RuleError> {
        let old = self.read::<Profile>(caller.tenant_id, Kind::Profile, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("profile", id))?;
        let mut profile = spec.with_id(id)?;
        profile.approval = profile.approval.map(|terms| terms.set_by(caller.user_id(), old.value.approval));
        let told = Told { action: "profile.update", target: id.to_string() };
        self.replace(caller, old, &profile.name, &profile, told).await?;
        Ok(profile)
    }

    /// A profile that is in use stays: without it, its assignments would be denied.
    pub async fn delete_profile(&self, caller: &Caller, id: ProfileId) -> Result<(), RuleError> {
        let old = self.read::<Profile>(caller.tenant_id, Kind::Profile, id.uuid()).await?;
        let old = old.ok_or_else(|| RuleError::missing("profile", id))?;
        let rules = self.snapshot(caller.tenant_id).await?;
        let used = rules
            .agents
            .values()
            .flat_map(|standing| standing.assignments.values())
            .filter(|assigned| assigned.profile.as_ref().is_some_and(|profile| profile.id == id))
            .count();
        if used > 0 {
            let uses = if used == 1 { "one assignment uses" } else { &format!("{used} assignments use") };
            return Err(RuleError::Conflict(format!("{uses} this profile: change that first")));
        }
        self.remove(caller, old, Told { action: "profile.delete", target: id.to_string() }).await
    }
}
