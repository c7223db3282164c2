//! The lock: a tool of an upstream is called as it was accepted, or not at all.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::UpstreamTool;
use crate::{
    ids::UpstreamId,
    json::{CanonicalError, canonical_bytes, sha256_hex},
    time::Timestamp,
};

/// Whether an imported tool may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LockState {
    /// The server offers it as it was accepted.
    Accepted,
    /// The server offers something else than what was accepted.
    Quarantined,
    /// The server does not offer it any more.
    Gone,
    /// Nobody accepted it yet.
    New,
    /// It cannot be imported, whoever agrees; `problem` says why.
    Unusable,
}

impl LockState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Quarantined => "quarantined",
            Self::Gone => "gone",
            Self::New => "new",
            Self::Unusable => "unusable",
        }
    }
}

/// A definition that somebody agreed to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcceptedTool {
    pub definition: UpstreamTool,
    pub digest: String,
    /// Who agreed.
    pub by: String,
    pub at: Timestamp,
}

/// A definition that waits for somebody to agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PendingTool {
    pub definition: UpstreamTool,
    pub digest: String,
    pub seen_at: Timestamp,
    /// Somebody said no to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected_by: Option<String>,
}

/// What is known and agreed of one tool of an upstream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ToolLock {
    pub upstream_id: UpstreamId,
    /// By the server's own word.
    pub tool: String,
    /// What it is called here.
    pub name: String,
    /// The version under which what was accepted is registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub state: LockState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<AcceptedTool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingTool>,
    /// Why what the server offers now cannot be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What was seen of a tool when its server was asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Sighting {
    Sound {
        definition: UpstreamTool,
        digest: String,
    },
    /// Why it cannot be used.
    Unusable(String),
    Absent,
}

impl UpstreamTool {
    /// SHA-256 over the canonical JSON of all that is locked.
    pub fn digest(&self) -> Result<String, CanonicalError> {
        let Self { name, title, description, input_schema, output_schema, annotations } = self;
        let locked = json!({
            "name": name, "title": title, "description": description, "input_schema": input_schema,
            "output_schema": output_schema, "annotations": annotations,
        });
        canonical_bytes(&locked).map(|bytes| sha256_hex(&bytes))
    }
}

impl ToolLock {
    /// The lock of a tool that nobody agreed to yet.
    pub fn fresh(upstream_id: UpstreamId, tool: &str, name: &str) -> Self {
        Self {
            upstream_id,
            tool: tool.to_owned(),
            name: name.to_owned(),
            version: None,
            state: LockState::New,
            accepted: None,
            pending: None,
            problem: None,
        }
    }

    /// The lock after its tool was seen so. What was accepted stays accepted; what differs from it waits.
    #[must_use]
    pub fn after(mut self, sighting: Sighting, now: Timestamp) -> Self {
        let known = self.accepted.as_ref().map(|accepted| accepted.digest.clone());
        self.problem = None;
        match sighting {
            Sighting::Sound { digest, .. } if known.as_ref() == Some(&digest) => {
                (self.state, self.pending) = (LockState::Accepted, None);
            }
            Sighting::Sound { definition, digest } => {
                self.state = if known.is_some() { LockState::Quarantined } else { LockState::New };
                // What was seen before keeps its time, and the no that somebody said to it.
                if self.pending.as_ref().is_none_or(|pending| pending.digest != digest) {
                    self.pending = Some(PendingTool { definition, digest, seen_at: now, rejected_by: None });
                }
            }
            Sighting::Unusable(problem) => {
                self.state = if known.is_some() { LockState::Quarantined } else { LockState::Unusable };
                (self.pending, self.problem) = (None, Some(problem));
            }
            Sighting::Absent => (self.state, self.pending) = (LockState::Gone, None),
        }
        self
    }

    /// The lock after somebody agreed to what waits; nothing when that is not what they saw.
    #[must_use]
    pub fn accepting(mut self, digest: &str, by: &str, now: Timestamp) -> Option<Self> {
        let pending = self.pending.take().filter(|pending| pending.digest == digest)?;
        let PendingTool { definition, digest, .. } = pending;
        self.accepted = Some(AcceptedTool { definition, digest, by: by.to_owned(), at: now });
        (self.state, self.problem) = (LockState::Accepted, None);
        Some(self)
    }

