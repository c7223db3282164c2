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

#[cfg(test)]
mod tests {
    use std::{
        io,
        net::{IpAddr, TcpListener},
        sync::atomic::{AtomicBool, Ordering},
    };

    use async_trait::async_trait;
    use toolgate_agents::llm::{ChatRequest, Message};
    use toolgate_runtimes::http::wall::{AllowHosts, Resolver};

    use super::*;

    /// Leads outside when it is asked first, and to this machine ever after.
    #[derive(Default)]
    struct Rebinding(AtomicBool);

    #[async_trait]
    impl Resolver for Rebinding {
        async fn resolve(&self, _host: &str) -> io::Result<Vec<IpAddr>> {
            let inside = self.0.swap(true, Ordering::SeqCst);
            Ok(vec![if inside { [127, 0, 0, 1].into() } else { [93, 184, 216, 34].into() }])
        }
    }

    fn provider(base_url: &str) -> Provider {
        serde_json::from_value(json!({
            "id": "prv_00000000-0000-7000-8000-000000000001", "name": "mine", "api": "openai_compatible",
            "base_url": base_url, "max_retries": 0,
            "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
        }))
        .unwrap()
    }

    #[tokio::test]
    async fn a_name_that_turns_inside_after_it_was_judged_is_not_connected_to() {
        let inside = TcpListener::bind("127.0.0.1:0").unwrap();
        inside.set_nonblocking(true).unwrap();
        let port = inside.local_addr().unwrap().port();
        let mine = provider(&format!("http://rebinding.example:{port}/v1"));
        let abroad = Abroad::new(Wall::new(AllowHosts::default(), Arc::new(Rebinding::default())));
        let config = ProviderConfig::from(&mine);
        let way = abroad.way_to(TenantId::DEFAULT, &mine, &config).await.unwrap();
        let request = ChatRequest {
            model: "small".to_owned(),
            messages: vec![Message::User("hello".to_owned())],
            ..ChatRequest::default()
        };
        let error = open(&config, None, &way).unwrap().chat(&request, None).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::NetworkError);
        assert_eq!(inside.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "nobody knocked");
        let refused = abroad.way_to(TenantId::DEFAULT, &mine, &config).await.err().unwrap();
        assert_eq!(refused.code, ErrorCode::PolicyDenied, "{refused:?}");
    }

    #[test]
    fn an_address_inside_is_refused_when_it_is_saved() {
        let abroad = Abroad::new(Wall::new(AllowHosts::default(), Arc::new(Rebinding::default())));
        for url in [
            "http://127.0.0.1:11434/v1",
            "http://169.254.169.254/",
            "http://localhost/v1",
            "file:///etc/passwd",
        ] {
            assert!(abroad.check(&provider(url)).is_err(), "{url}");
        }
        abroad.check(&provider("https://models.example/v1")).unwrap();
        let opened =
            Abroad::new(Wall::new(AllowHosts::parse(["127.0.0.1"]).unwrap(), Arc::new(Rebinding::default())));
        opened.check(&provider("http://127.0.0.1:11434/v1")).unwrap();
    }
}
