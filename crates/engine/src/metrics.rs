//! What the door counts.

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
use toolgate_domain::Envelope;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    tool: String,
    /// `ok`, or the error's code.
    outcome: &'static str,
}

/// Counters of this process, in the text format that Prometheus reads.
pub struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    seconds: Histogram,
    pub(crate) running: Gauge,
    pub(crate) parked: Counter,
    pub(crate) cache_hits: Counter,
    pub(crate) recovered: Counter,
    pub(crate) spans_dropped: Counter,
    /// Requests that were turned away because too many were under way.
    pub shed: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("toolgate");
        let calls = Family::<CallLabels, Counter>::default();
        let seconds = Histogram::new(exponential_buckets(0.000_25, 2.0, 18));
        let (running, parked, cache_hits) = (Gauge::default(), Counter::default(), Counter::default());
        let (recovered, shed, spans_dropped) = (Counter::default(), Counter::default(), Counter::default());
        registry.register("invocations", "Calls that ended, by tool and outcome", calls.clone());
        registry.register("invocation_seconds", "From arrival to durable receipt", seconds.clone());
        registry.register("invocations_running", "Calls under way in this process", running.clone());
        registry.register("invocations_parked", "Calls that were left waiting for a person", parked.clone());
        registry.register("cache_hits", "Calls answered from the cache", cache_hits.clone());
        registry.register(
            "invocations_recovered",
            "Calls of dead processes that were settled",
            recovered.clone(),
        );
        registry.register("spans_dropped", "Spans of runs that could not be kept", spans_dropped.clone());
        registry.register("requests_shed", "Requests refused because too many were under way", shed.clone());
        Self { registry, calls, seconds, running, parked, cache_hits, recovered, spans_dropped, shed }
    }
}

impl Metrics {
    pub(crate) fn ended(&self, envelope: &Envelope, known_tool: bool) {
        // A name that no tool bears would let callers make labels without end.
        let tool = if known_tool { envelope.name.clone() } else { "unknown".to_owned() };
        let outcome = envelope.error.as_ref().map_or("ok", |error| error.code.as_str());
        self.calls.get_or_create(&CallLabels { tool, outcome }).inc();
        let micros = envelope.t_end.as_micros() - envelope.t_start.as_micros();
        self.seconds.observe(micros.max(0) as f64 / 1e6);
    }

    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
