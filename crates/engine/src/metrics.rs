//! What the door counts: everything, for the installation's own tenant, and for each other tenant its own calls apart. A tool's name is
//! a label, and the tools of one tenant are none of another's business.

use std::sync::Arc;

use dashmap::DashMap;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::Registry,
};
use toolgate_domain::{Envelope, TenantId};

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    tool: String,
    /// `ok`, or the error's code.
    outcome: &'static str,
}

/// Calls, of all tenants or of one.
struct CallMetrics {
    ended: Family<CallLabels, Counter>,
    seconds: Histogram,
    parked: Counter,
    cache_hits: Counter,
}

impl CallMetrics {
    fn register(registry: &mut Registry) -> Self {
        let ended = Family::<CallLabels, Counter>::default();
        let seconds = Histogram::new(exponential_buckets(0.000_25, 2.0, 18));
        let (parked, cache_hits) = (Counter::default(), Counter::default());
        registry.register("invocations", "Calls that ended, by tool and outcome", ended.clone());
        registry.register("invocation_seconds", "From arrival to durable receipt", seconds.clone());
        registry.register("invocations_parked", "Calls that were left waiting for a person", parked.clone());
        registry.register("cache_hits", "Calls answered from the cache", cache_hits.clone());
        Self { ended, seconds, parked, cache_hits }
    }

    fn ended(&self, labels: &CallLabels, seconds: f64) {
        self.ended.get_or_create(labels).inc();
        self.seconds.observe(seconds);
    }
}

/// The metrics of one tenant that is not the installation's own.
struct TenantMetrics {
    registry: Registry,
    calls: CallMetrics,
}

impl Default for TenantMetrics {
    fn default() -> Self {
        let mut registry = prefixed();
        let calls = CallMetrics::register(&mut registry);
        Self { registry, calls }
    }
}

/// Counters of this process, in the text format that Prometheus reads.
pub struct Metrics {
    registry: Registry,
    calls: CallMetrics,
    /// The installation's own tenant has none of its own: it reads the whole.
    tenants: DashMap<TenantId, Arc<TenantMetrics>>,
    pub(crate) running: Gauge,
    pub(crate) recovered: Counter,
    pub(crate) spans_dropped: Counter,
    /// Requests that were turned away because too many were under way.
    pub shed: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = prefixed();
        let calls = CallMetrics::register(&mut registry);
        let running = Gauge::default();
        let (recovered, shed, spans_dropped) = (Counter::default(), Counter::default(), Counter::default());
        registry.register("invocations_running", "Calls under way in this process", running.clone());
        registry.register(
            "invocations_recovered",
            "Calls of dead processes that were settled",
            recovered.clone(),
        );
        registry.register("spans_dropped", "Spans of runs that could not be kept", spans_dropped.clone());
        registry.register("requests_shed", "Requests refused because too many were under way", shed.clone());
        Self { registry, calls, tenants: DashMap::new(), running, recovered, spans_dropped, shed }
    }
}

impl Metrics {
    pub(crate) fn ended(&self, tenant: TenantId, envelope: &Envelope, known_tool: bool) {
        // A name that no tool bears would let callers make labels without end.
        let tool = if known_tool { envelope.name.clone() } else { "unknown".to_owned() };
        let outcome = envelope.error.as_ref().map_or("ok", |error| error.code.as_str());
        let micros = envelope.t_end.as_micros() - envelope.t_start.as_micros();
        let labels = CallLabels { tool, outcome };
        self.count(tenant, |calls| calls.ended(&labels, micros.max(0) as f64 / 1e6));
    }

    pub(crate) fn parked(&self, tenant: TenantId) {
        self.count(tenant, |calls| {
            calls.parked.inc();
        });
    }

    pub(crate) fn cache_hit(&self, tenant: TenantId) {
        self.count(tenant, |calls| {
            calls.cache_hits.inc();
        });
    }

    fn count(&self, tenant: TenantId, count: impl Fn(&CallMetrics)) {
        count(&self.calls);
        if tenant != TenantId::DEFAULT {
            let own = Arc::clone(&self.tenants.entry(tenant).or_default());
            count(&own.calls);
        }
    }

    /// What a tenant may read: the installation's own reads everything, any other what its own calls made.
    pub fn render(&self, tenant: TenantId) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = if tenant == TenantId::DEFAULT {
            encode(&mut text, &self.registry)
        } else {
            let own = self.tenants.get(&tenant).map(|own| Arc::clone(&own)).unwrap_or_default();
            encode(&mut text, &own.registry)
        };
        text
    }
}

fn prefixed() -> Registry {
    Registry::with_prefix("toolgate")
}
