//! Nobody widens themselves: the one rule that every change of tools, agents, rules, secrets, keys and people is held against, whichever
//! route, tool, command or import it comes by. What somebody may give is bounded beside each kind of change.

use toolgate_domain::Caller;

use super::RuleError;

pub(crate) const BY_AGENT: &str = "an agent changes no tools, agents, rules, secrets, keys or people, whatever its scopes are: it can \
    propose the change by a tool such as update_agent, which waits for a person";

/// Refuses an agent that no person agreed with.
pub(crate) fn must_change_powers(caller: &Caller) -> Result<(), RuleError> {
    if caller.may_change_powers() { Ok(()) } else { Err(RuleError::Forbidden(BY_AGENT.to_owned())) }
}
