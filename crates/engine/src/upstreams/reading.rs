//! What servers have besides tools: their prompts and resources, as somebody may see them at the moment.

use std::sync::Arc;

use futures::{StreamExt, stream};
use tokio::sync::broadcast;
use toolgate_domain::{Caller, ErrorCode, ToolError, governance::Upstream};
use toolgate_store::StoreError;

use crate::{Engine, ResourceWatch, UpstreamCatalog, UpstreamNews};

/// Servers of one tenant that are asked at a time.
const MAX_AT_ONCE: usize = 8;

impl Engine {
    /// The servers that are switched on, by name.
    pub async fn upstreams_of(&self, caller: &Caller) -> Result<Vec<Arc<Upstream>>, StoreError> {
        let rules = self.rules.snapshot(caller.tenant_id).await?;
        Ok(rules.upstreams.values().filter(|upstream| upstream.enabled).cloned().collect())
    }

    /// What each of them has besides tools, by name. One that fails, or takes too long, is left out.
    pub async fn upstream_catalogs(
        &self,
        caller: &Caller,
    ) -> Result<Vec<(Arc<Upstream>, Arc<UpstreamCatalog>)>, StoreError> {
        if self.upstream_desk.source.is_none() {
            return Ok(Vec::new());
        }
        let all = self.upstreams_of(caller).await?;
        let mut told = stream::iter(all).map(|one| self.catalog_of(caller, one)).buffered(MAX_AT_ONCE);
        let mut catalogs = Vec::new();
        while let Some(catalog) = told.next().await {
            catalogs.extend(catalog?);
        }
        Ok(catalogs)
    }

    async fn catalog_of(
        &self,
        caller: &Caller,
        upstream: Arc<Upstream>,
    ) -> Result<Option<(Arc<Upstream>, Arc<UpstreamCatalog>)>, StoreError> {
        let Some(source) = &self.upstream_desk.source else { return Ok(None) };
        let asked = match self.secrets_of(caller, &upstream).await? {
            Ok(secrets) => source.catalog(caller.tenant_id, &upstream, &secrets).await,
            Err(error) => Err(error),
        };
        match asked {
            Ok(catalog) => Ok(Some((upstream, catalog))),
            Err(error) => {
                // The words of the server may show a secret; the code does not.
                tracing::debug!(server = %upstream.name, tenant = %caller.tenant_id, code = error.code.as_str(), "an MCP server does not tell what it has besides tools");
                Ok(None)
            }
        }
    }

    /// Watches a resource of a server for this caller; nothing where the server does not tell of changes.
    pub async fn watch_upstream(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        uri: &str,
    ) -> Result<Option<ResourceWatch>, ToolError> {
        let Some(source) = &self.upstream_desk.source else { return Ok(None) };
        let secrets = self.secrets_of(caller, upstream).await.map_err(|error| {
            tracing::error!(%error, "the secrets of an MCP server cannot be read");
            ToolError::new(ErrorCode::Unknown, "the secrets of the MCP server cannot be read right now")
        })??;
        source.watch_resource(caller.tenant_id, upstream, &secrets, uri).await
    }

    /// Hears of servers whose prompts or resources changed.
    pub fn upstream_news(&self) -> Option<broadcast::Receiver<UpstreamNews>> {
        self.upstream_desk.source.as_ref()?.news()
    }
}
