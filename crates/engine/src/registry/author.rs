//! Changing what there is: a tenant's tool gets its next version, a tool that ships with the program gets an override.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use toolgate_domain::{
    Caller, Lifecycle, Limits, Surface, TenantId, Tool, ToolRef, ToolSpec,
    rate::RateLimit,
    tool::{Looser, Origin, ToolOverride, Wanted, reject_unknown_keys},
};
use toolgate_policy::is_known;
use toolgate_store::StoreError;

use super::{
    Definition, DefinitionError, RegisterError, Registry, RegistryError, check::is_permission,
    definition::names_egress, definition_from_json, history::next_version,
    inside::reject_unknown_keys_inside, schema, snapshot::LiveTool,
};
use crate::{RuleError, rules::Switch};

const ENABLED: &str = "enabled";
const MAX_DESCRIPTION_CHARS: usize = 4_000;

/// Why a tool was not changed.
#[derive(Debug, thiserror::Error)]
pub enum AuthorError {
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error(transparent)]
    Register(#[from] RegisterError),
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// An override that would loosen the tool, named by its key.
    #[error(transparent)]
    Looser(#[from] Looser),
}

impl From<StoreError> for AuthorError {
    fn from(error: StoreError) -> Self {
        Self::Registry(error.into())
    }
}

impl From<DefinitionError> for AuthorError {
    fn from(error: DefinitionError) -> Self {
        Self::Register(error.into())
    }
}

/// What a change did.
#[derive(Clone, Debug)]
pub struct Patched {
    /// The tool as it is now.
    pub tool: Arc<Tool>,
    /// The change is a new version.
    pub created: bool,
    /// `{key, from, to}` each.
    pub changes: Vec<Value>,
    pub warnings: Vec<String>,
}

impl Registry {
    /// Changes the keys that `patch` names; `null` takes a key back. Every change of a tenant's tool is a new version: the one that
    /// `version` names, or the next. What is changed of a tool that ships with the program is the tenant's override of it.
    pub async fn patch(
        &self,
        caller: &Caller,
        reference: &str,
        mut patch: Map<String, Value>,
    ) -> Result<Patched, AuthorError> {
        let live = self.known(caller, reference).await?;
        let switch = match patch.remove(ENABLED) {
            None => Switch::Leave,
            Some(Value::Null) => Switch::Set(None),
            Some(Value::Bool(enabled)) => Switch::Set(Some(enabled)),
            Some(_) => {
                return Err(DefinitionError::at(format!("/{ENABLED}"), "is true, false or null").into());
            }
        };
        match live.tool.origin {
            Origin::Code => self.patch_code(caller, &live, patch, switch).await,
            Origin::TenantCustom => self.patch_custom(caller, &live, patch, switch).await,
        }
    }

    /// Deletes a tenant's tool, or one version of it: it does not exist any more, and can be restored. Of a tool that ships with the
    /// program, what the tenant changed is taken back.
    pub async fn delete(&self, caller: &Caller, reference: &str) -> Result<(), AuthorError> {
        let live = self.known(caller, reference).await?;
        if live.tool.origin == Origin::TenantCustom {
            self.set_lifecycle(caller, reference, Lifecycle::Archived).await?;
            return Ok(());
        }
        let name = live.tool.spec.name.as_str();
        if self.rules.set_override(caller, name, None, Switch::Set(None)).await? {
            return Ok(());
        }
        let message = format!("`{name}` ships with the program, and this tenant changed nothing of it");
        Err(RegistryError::NotFound(message).into())
    }

    async fn patch_custom(
        &self,
        caller: &Caller,
        live: &LiveTool,
        patch: Map<String, Value>,
        switch: Switch,
    ) -> Result<Patched, AuthorError> {
        let old = &live.published.spec;
        let name = old.name.as_str();
        if patch.get("name").is_some_and(|renamed| renamed != name) {
            let message =
                "a tool keeps its name: register it under the other one, and let an alias lead there";
            return Err(DefinitionError::at("/name", message).into());
        }
        let names_version = patch.contains_key("version");
        let names_egress = names_egress(&patch);
        let mut document = json!(**old);
        if let (true, Value::Object(keys)) = (names_egress, &mut document) {
            // The patch may spell the key in another way.
            keys.remove("egress_class");
        }
        merge(&mut document, patch);
        let mut definition = definition_from_json(document)?;
        if !names_egress {
            definition = Definition::republished(definition.into_spec());
        }
        let mut done = Patched {
            tool: Arc::clone(&live.tool),
            created: false,
            changes: Vec::new(),
            warnings: Vec::new(),
        };
        if *definition != **old {
            if !names_version {
                let next = next_version(&*self.snapshot(caller.tenant_id).await?, &definition.name);
                definition = definition.with(|spec| spec.version = next);
            }
            let registered = self.register(caller, definition, false).await?;
            let changes = super::register::differences(Some(old), &registered.tool.spec);
            done = Patched {
                tool: registered.tool,
                created: registered.created,
                changes,
                warnings: registered.warnings,
            };
        }
        if let Switch::Set(_) = switch {
            self.rules.set_override(caller, name, None, switch).await?;
        }
        Ok(done)
    }

    async fn patch_code(
        &self,
        caller: &Caller,
        live: &LiveTool,
        patch: Map<String, Value>,
        switch: Switch,
    ) -> Result<Patched, AuthorError> {
        let name = live.tool.spec.name.as_str();
        if let Some(fixed) = patch
            .keys()
            .find(|key| ToolSpec::KEYS.contains(&key.as_str()) && !ToolOverride::KEYS.contains(&key.as_str()))
        {
            let message = format!(
                "`{name}` ships with the program, and its {fixed} cannot change; these can: {}, {ENABLED}",
                ToolOverride::KEYS.join(", ")
            );
            return Err(DefinitionError::at(format!("/{fixed}"), message).into());
        }
        reject_unknown_keys(&patch, ToolOverride::KEYS).map_err(DefinitionError::from)?;
        reject_unknown_keys_inside(&patch)?;
        let old = self.rules.tool_override(caller, name).await?.unwrap_or_default();
        let mut document = json!(old);
        merge(&mut document, patch);
        let change: ToolOverride = serde_path_to_error::deserialize(document).map_err(|error| {
            DefinitionError::at(format!("/{}", error.path()), error.into_inner().to_string())
        })?;
        check_override(&change, &self.limits)?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        for version in snapshot.versions(&live.tool.spec.name) {
            let mut tool = Tool::clone(&version.published);
            if caller.tenant_id != TenantId::DEFAULT {
                let installation = Caller::system(TenantId::DEFAULT, "default");
                if let Some(everyones) = self.rules.tool_override(&installation, name).await? {
                    everyones.apply(&mut tool);
                }
            }
            change.check_against(&tool.spec, self.limits.default_timeout_ms)?;
            check_defaults(&change, &version.published.spec)?;
        }
        self.rules.set_override(caller, name, Some(&change), switch).await?;
        let now = self.known(caller, &live.tool.spec.id()).await?;
        let changes = super::register::differences(Some(&live.tool.spec), &now.tool.spec);
        Ok(Patched { tool: Arc::clone(&now.tool), created: false, changes, warnings: Vec::new() })
    }

    /// The newest version that a reference stands for, switched on or not.
    async fn known(&self, caller: &Caller, reference: &str) -> Result<Arc<LiveTool>, RegistryError> {
        let reference: ToolRef = reference.parse()?;
        let snapshot = self.snapshot(caller.tenant_id).await?;
        let there = |live: &&Arc<LiveTool>| {
            live.tool.lifecycle != Lifecycle::Archived
                && is_known(caller, Surface::Rest, &live.tool)
                && (reference.wanted == Wanted::Newest || reference.accepts(&live.tool.spec.version))
        };
        let found = snapshot.versions(&reference.name).iter().rev().find(there);
        found.cloned().ok_or_else(|| RegistryError::NotFound(format!("there is no tool `{reference}`")))
    }
}

/// Top-level keys replace; `null` removes.
fn merge(document: &mut Value, patch: Map<String, Value>) {
    let Value::Object(fields) = document else {
        return;
    };
    for (key, value) in patch {
        match value {
            Value::Null => drop(fields.remove(&key)),
            value => drop(fields.insert(key, value)),
        }
    }
}

fn check_override(change: &ToolOverride, limits: &Limits) -> Result<(), DefinitionError> {
    if let Some(description) = &change.description {
        let length = description.chars().count();
        if description.trim().is_empty() || length > MAX_DESCRIPTION_CHARS {
            let message = format!("needs 1 to {MAX_DESCRIPTION_CHARS} characters, has {length}");
            return Err(DefinitionError::at("/description", message));
        }
    }
    if change.timeout_ms == Some(0) {
        return Err(DefinitionError::at("/timeout_ms", "is at least 1 millisecond"));
    }
    if change.rate_limit.is_some_and(|rate| !rate.is_sound()) {
        return Err(DefinitionError::at("/rate_limit", RateLimit::SOUND));
    }
    if change.required_permission.as_deref().is_some_and(|permission| !is_permission(permission)) {
        let message = "is a dotted name such as `entities.team.read`";
        return Err(DefinitionError::at("/required_permission", message));
    }
    let bytes = toolgate_domain::json::encoded_len(&json!(change)) as u64;
    if bytes > limits.max_definition_bytes {
        let message =
            format!("the override has {bytes} bytes; at most {} are kept", limits.max_definition_bytes);
        return Err(DefinitionError::at("", message));
    }
    Ok(())
}

/// Every default is a property of the input, and one that it accepts.
fn check_defaults(change: &ToolOverride, spec: &ToolSpec) -> Result<(), DefinitionError> {
    for key in change.defaults.keys() {
        if spec.input_schema.get("properties").and_then(|all| all.get(key)).is_none() {
            let message = format!("{} takes no `{key}`", spec.id());
            return Err(DefinitionError::at(format!("/defaults/{key}"), message));
        }
    }
    let mut alone = spec.input_schema.clone();
    if let Some(fields) = alone.as_object_mut() {
        fields.remove("required");
    }
    let validator = schema::compile(&alone).map_err(|broken| DefinitionError::at("/defaults", broken))?;
    match schema::complaints(&validator, &Value::Object(change.defaults.clone())).first() {
        None => Ok(()),
        Some(complaint) => {
            let (path, message) = (complaint["path"].as_str(), complaint["message"].as_str());
            let pointer = format!("/defaults{}", path.unwrap_or_default());
            Err(DefinitionError::at(pointer, message.unwrap_or("does not fit the input schema")))
        }
    }
}
