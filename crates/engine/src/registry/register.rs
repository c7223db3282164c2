//! Publishing a definition: a new version, an edit of what may be edited, or nothing.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate_domain::{
    AuditEvent, Caller, Lifecycle, SchemaVersionId, TenantId, Tool, ToolId, ToolSpec,
    json::{CanonicalError, canonical_bytes, sha256_hex},
    tool::Origin,
};
use toolgate_store::{SchemaVersion, Signal, StoreError};

use super::{
    Definition, DefinitionError, Registry, RegistryError,
    check::check,
    draft::{DRAFT, is_of_draft},
    references::references,
    snapshot::Snapshot,
    store::must_change_tools,
};

/// The kind of tool that is imported, and that nobody writes.
pub(crate) const IMPORTED_KIND: &str = "mcp";

#[derive(Debug, thiserror::Error)]
pub enum RegisterError {
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// A published version cannot change in these keys.
    #[error("{id} is published, and its {} cannot change: publish a new version", .keys.join(", "))]
    Frozen { id: String, keys: Vec<&'static str> },
    #[error("`{name}` belongs to Toolgate itself: choose another name")]
    Reserved { name: String },
    #[error("this tenant has {max} versions of tools, the most it may have")]
    TooMany { max: u64 },
    #[error("this tenant has tried {max} drafts, the most it may: publish, and test what is published")]
    TooManyDrafts { max: u64 },
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<CanonicalError> for RegisterError {
    fn from(error: CanonicalError) -> Self {
        Self::Definition(DefinitionError::at("", error.to_string()))
    }
}

/// What registering did, or would do.
#[derive(Clone, Debug)]
pub struct Registered {
    pub tool: Arc<Tool>,
    /// The version did not exist before.
    pub created: bool,
    /// Key by key, what differs from the published version: `{key, from, to}`.
    pub changes: Vec<Value>,
    pub warnings: Vec<String>,
    /// The version had been deleted, and is there again.
    pub revived: bool,
}

impl Registered {
    fn is_no_change(&self) -> bool {
        !self.created && !self.revived && self.changes.is_empty()
    }
}

impl Registry {
    /// Registers a definition for the caller's tenant. A dry run checks everything and changes nothing.
    pub async fn register(
        &self,
        caller: &Caller,
        definition: impl Into<Definition>,
        dry_run: bool,
    ) -> Result<Registered, RegisterError> {
        let definition = definition.into();
        if definition.execution.kind == IMPORTED_KIND {
            let message = "tools of this kind are imported from an MCP server: `toolgate mcp server add`, and `update` to change them";
            return Err(DefinitionError::at("/execution/kind", message).into());
        }
        self.put(caller, Origin::TenantCustom, definition, dry_run).await
    }

    /// Registers a tool that somebody accepted as a server of others offers it.
    pub(crate) async fn import(
        &self,
        caller: &Caller,
        spec: ToolSpec,
        dry_run: bool,
    ) -> Result<Registered, RegisterError> {
        self.put(caller, Origin::TenantCustom, spec.into(), dry_run).await
    }

    /// Registers the tools that ship in the binary.
    pub(crate) async fn install(&self, specs: Vec<ToolSpec>) -> Result<(), RegisterError> {
        let installer = Caller::system(TenantId::DEFAULT, "default");
        for spec in specs {
            self.put(&installer, Origin::Code, spec.into(), false).await?;
        }
        Ok(())
    }

    async fn put(
        &self,
        caller: &Caller,
        origin: Origin,
        mut definition: Definition,
        dry_run: bool,
    ) -> Result<Registered, RegisterError> {
        let tenant = caller.tenant_id;
        let mut warnings = self.checked(&mut definition)?;
        if is_of_draft(&definition.version) {
            let message = format!("versions that begin with 0.0.0-{DRAFT} are drafts: choose another");
            return Err(DefinitionError::at("/version", message).into());
        }
        let _changing = self.changing.lock().await;
        let snapshot = self.current(tenant).await?;
        warnings.extend(self.check_links(caller, &mut definition, &snapshot).await?);
        let spec = definition.into_spec();
        warnings.extend(self.warn_about(&snapshot, &references(&spec)));
        let registered = self.compare(tenant, origin, spec.clone(), warnings.clone(), &snapshot)?;
        if dry_run || registered.is_no_change() {
            return Ok(registered);
        }
        match self.write(caller, &registered, &snapshot).await {
            // Another process published this version since the snapshot was read: look again.
            Err(RegisterError::Store(StoreError::Conflict(_))) => {
                let snapshot = self.load(tenant).await?;
                let registered = self.compare(tenant, origin, spec, warnings, &snapshot)?;
                if !registered.is_no_change() {
                    self.write(caller, &registered, &snapshot).await?;
                }
                Ok(registered)
            }
            other => other.map(|()| registered),
        }
    }

    /// Whether the definition can work, and what about it is unusual. Its egress class is at least what it does.
    pub(super) fn checked(&self, definition: &mut Definition) -> Result<Vec<String>, RegisterError> {
        let mut warnings = check(definition, &self.limits, &self.runtimes)?;
        if let Some(runtime) = self.runtimes.get(definition.execution.kind.as_str()) {
            definition.at_least(runtime.egress_floor(&definition.execution), "the tool does")?;
        }
        warnings.extend(self.advisers.iter().flat_map(|adviser| adviser.warnings(definition)));
        Ok(warnings)
    }

    /// Holds a definition against what is published.
    fn compare(
        &self,
        tenant: TenantId,
        origin: Origin,
        spec: ToolSpec,
        warnings: Vec<String>,
        snapshot: &Snapshot,
    ) -> Result<Registered, RegisterError> {
        let versions = snapshot.versions(&spec.name);
        if versions.iter().any(|live| live.tool.origin != origin) {
            return Err(RegisterError::Reserved { name: spec.name.to_string() });
        }
        let now = self.clock.now();
        let published =
            versions.iter().find(|live| live.tool.spec.version == spec.version).map(|live| &live.published);
        let tool = match published {
            None => {
                if snapshot.count() as u64 >= self.limits.max_tools {
                    return Err(RegisterError::TooMany { max: self.limits.max_tools });
                }
                let id = ToolId::generate(&*self.ids);
                Tool {
                    id,
                    tenant_id: tenant,
                    origin,
                    kind: origin.into(),
                    lifecycle: Lifecycle::Active,
                    created_at: now,
                    updated_at: now,
                    also_required: Vec::new(),
                    spec: Arc::new(spec),
                }
            }
            Some(published) => {
                let keys = spec.frozen_differences(&published.spec);
                if !keys.is_empty() {
                    return Err(RegisterError::Frozen { id: spec.id(), keys });
                }
                let mut tool = Tool { updated_at: now, spec: Arc::new(spec), ..Tool::clone(published) };
                if tool.lifecycle == Lifecycle::Archived {
                    tool.lifecycle = Lifecycle::Active;
                }
                tool
            }
        };
        let changes = differences(published.map(|p| &*p.spec), &tool.spec);
        let revived = published.is_some_and(|published| published.lifecycle != tool.lifecycle);
        Ok(Registered { created: published.is_none(), changes, warnings, revived, tool: Arc::new(tool) })
    }

    async fn write(
        &self,
        caller: &Caller,
        registered: &Registered,
        snapshot: &Snapshot,
    ) -> Result<(), RegisterError> {
        must_change_tools(caller)?;
        let tool = &registered.tool;
        let schemas = self.schemas_of(tool)?;
        let event =
            |action| AuditEvent::by(caller, &*self.ids, &*self.clock, action, tool.spec.id()).to(&*tool.spec);
        if registered.created {
            self.stores.tools.insert(tool, &schemas, &event("tool.register")).await?;
        } else {
            let old = snapshot.versions(&tool.spec.name).iter().find(|live| live.tool.id == tool.id);
            let event = event("tool.update").from(old.map(|live| &*live.published.spec));
            self.stores.tools.update(tool, &schemas, &event).await?;
            if registered.revived {
                let told = AuditEvent::by(caller, &*self.ids, &*self.clock, "tool.lifecycle", tool.spec.id())
                    .from(Lifecycle::Archived)
                    .to(tool.lifecycle);
                let (tenant, at) = (tool.tenant_id, tool.updated_at);
                self.stores.tools.set_lifecycle(tenant, tool.id, tool.lifecycle, at, &told).await?;
            }
        }
        let mut changed = Snapshot::clone(snapshot);
        changed.put(Tool::clone(tool), &self.limits);
        self.publish(tool.tenant_id, changed);
        self.rules.tell(Signal::Tools).await?;
        Ok(())
    }

    pub(super) fn schemas_of(&self, tool: &Tool) -> Result<SchemaVersion, CanonicalError> {
        let hash = |schema: &Value| canonical_bytes(schema).map(|bytes| sha256_hex(&bytes));
        Ok(SchemaVersion {
            id: SchemaVersionId::generate(&*self.ids),
            tenant_id: tool.tenant_id,
            tool_id: tool.id,
            tool_name: tool.spec.name.clone(),
            tool_version: tool.spec.version.clone(),
            input_hash: hash(&tool.spec.input_schema)?,
            output_hash: tool.spec.output_schema.as_ref().map(hash).transpose()?,
            created_at: tool.updated_at,
        })
    }
}

pub(super) fn differences(published: Option<&ToolSpec>, spec: &ToolSpec) -> Vec<Value> {
    let Some(published) = published else {
        return Vec::new();
    };
    let (old, new) = (json!(published), json!(spec));
    let (Value::Object(old), Value::Object(new)) = (old, new) else {
        return Vec::new();
    };
    let keys: std::collections::BTreeSet<_> = old.keys().chain(new.keys()).collect();
    keys.into_iter()
        .filter(|key| old.get(*key) != new.get(*key))
        .map(|key| json!({"key": key, "from": old.get(key), "to": new.get(key)}))
        .collect()
}
