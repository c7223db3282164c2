//! The way to MCP servers of others. Their addresses are tenants', so they stand before the wall, as those of HTTP tools do.

use std::{
    net::SocketAddr,
    sync::{Arc, Weak},
    time::Duration,
};

use anyhow::Context;
use async_trait::async_trait;
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use serde_json::json;
use tokio::sync::mpsc;
use toolgate_domain::{Clock, ErrorCode, Limits, ToolError};
use toolgate_engine::Engine;
use toolgate_mcp::client::{ListChanged, Outlet, UpstreamLimits, UpstreamOptions, Upstreams, auth::Logins};
use toolgate_runtimes::http::wall::{Refusal, SystemResolver, Wall};

use crate::{config::Config, wiring::trusted_pem};

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

/// A client's only resolver: it knows one address, and asks the wall about it whenever a connection is made.
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

#[async_trait]
impl Outlet for Gate {
    fn check(&self, url: &str) -> Result<(), String> {
        self.wall.screen(url).map(drop).map_err(|refusal| refusal.to_string())
    }

    async fn client(&self, url: &str) -> Result<reqwest::Client, ToolError> {
        let url = self.wall.screen(url).map_err(|refusal| refused(&refusal))?;
        // Said here, it names the reason; inside the client it would be one more connection that cannot be made.
        self.wall.admit(&url).await.map_err(|refusal| refused(&refusal))?;
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
            .dns_resolver(Arc::new(Judged { wall: self.wall.clone(), url }))
            .build()
            .map_err(|_| ToolError::new(ErrorCode::Unknown, "no HTTP client can be made"))
    }
}

fn refused(refusal: &Refusal) -> ToolError {
    let code = match refusal {
        Refusal::Unresolved { .. } => ErrorCode::NetworkError,
        _ => ErrorCode::PolicyDenied,
    };
    ToolError::new(code, format!("the upstream's address: {refusal}"))
        .with_details(json!({"reason": "upstream_address"}))
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        net::{IpAddr, TcpListener},
        sync::atomic::{AtomicBool, Ordering},
    };

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
