//! From what was accepted to a registered tool: one version for each definition, so that receipts tell which was called.

use semver::Version;
use serde_json::Value;
use toolgate_domain::{
    Caller, EgressClass, Lifecycle, ToolName, ToolSpec,
    governance::{Growth, Upstream, UpstreamTool, changes, content_blocks, growth},
    tool::{Execution, Origin},
};

use super::Upstreams;
use crate::{RegisterError, RuleError, registry::IMPORTED_KIND};

const MAX_DESCRIPTION_CHARS: usize = 4_000;

/// The tool as it is registered here. What the server says of its own tool is shown, and lowers nothing.
fn spec_of(upstream: &Upstream, name: &str, tool: &UpstreamTool) -> Result<ToolSpec, String> {
    let name: ToolName = name.parse().map_err(|error| format!("{error}"))?;
    let (egress_class, risk, _) = upstream.rule(&tool.name);
    let said =
        tool.description.as_deref().or(tool.title.as_deref()).map(str::trim).filter(|text| !text.is_empty());
    let description = match said {
        Some(text) => text.chars().take(MAX_DESCRIPTION_CHARS).collect(),
        None => format!(
            "The tool `{}` of the MCP server `{}`, which says nothing of it.",
            tool.name, upstream.name
        ),
    };
    let whole = said.filter(|text| text.chars().count() > MAX_DESCRIPTION_CHARS).unwrap_or_default();
    let execution = Execution::new(IMPORTED_KIND, [("server", &upstream.name[..]), ("tool", &tool.name[..])]);
    let mut annotations = tool.annotations;
    if egress_class == EgressClass::Write {
        // By this word a call would be made twice after a crash.
        annotations.idempotent_hint = None;
    }
    Ok(ToolSpec {
        long_description: whole.to_owned(),
        category: "mcp".to_owned(),
        output_schema: Some(tool.output_schema.clone().unwrap_or_else(content_blocks)),
        egress_class,
        risk,
        annotations,
        secrets: upstream.secrets().into_iter().collect(),
        timeout_ms: upstream.timeout_ms,
        ..ToolSpec::new(name, Version::new(1, 0, 0), description, tool.input_schema.clone(), execution)
    })
}

impl Upstreams<'_> {
    /// Whether a tool could be registered under this name; the message says why not.
    pub(super) async fn usable(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        name: &str,
        tool: &UpstreamTool,
    ) -> Result<Result<(), String>, RuleError> {
        let spec = match self.versioned(caller, upstream, name, tool).await? {
            Ok(spec) => spec,
            Err(problem) => return Ok(Err(problem)),
        };
        match self.engine.registry.import(caller, spec, true).await {
            Ok(_) => Ok(Ok(())),
            Err(error) => problem(error).map(Err),
        }
    }

    /// Registers what was accepted, and answers its version.
    pub(super) async fn publish(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        name: &str,
        tool: &UpstreamTool,
    ) -> Result<Result<String, String>, RuleError> {
        let spec = match self.versioned(caller, upstream, name, tool).await? {
            Ok(spec) => spec,
            Err(problem) => return Ok(Err(problem)),
        };
        match self.engine.registry.import(caller, spec, false).await {
            Ok(registered) => Ok(Ok(registered.tool.spec.version.to_string())),
            Err(error) => problem(error).map(Err),
        }
    }

    /// The tool in the version that it has already, or the next.
    async fn versioned(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        name: &str,
        tool: &UpstreamTool,
    ) -> Result<Result<ToolSpec, String>, RuleError> {
        let mut spec = match spec_of(upstream, name, tool) {
            Ok(spec) => spec,
            Err(problem) => return Ok(Err(problem)),
        };
        spec.enforce_egress_guard();
        let published = self.engine.registry.published(caller.tenant_id, &spec.name).await?;
        let rules = self.engine.rules.snapshot(caller.tenant_id).await?;
        let stranger = published.iter().find(|other| {
            let is_ours = other.spec.execution == spec.execution;
            let server =
                other.spec.execution.config.get("server").and_then(Value::as_str).unwrap_or_default();
            let is_left = other.spec.execution.kind == IMPORTED_KIND && !rules.upstreams.contains_key(server);
            other.origin == Origin::Code || other.lifecycle != Lifecycle::Archived && !is_ours && !is_left
        });
        if stranger.is_some() {
            let message = format!(
                "the name `{name}` is taken by another tool: add the server with another prefix, or rename that tool"
            );
            return Ok(Err(message));
        }
        let Some(newest) = published.last() else { return Ok(Ok(spec)) };
        spec.version = newest.spec.version.clone();
        if spec != *newest.spec {
            spec.version = next(&newest.spec, &spec);
        }
        Ok(Ok(spec))
    }
}

/// Patch for what is said of the tool, minor for what callers need not know, major for the rest.
fn next(old: &ToolSpec, new: &ToolSpec) -> Version {
    let as_told = |spec: &ToolSpec| UpstreamTool {
        name: String::new(),
        title: None,
        description: Some(spec.description.clone()),
        input_schema: spec.input_schema.clone(),
        output_schema: spec.output_schema.clone(),
        annotations: spec.annotations,
    };
    let frozen = !new.frozen_differences(old).is_empty();
    let grown = growth(&changes(&as_told(old), &as_told(new))).max(if frozen {
        Growth::Minor
    } else {
        Growth::Patch
    });
    let Version { major, minor, patch, .. } = old.version;
    match grown {
        Growth::Patch => Version::new(major, minor, patch + 1),
        Growth::Minor => Version::new(major, minor + 1, 0),
        Growth::Major => Version::new(major + 1, 0, 0),
    }
}

/// What is wrong with the tool; what is wrong with us stays an error.
fn problem(error: RegisterError) -> Result<String, RuleError> {
    match error {
        RegisterError::Store(error) => Err(error.into()),
        RegisterError::Registry(crate::RegistryError::Store(error)) => Err(error.into()),
        other => Ok(other.to_string()),
    }
}
