//! The bounds of one run. They hold for every call that belongs to it, whoever makes the call.

use toolgate_domain::{EgressClass, Evidence, Limits, Tool, Verdict, governance::Guard};

/// What a run may do, all told.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBounds {
    pub enabled_tools: Option<Vec<String>>,
    pub max_iterations: u64,
    pub max_tool_calls: u64,
    /// Absent: no bound.
    pub max_budget: Option<f64>,
    pub side_effects: EgressClass,
}

/// What a run has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTally {
    pub iterations: u64,
    pub tool_calls: u64,
    pub spent: f64,
}

impl RunBounds {
    /// The server's bounds, lowered by each guard; none can raise them.
    pub fn new<'a>(limits: &Limits, guards: impl IntoIterator<Item = &'a Guard>) -> Self {
        let mut bounds = Self {
            enabled_tools: None,
            max_iterations: limits.run_max_iterations,
            max_tool_calls: limits.run_max_tool_calls,
            max_budget: None,
            side_effects: EgressClass::Write,
        };
        for guard in guards {
            bounds.lower(guard);
        }
        bounds
    }

    fn lower(&mut self, guard: &Guard) {
        if let Some(tools) = &guard.enabled_tools {
            let both = |tool: &&String| self.enabled_tools.as_ref().is_none_or(|own| own.contains(tool));
            self.enabled_tools = Some(tools.iter().filter(both).cloned().collect());
        }
        self.max_iterations = self.max_iterations.min(guard.max_iterations.unwrap_or(u64::MAX));
        self.max_tool_calls = self.max_tool_calls.min(guard.max_tool_calls.unwrap_or(u64::MAX));
        self.max_budget = match (self.max_budget, guard.max_budget) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.side_effects = self.side_effects.min(guard.side_effects.unwrap_or(EgressClass::Write));
    }

    /// Why the run may not make this call; nothing when it may.
    pub(crate) fn objections(&self, tally: RunTally, tool: &Tool) -> Vec<Evidence> {
        let name = tool.spec.name.as_str();
        let mut found = Vec::new();
        let mut object = |rule: &str, because: String| {
            found.push(Evidence { rule: rule.to_owned(), verdict: Verdict::Deny, because });
        };
        if self.enabled_tools.as_ref().is_some_and(|tools| !tools.iter().any(|tool| tool == name)) {
            object(
                "guard.enabled_tools",
                format!("this run may not call {name}: it is not among its enabled tools"),
            );
        }
        if tool.spec.egress_class > self.side_effects {
            object(
                "guard.side_effects",
                format!(
                    "this run may go as far as {}, and {name} is of class {}",
                    self.side_effects.as_str(),
                    tool.spec.egress_class.as_str()
                ),
            );
        }
        if tally.tool_calls >= self.max_tool_calls {
            object(
                "guard.max_tool_calls",
                format!("this run has made {} calls, the most it may make", tally.tool_calls),
            );
        }
        if tally.iterations > self.max_iterations {
            object(
                "guard.max_iterations",
                format!(
                    "this run is in its iteration {}; it may have {}",
                    tally.iterations, self.max_iterations
                ),
            );
        }
        if let Some(budget) = self.max_budget
            && tally.spent >= budget
        {
            object("guard.max_budget", format!("this run has spent {} of {budget}", tally.spent));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_lowers_and_never_raises() {
        let limits = Limits::default();
        let generous = Guard { max_tool_calls: Some(1_000), max_iterations: Some(1_000), ..Guard::default() };
        let bounds = RunBounds::new(&limits, [&generous]);
        assert_eq!((bounds.max_iterations, bounds.max_tool_calls), (10, 25));
        let strict = Guard {
            enabled_tools: Some(vec!["a".into(), "b".into()]),
            max_tool_calls: Some(3),
            max_budget: Some(1.0),
            side_effects: Some(EgressClass::ReadOnly),
            ..Guard::default()
        };
        let other = Guard {
            enabled_tools: Some(vec!["b".into(), "c".into()]),
            max_budget: Some(2.0),
            ..Guard::default()
        };
        let bounds = RunBounds::new(&limits, [&strict, &other]);
        assert_eq!(bounds.enabled_tools, Some(vec!["b".to_owned()]), "a tool must be on every list");
        assert_eq!((bounds.max_tool_calls, bounds.max_budget), (3, Some(1.0)));
        assert_eq!(bounds.side_effects, EgressClass::ReadOnly);
    }
}
