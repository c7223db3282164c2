use std::{
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use toolgate_engine::{Letter, Notifier};

use super::address::{INSIDE, is_localhost, may_reach, screen};
use crate::AppState;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Lets this process send what is due. Links lead to `address` unless the operator named a better one.
pub(crate) fn start(state: &AppState, address: SocketAddr) {
    let allow_private = state.options.allow_private_webhooks;
    let here = || format!("http://{address}");
    let public_url = state.options.public_url.clone().unwrap_or_else(here);
    let notifier = HttpNotifier { http: OnceLock::new(), allow_private };
    state.engine.deliver_by(Arc::new(notifier), &public_url);
}

struct HttpNotifier {
    /// Made for the first letter: a client reads all certificates of the system, and most houses send none.
    http: OnceLock<Result<Client, String>>,
    allow_private: bool,
}

impl HttpNotifier {
    fn http(&self) -> Result<&Client, String> {
        let made = self.http.get_or_init(|| {
            Client::builder()
                .user_agent(concat!("toolgate/", env!("CARGO_PKG_VERSION")))
                // A redirect could lead where the address itself could not.
                .redirect(redirect::Policy::none())
                .no_proxy()
                .timeout(TIMEOUT)
                .connect_timeout(TIMEOUT)
                .dns_resolver(Arc::new(Outside { allow_private: self.allow_private }))
                .build()
                .map_err(|error| format!("no HTTP client can be made: {}", root(&error)))
        });
        made.as_ref().map_err(Clone::clone)
    }
}

#[async_trait]
impl Notifier for HttpNotifier {
    async fn check(&self, url: &str) -> Result<(), String> {
        let url = screen(url, self.allow_private)?;
        if let Some(url::Host::Domain(name)) = url.host() {
            resolve(name, self.allow_private).await?;
        }
        Ok(())
    }

    async fn send(&self, letter: Letter) -> Result<u16, String> {
        let url = screen(&letter.url, self.allow_private)?;
        let request = self
            .http()?
            .post(url)
            .header("content-type", "application/json")
            .header("toolgate-delivery", letter.delivery)
            .header("toolgate-timestamp", letter.sent_at_s)
            .header("toolgate-signature", letter.signature)
            .body(letter.body);
        // Only the status counts: the body is not read, however long it is.
        let answer = request.send().await.map_err(|error| root(&error.without_url()))?;
        Ok(answer.status().as_u16())
    }
}

/// The cause at the bottom: what is above it says only that something failed.
fn root(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("no answer within {} s", TIMEOUT.as_secs());
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// Resolves names for the client itself: the addresses that were judged are the ones that are connected to, so a name that
/// answers differently the second time gains nothing.
struct Outside {
    allow_private: bool,
}

impl Resolve for Outside {
    fn resolve(&self, name: Name) -> Resolving {
        let allow_private = self.allow_private;
        Box::pin(async move {
            let addresses = resolve(name.as_str(), allow_private).await?;
            Ok(Box::new(addresses.into_iter().map(|ip| SocketAddr::new(ip, 0))) as Addrs)
        })
    }
}

async fn resolve(name: &str, allow_private: bool) -> Result<Vec<IpAddr>, String> {
    let found = tokio::time::timeout(TIMEOUT, tokio::net::lookup_host((name, 0))).await;
    let found = found.map_err(|_| format!("the name {name} was not resolved in time"))?;
    let found = found.map_err(|e| format!("the name {name} cannot be resolved: {e}"))?;
    let addresses: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    let allowed =
        |ip: &IpAddr| if is_localhost(name) { ip.is_loopback() } else { may_reach(*ip, allow_private) };
    if addresses.is_empty() || !addresses.iter().all(allowed) {
        return Err(INSIDE.to_owned());
    }
    Ok(addresses)
}
