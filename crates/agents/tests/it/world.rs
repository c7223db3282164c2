//! The world of a provider under test: a server of the test's own, a clock that stands, and nobody who really waits.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use toolgate_agents::llm::{Api, Outside, Pace, Provider, ProviderConfig, open};
use toolgate_domain::{Clock, Timestamp};
use toolgate_engine::SecretValue;

use crate::host::Host;

pub(crate) const KEY: &str = "sk-test-0123456789";

/// Waits for nobody, and remembers how long it should have.
#[derive(Default)]
pub(crate) struct NoWait(pub(crate) Mutex<Vec<Duration>>);

#[async_trait]
impl Pace for NoWait {
    async fn sleep(&self, wait: Duration) {
        self.0.lock().unwrap().push(wait);
    }

    fn jitter(&self) -> f64 {
        0.0
    }
}

/// It is always 10 seconds before the year 2000.
pub(crate) struct Then;

impl Clock for Then {
    fn now(&self) -> Timestamp {
        "1999-12-31T23:59:50Z".parse().unwrap()
    }
}

pub(crate) fn outside(pace: &Arc<NoWait>) -> Outside {
    Outside::new(Duration::from_secs(5), Arc::new(Then), Arc::clone(pace) as Arc<dyn Pace>)
}

pub(crate) fn config(api: Api, host: &Host) -> ProviderConfig {
    let base_url = Some(format!("http://{}/v1", host.address));
    ProviderConfig { base_url, ..ProviderConfig::new("test", api) }
}

pub(crate) fn opened(config: &ProviderConfig) -> (Arc<dyn Provider>, Arc<NoWait>) {
    let pace = Arc::new(NoWait::default());
    let key = SecretValue::new(KEY.into()).unwrap();
    (open(config, Some(key), &outside(&pace)).unwrap(), pace)
}

/// A model name that each provider accepts.
pub(crate) fn model(api: Api) -> &'static str {
    match api {
        Api::OpenAiChat | Api::OpenAiCompatible | Api::OpenAiResponses => "gpt-4o",
        Api::Anthropic => "claude-sonnet-4-5",
        Api::Gemini => "gemini-2.5-flash",
        Api::Scripted => "scripted",
    }
}
