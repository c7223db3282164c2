//! The way to MCP servers of others. Their addresses are tenants', so they stand before the wall, as those of HTTP tools do.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use anyhow::Context;
use async_trait::async_trait;
use tokio::sync::mpsc;
use toolgate_domain::{Clock, ErrorCode, Limits, ToolError};
use toolgate_engine::Engine;
use toolgate_mcp::client::{ListChanged, Outlet, UpstreamLimits, UpstreamOptions, Upstreams, auth::Logins};
use toolgate_runtimes::http::wall::{SystemResolver, Wall};

use crate::{config::Config, judged::Judged, wiring::trusted_pem};

/// Must be called inside a tokio runtime.
pub(crate) fn set_up(
    config: &Config,
    clock: Arc<dyn Clock>,
) -> anyhow::Result<(Arc<Upstreams>, Arc<Logins>, mpsc::Receiver<ListChanged>)> {
    let trusted = match trusted_pem(config)? {
        Some(pem) => reqwest::Certificate::from_pem_bundle(&pem).context("--http-ca")?,
        None => Vec::new(),
    };
    let wall = Wall::new(config.allow_hosts.clone(), Arc::new(SystemResolver));
    let gate: Arc<dyn Outlet> = Arc::new(Gate { wall, trusted, limits: config.limits.clone() });
    let logins = Arc::new(Logins::new(Arc::clone(&gate), Arc::clone(&clock)));
    let (upstreams, changed) = Upstreams::new(UpstreamOptions {
        clock,
        limits: UpstreamLimits::of(&config.limits),
        commands: config.mcp_stdio_commands.clone(),
        outlet: Some(gate),
        logins: Some(Arc::clone(&logins)),
    });
    Ok((upstreams, logins, changed))
}

/// Reads the list of an upstream that says that it changed. It ends with the engine.
pub(crate) async fn look_again(engine: Weak<Engine>, mut changed: mpsc::Receiver<ListChanged>) {
    while let Some(ListChanged { tenant_id, upstream_id }) = changed.recv().await {
        let Some(engine) = engine.upgrade() else { return };
        if let Err(error) = engine.refresh_upstream(tenant_id, &upstream_id.to_string()).await {
            tracing::warn!(%error, upstream = %upstream_id, "an MCP server that changed cannot be asked");
        }
    }
}

struct Gate {
    wall: Wall,
    trusted: Vec<reqwest::Certificate>,
    limits: Limits,
}

#[async_trait]
impl Outlet for Gate {
    fn check(&self, url: &str) -> Result<(), String> {
        self.wall.screen(url).map(drop).map_err(|refusal| refusal.to_string())
    }

    async fn client(&self, url: &str) -> Result<reqwest::Client, ToolError> {
        let judged = Judged::of(&self.wall, url, "upstream").await?;
        let limits = &self.limits;
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        reqwest::Client::builder()
            .user_agent(concat!("toolgate/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy()
            .http1_only()
            .tls_certs_merge(self.trusted.clone())
            .http1_max_headers(size(limits.http_response_headers))
            .connect_timeout(Duration::from_millis(limits.http_connect_timeout_ms))
            .pool_max_idle_per_host(size(limits.http_idle_connections))
            .pool_idle_timeout(Duration::from_millis(limits.http_idle_ms))
            .dns_resolver(Arc::new(judged))
            .build()
            .map_err(|_| ToolError::new(ErrorCode::Unknown, "no HTTP client can be made"))
    }
}

#[cfg(test)]
mod tests {
    use std::{io, net::TcpListener};

    use toolgate_runtimes::http::wall::AllowHosts;

    use super::*;
    use crate::judged::tests::Rebinding;

    fn gate(allow: &[&str]) -> Gate {
        let wall = Wall::new(AllowHosts::parse(allow).unwrap(), Arc::new(Rebinding::default()));
        Gate { wall, trusted: Vec::new(), limits: Limits::default() }
    }

    #[tokio::test]
    async fn a_name_that_turns_inside_after_it_was_judged_is_not_connected_to() {
        let inside = TcpListener::bind("127.0.0.1:0").unwrap();
        inside.set_nonblocking(true).unwrap();
        let url = format!("http://rebinding.example:{}/mcp", inside.local_addr().unwrap().port());
        let gate = gate(&[]);
        let client = gate.client(&url).await.unwrap();
        assert!(client.get(&url).send().await.unwrap_err().is_connect());
        assert_eq!(inside.accept().unwrap_err().kind(), io::ErrorKind::WouldBlock, "nobody knocked");
        assert_eq!(gate.client(&url).await.unwrap_err().code, ErrorCode::PolicyDenied);
    }

    #[tokio::test]
    async fn an_address_inside_needs_the_operators_word() {
        for url in [
            "http://127.0.0.1:1/mcp",
            "http://169.254.169.254/",
            "http://localhost/mcp",
            "file:///etc/passwd",
        ] {
            assert!(gate(&[]).check(url).is_err(), "{url}");
            assert!(gate(&[]).client(url).await.is_err(), "{url}");
        }
        gate(&["127.0.0.1"]).check("http://127.0.0.1:1/mcp").unwrap();
        assert!(gate(&["127.0.0.1"]).client("http://127.0.0.1:1/mcp").await.is_ok());
    }
}
