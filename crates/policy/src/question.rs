use serde_json::Value;
use toolgate_domain::{Caller, Surface, Timestamp, Tool, governance::ApprovalTerms};

use crate::{RunBounds, RunTally, Standing, rules::PolicySet};

/// Everything that a decision looks at.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub caller: &'a Caller,
    pub tool: &'a Tool,
    pub input: &'a Value,
    pub surface: Surface,
    pub now: Timestamp,
    /// How the calling agent stands; absent for people and programs.
    pub agent: Option<&'a Standing>,
    /// The tenant's own rules.
    pub policy: Option<&'a PolicySet>,
    /// Who must agree to calls of this tool, if the tenant said so.
    pub terms: Option<ApprovalTerms>,
    /// What the run may do, and what it has done; absent outside a run.
    pub run: Option<(&'a RunBounds, RunTally)>,
}

impl<'a> Question<'a> {
    /// A call by a person or a program, outside any run, where the tenant has no rules of its own.
    pub fn plain(
        caller: &'a Caller,
        tool: &'a Tool,
        input: &'a Value,
        surface: Surface,
        now: Timestamp,
    ) -> Self {
        Self { caller, tool, input, surface, now, agent: None, policy: None, terms: None, run: None }
    }
}
