//! All rules of a tenant, compiled, and indexed so that a call only meets the rules that could be about it.

use std::{collections::HashMap, fmt};

use cel::Context;
use toolgate_domain::Evidence;

use super::{explain::Explanation, facts::Facts, rule::Rule, scope::Scope, selector::ToolPattern};

/// Immutable; share it between threads.
pub struct PolicySet {
    rules: Vec<Rule>,
    /// Rules that list the tool by its full name, in order.
    by_name: HashMap<String, Vec<usize>>,
    /// Rules with a pattern, or for all tools, in order.
    open: Vec<usize>,
    root: Context<'static, 'static>,
    version: String,
}

impl PolicySet {
    pub(super) fn new(rules: Vec<Rule>, root: Context<'static, 'static>, version: String) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut open = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            match exact_names(rule) {
                None => open.push(index),
                Some(names) => {
                    for name in names {
                        let listed = by_name.entry(name.to_owned()).or_default();
                        // The same name twice in one rule is still one rule.
                        if listed.last() != Some(&index) {
                            listed.push(index);
                        }
                    }
                }
            }
        }
        Self { rules, by_name, open, root, version }
    }

    /// The evidence of every rule that matched, or that could not be judged, in the document's order.
    pub fn judge(&self, facts: &Facts<'_>) -> Vec<Evidence> {
        let scope = Scope::new(facts);
        self.candidates(&facts.tool.name)
            .filter_map(|rule| rule.evidence(&rule.outcome(&self.root, facts, &scope)))
            .collect()
    }

    /// The evidence that every call of the tool by this caller meets, whatever its input and whenever it comes.
    pub fn judge_always(&self, facts: &Facts<'_>) -> Vec<Evidence> {
        let scope = Scope::new(facts);
        self.candidates(&facts.tool.name)
            .filter(|rule| rule.is_constant())
            .filter_map(|rule| rule.evidence(&rule.outcome(&self.root, facts, &scope)))
            .collect()
    }

    /// What every rule makes of the call. The evidence in it is what [`Self::judge`] returns.
    pub fn explain(&self, facts: &Facts<'_>) -> Vec<Explanation> {
        let scope = Scope::new(facts);
        self.rules
            .iter()
            .map(|rule| {
                let outcome = rule.outcome(&self.root, facts, &scope);
                let evidence = rule.evidence(&outcome);
                Explanation { rule: rule.id.clone(), verdict: rule.verdict, outcome, evidence }
            })
            .collect()
    }

    /// The SHA-256 of the document's canonical JSON, in hex: what a decision was made by.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules at `by_name` and `open`, merged back into the document's order. A rule is in one of the two only.
    fn candidates(&self, tool: &str) -> impl Iterator<Item = &Rule> {
        let mut named = self.by_name.get(tool).map_or(&[][..], Vec::as_slice).iter().copied().peekable();
        let mut open = self.open.iter().copied().peekable();
        std::iter::from_fn(move || match (named.peek(), open.peek()) {
            (Some(a), Some(b)) if a < b => named.next(),
            (Some(_), None) => named.next(),
            _ => open.next(),
        })
        .filter_map(|index| self.rules.get(index))
    }
}

/// The full names that a rule lists; `None` when names alone do not say which tools it covers.
fn exact_names(rule: &Rule) -> Option<Vec<&str>> {
    let patterns = rule.selector.tools.as_ref()?;
    patterns
        .iter()
        .map(|pattern| match pattern {
            ToolPattern::Exact(name) => Some(name.as_str()),
            ToolPattern::Glob(_) => None,
        })
        .collect()
}

impl fmt::Debug for PolicySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicySet").field("version", &self.version).field("rules", &self.rules.len()).finish()
    }
}
