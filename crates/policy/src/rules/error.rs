//! What is wrong with a document, where, and what to do about it.

use serde::Serialize;

use super::limits::MAX_QUOTED_CHARS;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}{place}: {problem}; {fix}", self.rule.as_ref().map(|id| format!("rule `{id}`, ")).unwrap_or_default())]
pub struct PolicyError {
    /// The rule's id, as written; absent when the document as a whole is at fault.
    pub rule: Option<String>,
    /// `document`, or a path such as `rules[3].when`.
    pub place: String,
    pub problem: String,
    /// What makes it right, in the imperative.
    pub fix: String,
}

impl PolicyError {
    pub(super) fn document(problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { rule: None, place: "document".to_owned(), problem: problem.into(), fix: fix.into() }
    }
}

/// A problem inside a rule, before it knows which rule it is in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    pub problem: String,
    pub fix: String,
}

impl Flaw {
    pub fn new(problem: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { problem: problem.into(), fix: fix.into() }
    }

    pub fn at(self, rule: &str, place: String) -> PolicyError {
        PolicyError { rule: Some(quoted(rule)), place, problem: self.problem, fix: self.fix }
    }
}

/// The beginning of a foreign text: errors must not grow with what they complain about.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
