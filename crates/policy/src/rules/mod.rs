//! The tenant's own policy: a list of rules, each with a verdict and a condition in CEL.
//!
//! - **A rule can only make things stricter.** The guard takes the strictest verdict of all evidence, so the evidence
//!   of an `allow` rule documents a decision and never relaxes one.
//! - **Fail closed.** An `ask` or `deny` rule that cannot be judged (a missing key, a wrong type, too much work, a panic)
//!   denies, and says why. An `allow` rule that cannot be judged says nothing: it must not allow, and as it could not
//!   have changed the decision, its mistake is no reason to refuse the call.
//! - **Nothing unbounded.** Documents, expressions, loops, texts and patterns have the bounds of [`limits`]; the work of
//!   one judgement is metered, so that neither a rule nor an input can hold up the door.
//! - **Nothing but the facts.** No clock, no randomness, no network: the same facts always give the same evidence.

mod compile;
mod document;
mod error;
mod examples;
mod explain;
mod expression;
mod facts;
mod functions;
pub mod limits;
mod loops;
mod meter;
mod parse;
mod restrict;
mod rule;
mod scope;
mod selector;
mod set;
#[cfg(test)]
mod tests;
mod values;

pub use document::{
    ExampleAgent, ExampleCaller, ExampleContext, ExampleTime, ExampleTool, Examples, PolicyDocument, RuleSpec,
};
pub use error::PolicyError;
pub use explain::{Explanation, Outcome};
pub use facts::{AgentFacts, CallerFacts, CallerKind, Facts, TimeFacts, ToolFacts};
pub use set::PolicySet;