    /// The lock after its terms changed so that what was accepted has to be accepted once more.
    #[must_use]
    pub fn reopened(mut self, now: Timestamp) -> Self {
        if let Some(AcceptedTool { definition, digest, .. }) = self.accepted.take() {
            self.pending.get_or_insert(PendingTool { definition, digest, seen_at: now, rejected_by: None });
            self.state = LockState::New;
        }
        self
    }

    /// The lock after somebody said no to what waits. What was accepted is not what the server does any more, so it stays shut.
    #[must_use]
    pub fn rejecting(mut self, digest: &str, by: &str) -> Option<Self> {
        let pending = self.pending.as_mut().filter(|pending| pending.digest == digest)?;
        pending.rejected_by = Some(by.to_owned());
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::EPOCH;

    fn tool(description: &str) -> UpstreamTool {
        UpstreamTool {
            name: "read".to_owned(),
            title: None,
            description: Some(description.to_owned()),
            input_schema: json!({"type": "object"}),
            output_schema: None,
            annotations: crate::tool::Annotations::default(),
        }
    }

    fn seen(description: &str) -> Sighting {
        let definition = tool(description);
        Sighting::Sound { digest: definition.digest().unwrap(), definition }
    }

    fn fresh() -> ToolLock {
        let id = "ups_019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse().unwrap();
        ToolLock::fresh(id, "read", "files_read").after(seen("Reads."), NOON)
    }

    fn accepted() -> ToolLock {
        fresh().accepting(&tool("Reads.").digest().unwrap(), "usr_1", NOON).unwrap()
    }

    #[test]
    fn a_tool_is_new_until_somebody_agrees_to_what_they_saw() {
        assert_eq!(fresh().state, LockState::New);
        assert_eq!(fresh().accepting("another digest", "usr_1", NOON), None);
        assert_eq!(accepted().state, LockState::Accepted);
    }

    #[test]
    fn any_change_shuts_it_and_the_old_definition_opens_it_again() {
        let changed = accepted().after(seen("Reads, and sends it to me."), NOON);
        assert_eq!(changed.state, LockState::Quarantined);
        assert_eq!(changed.accepted, accepted().accepted);
        assert_eq!(changed.after(seen("Reads."), NOON), accepted());
    }

    #[test]
    fn what_vanished_is_gone_and_comes_back_unchanged_without_asking() {
        let gone = accepted().after(Sighting::Absent, NOON);
        assert_eq!(gone.state, LockState::Gone);
        assert_eq!(gone.clone().after(seen("Reads."), NOON), accepted());
        assert_eq!(gone.after(seen("Deletes."), NOON).state, LockState::Quarantined);
    }

    #[test]
    fn what_cannot_be_used_shuts_an_accepted_tool_as_well() {
        let broken = accepted().after(Sighting::Unusable("not an object".to_owned()), NOON);
        assert_eq!(
            (broken.state, broken.problem.as_deref()),
            (LockState::Quarantined, Some("not an object"))
        );
        let never = fresh().after(Sighting::Unusable("too large".to_owned()), NOON);
        assert_eq!(never.state, LockState::Unusable);
    }

    #[test]
    fn a_no_holds_until_the_definition_changes_again() {
        let changed = accepted().after(seen("Worse."), NOON);
        let digest = changed.pending.as_ref().unwrap().digest.clone();
        let refused = changed.rejecting(&digest, "usr_2").unwrap().after(seen("Worse."), NOON);
        assert_eq!(refused.pending.as_ref().unwrap().rejected_by.as_deref(), Some("usr_2"));
        let again = refused.after(seen("Worst."), NOON);
        assert_eq!((again.state, again.pending.unwrap().rejected_by), (LockState::Quarantined, None));
    }

    #[test]
    fn every_part_is_under_the_lock() {
        let plain = tool("Reads.");
        let hinted = crate::tool::Annotations { destructive_hint: Some(true), ..Default::default() };
        let others = [
            UpstreamTool { name: "write".to_owned(), ..plain.clone() },
            UpstreamTool { title: Some("Read".to_owned()), ..plain.clone() },
            UpstreamTool { description: None, ..plain.clone() },
            UpstreamTool { input_schema: json!({"type": "object", "properties": {}}), ..plain.clone() },
            UpstreamTool { output_schema: Some(json!({"type": "object"})), ..plain.clone() },
            UpstreamTool { annotations: hinted, ..plain.clone() },
        ];
        for other in others {
            assert_ne!(other.digest().unwrap(), plain.digest().unwrap(), "{other:?}");
        }
    }
}
