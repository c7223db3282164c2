//! What an agent may do on its own, and how often a day.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The key of a daily quota that holds for all actions of an agent together.
pub const ALL_ACTIONS: &str = "*";

/// The longest name of an action, in characters.
pub const MAX_ACTION_CHARS: usize = 64;

const MAX_ENTRIES: usize = 1_000;

/// The terms on which an agent acts. Absent means: whatever its tools allow, as often as they do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionRules {
    /// The only actions that it may take; absent means all that it may otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<Vec<String>>,
    /// Actions that it may not take, whatever else is said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<String>,
    /// Successes in a day (UTC), by action; `*` is for all actions together.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub daily_quota: BTreeMap<String, u64>,
}

/// Why the terms refuse an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionRefusal {
    Blocked,
    NotAllowed,
}

impl ActionRefusal {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Blocked => "action_blocked",
            Self::NotAllowed => "action_not_allowed",
        }
    }
}

impl ActionRules {
    /// Weighs an action that is known by several names: an alias, and the tool that it stands for. A name that is blocked blocks the
    /// others as well.
    pub fn weigh(&self, names: &[&str]) -> Result<(), ActionRefusal> {
        let named = |list: &[String]| list.iter().any(|entry| names.contains(&entry.as_str()));
        if named(&self.blocked) {
            return Err(ActionRefusal::Blocked);
        }
        match &self.allowed {
            Some(allowed) if !named(allowed) => Err(ActionRefusal::NotAllowed),
            _ => Ok(()),
        }
    }

    /// How often a day it may succeed: by any of its names (the least counts), and together with all other actions.
    pub fn caps(&self, names: &[&str]) -> ActionCaps {
        ActionCaps {
            of_kind: names.iter().filter_map(|name| self.daily_quota.get(*name)).min().copied(),
            of_all: self.daily_quota.get(ALL_ACTIONS).copied(),
        }
    }

    /// What is wrong with the terms themselves.
    pub fn complaint(&self) -> Option<String> {
        let lists = self.allowed.iter().chain(std::iter::once(&self.blocked));
        let longest = lists.clone().map(Vec::len).max().unwrap_or_default().max(self.daily_quota.len());
        if longest > MAX_ENTRIES {
            return Some(format!("actions: a list or quota has at most {MAX_ENTRIES} entries"));
        }
        let is_name = |name: &str| (1..=MAX_ACTION_CHARS).contains(&name.chars().count());
        let mut names = lists.flatten().chain(self.daily_quota.keys());
        names.find(|name| !is_name(name)).map(|name| {
            let shown: String = name.chars().take(MAX_ACTION_CHARS).collect();
            format!("actions: `{shown}` is no action: its name has 1 to {MAX_ACTION_CHARS} characters")
        })
    }
}

/// Successes in a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCaps {
    pub of_kind: Option<u64>,
    pub of_all: Option<u64>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules(document: serde_json::Value) -> ActionRules {
        serde_json::from_value(document).unwrap()
    }

    #[test]
    fn without_terms_every_action_is_allowed_and_none_is_counted() {
        let rules = rules(json!({}));
        assert_eq!(rules.weigh(&["vote"]), Ok(()));
        assert_eq!(rules.caps(&["vote"]), ActionCaps::default());
        assert_eq!(json!(rules), json!({}));
    }

    #[test]
    fn what_is_blocked_stays_blocked_by_every_name() {
        let rules = rules(json!({"allowed": ["vote", "ballot"], "blocked": ["cast_vote"]}));
        assert_eq!(rules.weigh(&["ballot"]), Ok(()));
        assert_eq!(rules.weigh(&["vote", "cast_vote"]), Err(ActionRefusal::Blocked));
        assert_eq!(rules.weigh(&["comment"]), Err(ActionRefusal::NotAllowed));
    }

    #[test]
    fn an_alias_has_no_quota_of_its_own() {
        let rules = rules(json!({"daily_quota": {"vote": 3, "cast_vote": 2, "*": 9}}));
        assert_eq!(rules.caps(&["vote", "cast_vote"]), ActionCaps { of_kind: Some(2), of_all: Some(9) });
        assert_eq!(rules.caps(&["comment"]), ActionCaps { of_kind: None, of_all: Some(9) });
    }

    #[test]
    fn terms_that_nobody_could_mean_are_told() {
        assert_eq!(rules(json!({"blocked": ["a"], "daily_quota": {"*": 0}})).complaint(), None);
        assert!(rules(json!({"blocked": [""]})).complaint().is_some());
        assert!(rules(json!({"daily_quota": {"x".repeat(65): 1}})).complaint().is_some());
        assert!(rules(json!({"allowed": vec!["a"; 1_001]})).complaint().is_some());
        assert!(serde_json::from_value::<ActionRules>(json!({"daily_quota": {"a": -1}})).is_err());
        assert!(serde_json::from_value::<ActionRules>(json!({"quota": {}})).is_err());
    }
}
