//! Connections to where tenants say that their providers are. They stand before the wall: the address is judged when the provider is saved
//! and when it is opened, the name is resolved by the wall whenever a connection is made, and only what it admits is connected to. So a
//! name that answers differently the second time gains nothing.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use serde_json::json;
use toolgate_agents::llm::{Outside, ProviderConfig, open};
use toolgate_domain::{ErrorCode, TenantId, ToolError, governance::Provider};
use toolgate_engine::ProviderJudge;
use toolgate_runtimes::http::wall::{Refusal, Wall};

/// Clients that are kept; each is a pool of connections to one provider.
const MAX_KEPT: usize = 256;

/// The tenants' way out.
pub(crate) struct Abroad {
    wall: Wall,
    kept: Mutex<HashMap<(TenantId, String), (Provider, Outside)>>,
}

/// The client's only resolver: it knows one address, and asks the wall about it.
struct Judged {
    wall: Wall,
    url: Url,
}

impl Resolve for Judged {
    fn resolve(&self, _name: Name) -> Resolving {
        let (wall, url) = (self.wall.clone(), self.url.clone());
        Box::pin(async move {
            let admitted = wall.admit(&url).await?;
            let addresses = admitted.addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

impl Abroad {
    pub(crate) fn new(wall: Wall) -> Self {
        Self { wall, kept: Mutex::default() }
    }

    /// The way to this provider, for as long as its document stays as it is. No key is kept with it.
    pub(super) async fn way_to(
        &self,
        tenant: TenantId,
        provider: &Provider,
        config: &ProviderConfig,
    ) -> Result<Outside, ToolError> {
        let url = self.wall.screen(&config.base_url()).map_err(|refusal| refused(&refusal))?;
        // Said here, it names the reason; inside the client it would be one more connection that cannot be made.
        self.wall.admit(&url).await.map_err(|refusal| refused(&refusal))?;
        let place = (tenant, provider.name.clone());
        let known = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some((document, outside)) = known
            && document == *provider
        {
            return Ok(outside);
        }
        let resolver = Judged { wall: self.wall.clone(), url };
        let outside = Outside::resolved_by(Arc::new(resolver))
            .map_err(|why| ToolError::new(ErrorCode::Unknown, why))?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT && !kept.contains_key(&place) {
            kept.clear();
        }
        kept.insert(place, (provider.clone(), outside.clone()));
        Ok(outside)
    }
}

impl ProviderJudge for Abroad {
    fn check(&self, provider: &Provider) -> Result<(), String> {
        let config = ProviderConfig::from(provider);
        self.wall.screen(&config.base_url()).map_err(|refusal| format!("base_url: {refusal}"))?;
        let outside = Outside::real()?;
        open(&config, None, &outside).map(drop)
    }
}

fn refused(refusal: &Refusal) -> ToolError {
    let code = match refusal {
        Refusal::Unresolved { .. } => ErrorCode::NetworkError,
        _ => ErrorCode::PolicyDenied,
    };
    ToolError::new(code, format!("the provider's address: {refusal}"))
        .with_details(json!({"reason": "provider_address"}))
}
