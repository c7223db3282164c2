//! Which calls a rule is about, decided without looking at its expression.

use toolgate_domain::{AgentId, EgressClass};

use super::{error::Flaw, facts::Facts};

/// The cheap half of a rule: tool, agent and egress class.
#[derive(Debug)]
pub(super) struct Selector {
    /// `None` means every tool.
    pub tools: Option<Vec<ToolPattern>>,
    pub agents: Option<Vec<AgentId>>,
    pub egress: Option<Vec<EgressClass>>,
}

impl Selector {
    /// Why the call is none of the rule's business; `None` when it is.
    pub fn refuses(&self, facts: &Facts<'_>) -> Option<&'static str> {
        let name = facts.tool.name.as_ref();
        if self.tools.as_ref().is_some_and(|all| !all.iter().any(|one| one.covers(name))) {
            return Some("the rule names other tools");
        }
        if self.egress.as_ref().is_some_and(|all| !all.contains(&facts.tool.egress_class)) {
            return Some("the rule names other egress classes");
        }
        let agent = facts.agent.as_ref().map(|agent| agent.id);
        if self.agents.as_ref().is_some_and(|all| !agent.is_some_and(|id| all.contains(&id))) {
            return Some("the rule names other agents");
        }
        None
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ToolPattern {
    Exact(String),
    /// The texts between the `*`s; the first and the last are anchored.
    Glob(Vec<String>),
}

impl ToolPattern {
    pub fn parse(text: &str) -> Result<Self, Flaw> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '*');
        if text.is_empty() || text.len() > 64 || !text.chars().all(allowed) {
            return Err(Flaw::new(
                format!("`{}` is neither a tool's name nor a pattern", super::error::quoted(text)),
                "write a name such as `send_mail`, or use `*` for any run of characters: `send_*`",
            ));
        }
        if text.contains('*') {
            Ok(Self::Glob(text.split('*').map(str::to_owned).collect()))
        } else {
            Ok(Self::Exact(text.to_owned()))
        }
    }

    /// Linear: each part is taken at its first place, which is never worse than a later one.
    pub fn covers(&self, name: &str) -> bool {
        let parts = match self {
            Self::Exact(exact) => return exact == name,
            Self::Glob(parts) => parts,
        };
        let [first, middle @ .., last] = parts.as_slice() else { return false };
        let Some(mut rest) = name.strip_prefix(first.as_str()) else { return false };
        for part in middle {
            match rest.split_once(part.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last.as_str())
    }

    /// A name that the pattern covers, for examples that leave the name out.
    pub fn sample(&self) -> String {
        match self {
            Self::Exact(exact) => exact.clone(),
            Self::Glob(parts) => parts.concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("send_*", "send_mail", true)]
    #[case("send_*", "send_", true)]
    #[case("send_*", "resend_mail", false)]
    #[case("*_mail", "send_mail", true)]
    #[case("*_mail", "send_mails", false)]
    #[case("a*b*c", "a-b-c", true)]
    #[case("a*b*c", "acb", false)]
    #[case("a*a", "a", false)]
    #[case("*", "anything", true)]
    #[case("send", "send_mail", false)]
    fn a_star_stands_for_any_run_of_characters(
        #[case] pattern: &str,
        #[case] name: &str,
        #[case] fits: bool,
    ) {
        let pattern = ToolPattern::parse(pattern).unwrap();
        assert_eq!(pattern.covers(name), fits);
        assert!(pattern.covers(&pattern.sample()));
    }

    #[test]
    fn what_cannot_be_a_name_is_refused() {
        for text in ["", "a b", "send_?", "café", &"a".repeat(65)] {
            assert!(ToolPattern::parse(text).is_err(), "{text}");
        }
    }
}
