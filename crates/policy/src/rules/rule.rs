//! One compiled rule.

use cel::Context;
use toolgate_domain::{Evidence, Verdict};

use super::{explain::Outcome, expression::Expression, facts::Facts, scope::Scope, selector::Selector};

pub(super) struct Rule {
    pub id: String,
    pub selector: Selector,
    pub when: Option<Expression>,
    pub verdict: Verdict,
    pub because: String,
}

impl Rule {
    /// Whether it says the same of every call of one tool by one caller, now and later.
    pub fn is_constant(&self) -> bool {
        self.when.as_ref().is_none_or(|when| !when.varies)
    }

    pub fn outcome(&self, root: &Context<'static, 'static>, facts: &Facts<'_>, scope: &Scope<'_>) -> Outcome {
        if let Some(because) = self.selector.refuses(facts) {
            return Outcome::NotACandidate { because: because.to_owned() };
        }
        match self.when.as_ref().map_or(Ok(true), |when| when.holds(root, scope)) {
            Ok(true) => Outcome::Matched,
            Ok(false) => Outcome::NotMatched,
            Err(because) => Outcome::Error { because },
        }
    }

    /// What the outcome says to the guard.
    pub fn evidence(&self, outcome: &Outcome) -> Option<Evidence> {
        let (verdict, because) = match outcome {
            Outcome::Matched => (self.verdict, self.because.clone()),
            Outcome::Error { because } if self.verdict != Verdict::Allow => (
                Verdict::Deny,
                format!("the rule could not be judged, and so the call is refused: {because}"),
            ),
            Outcome::Error { .. } | Outcome::NotMatched | Outcome::NotACandidate { .. } => return None,
        };
        Some(Evidence { rule: format!("policy:{}", self.id), verdict, because })
    }
}
