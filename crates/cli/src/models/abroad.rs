//! Connections to where tenants say that their providers are. They stand before the wall (`judged.rs`): the address is judged when the
//! provider is saved, when it is opened, and whenever a connection is made.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use toolgate_agents::llm::{Outside, ProviderConfig, open};
use toolgate_domain::{TenantId, ToolError, governance::Provider};
use toolgate_engine::ProviderJudge;
use toolgate_runtimes::http::wall::Wall;

use crate::judged::Judged;

/// Clients that are kept; each is a pool of connections to one provider.
const MAX_KEPT: usize = 256;

/// The tenants' way out.
pub(crate) struct Abroad {
    wall: Wall,
    kept: Mutex<HashMap<(TenantId, String), (Provider, Outside)>>,
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
        let judged = Judged::of(&self.wall, &config.base_url(), "provider").await?;
        let place = (tenant, provider.name.clone());
        let known = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some((document, outside)) = known
            && document == *provider
        {
            return Ok(outside);
        }
        let outside = Outside::resolved_by(Arc::new(judged));
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
        open(&config, None, &Outside::real()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use std::{io, net::TcpListener};

    use serde_json::json;
    use toolgate_agents::llm::{ChatRequest, Message};
    use toolgate_domain::ErrorCode;
    use toolgate_runtimes::http::wall::AllowHosts;

    use super::*;
    use crate::judged::tests::Rebinding;

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
