//! Drafts: definitions that somebody tries before publishing them.
//!
//! The ledger names tools that exist, so a draft exists: as the version `0.0.0-draft-…` of its name, which says by a hash what it is.
//! It is in no list, resolves for test runs that name it exactly, and never changes: what a person approves is what runs.

use std::sync::Arc;

use semver::{Prerelease, Version};
use serde_json::json;
use toolgate_domain::{
    AuditEvent, Caller, Lifecycle, Tool, ToolId,
    json::{canonical_bytes, sha256_hex},
    tool::Origin,
};
use toolgate_store::{Signal, StoreError};

use super::{
    Definition, DefinitionError, RegisterError, Registry, snapshot::Snapshot, store::must_change_tools,
};

pub(super) const DRAFT: &str = "draft-";
/// Enough to tell one tenant's drafts of one name apart.
const HASH_CHARS: usize = 16;

pub(super) fn is_of_draft(version: &Version) -> bool {
    (version.major, version.minor, version.patch) == (0, 0, 0) && version.pre.starts_with(DRAFT)
}

impl Registry {
    /// Keeps a definition for test runs, and answers with what they call. The same definition is the same draft.
    pub async fn draft(
        &self,
        caller: &Caller,
        mut definition: Definition,
    ) -> Result<Arc<Tool>, RegisterError> {
        // What is tried is run.
        must_change_tools(caller)?;
        self.checked(&mut definition)?;
        let _changing = self.changing.lock().await;
        let snapshot = self.current(caller.tenant_id).await?;
        self.check_links(caller, &mut definition, &snapshot).await?;
        let mut spec = definition.into_spec();
        spec.version = Version::new(0, 0, 0);
        let hash: String = sha256_hex(&canonical_bytes(&json!(spec))?).chars().take(HASH_CHARS).collect();
        spec.version.pre = Prerelease::new(&format!("{DRAFT}{hash}"))
            .map_err(|error| DefinitionError::at("/version", error.to_string()))?;
        if snapshot.versions(&spec.name).iter().any(|live| live.tool.origin == Origin::Code) {
            return Err(RegisterError::Reserved { name: spec.name.to_string() });
        }
        let same = |live: &&Arc<super::LiveTool>| live.tool.spec.version == spec.version;
        if let Some(known) = snapshot.drafts(&spec.name).iter().find(same) {
            return Ok(Arc::clone(&known.tool));
        }
        if snapshot.count_drafts() as u64 >= self.limits.max_drafts {
            return Err(RegisterError::TooManyDrafts { max: self.limits.max_drafts });
        }
        let now = self.clock.now();
        let tool = Tool {
            id: ToolId::generate(&*self.ids),
            tenant_id: caller.tenant_id,
            origin: Origin::TenantCustom,
            kind: Origin::TenantCustom.into(),
            lifecycle: Lifecycle::Draft,
            created_at: now,
            updated_at: now,
            also_required: Vec::new(),
            spec: Arc::new(spec),
        };
        let event =
            AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.draft", tool.spec.id()).to(&*tool.spec);
        match self.stores.tools.insert(&tool, &self.schemas_of(&tool)?, &event).await {
            // Another process kept the same draft at the same moment.
            Err(StoreError::Conflict(_)) => {
                let snapshot = self.load(caller.tenant_id).await?;
                let version = &tool.spec.version;
                let theirs =
                    snapshot.drafts(&tool.spec.name).iter().find(|live| live.tool.spec.version == *version);
                return theirs.map(|live| Arc::clone(&live.tool)).ok_or_else(|| {
                    StoreError::Conflict("another draft has the same name and version".to_owned()).into()
                });
            }
            other => other?,
        }
        let mut changed = Snapshot::clone(&snapshot);
        let kept = Arc::new(tool.clone());
        changed.put(tool, &self.limits);
        self.publish(caller.tenant_id, changed);
        self.rules.tell(Signal::Tools).await?;
        Ok(kept)
    }
}
