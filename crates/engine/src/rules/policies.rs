//! The tenant's policy: every version is kept, the newest is in force, and a candidate can be tried on past calls.

use serde::{Deserialize, Serialize};
use toolgate_domain::{Caller, Decision, InvocationId, PolicyId, Timestamp, Verdict};
use toolgate_policy::rules::{PolicyDocument, PolicySet};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told};

/// One version of a tenant's policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyVersion {
    pub id: PolicyId,
    /// SHA-256 of the document's canonical JSON: what decisions are recorded with.
    pub version: String,
    pub document: PolicyDocument,
    pub created_by: String,
    pub created_at: Timestamp,
}

/// A recorded decision that a candidate policy would have made otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayedDecision {
    pub invocation_id: InvocationId,
    pub tool: String,
    pub caller: String,
    pub created_at: Timestamp,
    pub was: Decision,
    pub would_be: Decision,
}

/// What a candidate policy would have changed. Nothing was executed.
#[derive(Clone, Debug, Serialize)]
pub struct Replay {
    pub version: String,
    pub judged: usize,
    /// Calls whose tool is gone: nobody can say.
    pub skipped: usize,
    pub allow_to_ask: usize,
    pub allow_to_deny: usize,
    pub other: usize,
    pub changes: Vec<ReplayedDecision>,
}

impl Replay {
    pub(crate) fn new(version: &str) -> Self {
        let version = version.to_owned();
        Self { version, judged: 0, skipped: 0, allow_to_ask: 0, allow_to_deny: 0, other: 0, changes: vec![] }
    }

    pub(crate) fn note(&mut self, change: ReplayedDecision) {
        match (change.was.verdict, change.would_be.verdict) {
            (Verdict::Allow, Verdict::Ask) => self.allow_to_ask += 1,
            (Verdict::Allow, Verdict::Deny) => self.allow_to_deny += 1,
            _ => self.other += 1,
        }
        self.changes.push(change);
    }
}

/// A document that compiles and whose examples hold; otherwise why not.
pub(crate) fn compiled(document: &PolicyDocument) -> Result<PolicySet, RuleError> {
    PolicySet::compile(document).map_err(|errors| {
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        RuleError::Invalid(errors.join("; "))
    })
}

impl Rules {
    /// All versions, newest first; the first is in force.
    pub async fn policies(&self, caller: &Caller) -> Result<Vec<PolicyVersion>, RuleError> {
        let mut all: Vec<PolicyVersion> = self.read_all(caller.tenant_id, Kind::Policy).await?;
        all.reverse();
        Ok(all)
    }

    /// Puts a policy in force. What does not compile, or whose examples do not hold, is refused and changes nothing.
    pub async fn put_policy(
        &self,
        caller: &Caller,
        document: PolicyDocument,
    ) -> Result<PolicyVersion, RuleError> {
        let version = compiled(&document)?.version().to_owned();
        let newest = self.policies(caller).await?.into_iter().next();
        if let Some(same) = newest.as_ref().filter(|newest| newest.version == version) {
            return Ok(same.clone());
        }
        let id = PolicyId::generate(&*self.ids);
        let (created_by, created_at) = (caller.principal.to_string(), self.clock.now());
        let policy = PolicyVersion { id, version, document, created_by, created_at };
        let told = Told { action: "policy.put", target: policy.version.clone() };
        let taken = || "somebody else put a policy in force at the same moment: look at it again".to_owned();
        // An older document may come back into force, so the name is the id and not the hash.
        self.add(caller, Kind::Policy, (id.uuid(), &id.to_string()), &policy, told, taken).await?;
        Ok(policy)
    }
}
