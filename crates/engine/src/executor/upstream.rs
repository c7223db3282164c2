//! The MCP server that stands behind a call.

use std::sync::Arc;

use toolgate_domain::{ErrorCode, ToolError, governance::Upstream};

use super::Invoker;
use crate::RunSecrets;

impl Invoker {
    /// The MCP server of this name that the tenant uses, as it is at this moment.
    pub async fn upstream(&self, name: &str) -> Result<Arc<Upstream>, ToolError> {
        let tenant = self.caller()?.tenant_id;
        let rules = self.engine.rules.snapshot(tenant).await.map_err(|error| {
            tracing::error!(%error, "the MCP servers of a tenant cannot be read");
            ToolError::new(ErrorCode::Unknown, "the MCP servers cannot be read right now")
        })?;
        let gone = || ToolError::denied(format!("the MCP server `{name}` was removed"));
        rules.upstreams.get(name).filter(|upstream| upstream.enabled).cloned().ok_or_else(gone)
    }

    /// Opens the secrets that a server names, where the tool that asks it declares none. Whoever holds them keeps them out of all that
    /// is said.
    pub async fn upstream_secrets(&self, upstream: &Upstream) -> Result<RunSecrets, ToolError> {
        let resolved = self.engine.secrets_of(self.caller()?, upstream).await;
        resolved.map_err(|error| {
            tracing::error!(%error, "the secrets of an MCP server cannot be read");
            ToolError::new(ErrorCode::Unknown, "the secrets of the MCP server cannot be read right now")
        })?
    }
}
