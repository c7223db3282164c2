//! What the adapters need of the world: connections, the time, chance and patience. Tests bring their own.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use async_trait::async_trait;
use reqwest::{Client, ClientBuilder, dns::Resolve, redirect};
use toolgate_domain::{Clock, ErrorCode, time::SystemClock};

use super::LlmError;

/// Milliseconds in which a connection must stand.
const CONNECT_TIMEOUT_MS: u64 = 10_000;

/// How attempts are spaced.
#[async_trait]
pub trait Pace: Send + Sync {
    async fn sleep(&self, wait: Duration);

    /// A number from 0 up to 1, so that clients which failed together do not come back together.
    fn jitter(&self) -> f64;
}

/// Waits as long as it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealPace;

#[async_trait]
impl Pace for RealPace {
    async fn sleep(&self, wait: Duration) {
        tokio::time::sleep(wait).await;
    }

    fn jitter(&self) -> f64 {
        rand::random()
    }
}

type Made = Result<Client, String>;

/// Shared by all providers: its connections are kept.
#[derive(Clone)]
pub struct Outside {
    /// Made for the first question: a client reads all certificates of the system, and many houses ask no model.
    http: Arc<LazyLock<Made, Box<dyn FnOnce() -> Made + Send>>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) pace: Arc<dyn Pace>,
}

impl Outside {
    /// With the machine's clock and real patience.
    pub fn real() -> Self {
        Self::new(Duration::from_millis(CONNECT_TIMEOUT_MS), Arc::new(SystemClock), Arc::new(RealPace))
    }

    pub fn new(connect_timeout: Duration, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        Self::of(client(connect_timeout), clock, pace)
    }

    /// With names resolved by this resolver, and no way around it.
    pub fn resolved_by(resolver: Arc<dyn Resolve>) -> Self {
        // A proxy would resolve names by itself.
        let http = client(Duration::from_millis(CONNECT_TIMEOUT_MS)).no_proxy().dns_resolver(resolver);
        Self::of(http, Arc::new(SystemClock), Arc::new(RealPace))
    }

    fn of(http: ClientBuilder, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        let make = move || http.build().map_err(|e| format!("no HTTP client: {e}"));
        Self { http: Arc::new(LazyLock::new(Box::new(make))), clock, pace }
    }

    pub(super) fn http(&self) -> Result<&Client, LlmError> {
        self.http.as_ref().as_ref().map_err(|why| LlmError::new(ErrorCode::Unknown, why.clone()))
    }
}

fn client(connect_timeout: Duration) -> ClientBuilder {
    // A redirect would carry the key to an address that nobody configured.
    Client::builder().connect_timeout(connect_timeout).redirect(redirect::Policy::none())
}
