//! Letters to webhooks. Tenants say where they go, so they pass the wall: when a webhook is saved, and again at each send.

use std::{
    net::IpAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use async_trait::async_trait;
use reqwest::Client;
use toolgate_domain::Limits;
use toolgate_engine::{Letter, Notifier, SendError};
use url::{Host, Url};

use super::{
    client::Pins,
    wall::{Admitted, Refusal, Wall},
};

const INSIDE: &str = "the host is inside a private network or on the server's own machine: use a public one, or ask the operator to allow it (--allow-host or --allow-private-webhooks)";

/// Sends letters to webhooks past the wall.
pub struct HttpNotifier {
    wall: Wall,
    timeout: Duration,
    max_headers: usize,
    pins: Pins,
    /// Made for the first letter: a client reads all certificates of the system, and most houses send none.
    http: OnceLock<Result<Client, String>>,
}

impl HttpNotifier {
    pub fn new(wall: Wall, limits: &Limits) -> Self {
        Self {
            wall,
            timeout: Duration::from_millis(limits.webhook_timeout_ms),
            max_headers: usize::try_from(limits.http_response_headers).unwrap_or(usize::MAX),
            pins: Pins::default(),
            http: OnceLock::new(),
        }
    }

    fn http(&self) -> Result<&Client, String> {
        let made = self.http.get_or_init(|| {
            Client::builder()
                .user_agent(concat!("toolgate/", env!("CARGO_PKG_VERSION")))
                // A redirect could lead where the address itself could not.
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .referer(false)
                .no_proxy()
                .http1_only()
                .http1_max_headers(self.max_headers)
                .timeout(self.timeout)
                .connect_timeout(self.timeout)
                .dns_resolver(Arc::new(self.pins.clone()))
                .build()
                .map_err(|error| format!("no HTTP client can be made: {}", root(&error)))
        });
        made.as_ref().map_err(Clone::clone)
    }

    /// Judges the address as it is written.
    fn screen(&self, text: &str) -> Result<Url, String> {
        let url = Url::parse(text).map_err(|e| format!("the url cannot be understood: {e}"))?;
        let host = url.host().ok_or("the url names no host: write https://host/path")?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the url carries credentials, which would be kept in the open: leave them out, and verify the signature instead".to_owned());
        }
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&host) => {}
            "http" => {
                return Err("letters carry what a call is about: use https; http works on this machine only"
                    .to_owned());
            }
            other => return Err(format!("the url begins with https://, not with {other}:")),
        }
        self.wall.screen(text).map_err(shown)
    }

    /// Resolves the host and judges what it leads to. Without TLS that is this machine, whatever a name server says of `localhost`.
    async fn admit(&self, url: &Url) -> Result<Admitted, Refusal> {
        let admitted = self.wall.admit(url).await?;
        if url.scheme() == "http" && !admitted.addresses.iter().all(IpAddr::is_loopback) {
            return Err(Refusal::Inside { host: url.host_str().unwrap_or_default().to_owned() });
        }
        Ok(admitted)
    }

    /// Answers the status, or the cause for the log.
    async fn post(&self, url: &Url, letter: Letter) -> Result<u16, String> {
        let admitted = self.admit(url).await.map_err(|refusal| refusal.to_string())?;
        let _pin = self.pins.hold(&admitted);
        let request = self
            .http()?
            .post(admitted.url.clone())
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

#[async_trait]
impl Notifier for HttpNotifier {
    async fn check(&self, url: &str) -> Result<(), String> {
        let url = self.screen(url)?;
        self.admit(&url).await.map(drop).map_err(shown)
    }

    async fn send(&self, letter: Letter) -> Result<u16, SendError> {
        let url = self.screen(&letter.url).map_err(SendError::Refused)?;
        // The client has a timeout of its own, which begins once the name is resolved.
        let answer = tokio::time::timeout(self.timeout, self.post(&url, letter)).await;
        let answer =
            answer.unwrap_or_else(|_| Err(format!("no answer within {} ms", self.timeout.as_millis())));
        answer.map_err(|detail| SendError::Unreached { detail })
    }
}

/// A refusal in words for the tenant. A name that leads inside and one that leads nowhere read alike: otherwise a tenant could ask which
/// names a private network has.
fn shown(refusal: Refusal) -> String {
    match refusal {
        Refusal::Url(why) => why,
        Refusal::Address { .. } => INSIDE.to_owned(),
        Refusal::Inside { host } | Refusal::Unresolved { host, .. } => format!(
            "{host} has no public address: check the name, or ask the operator to allow the host (--allow-host or --allow-private-webhooks)"
        ),
    }
}

fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Domain(name) => name.eq_ignore_ascii_case("localhost"),
        Host::Ipv4(ip) => ip.is_loopback(),
        Host::Ipv6(ip) => ip.to_canonical().is_loopback(),
    }
}

/// The cause at the bottom: what is above it says only that something failed.
fn root(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
