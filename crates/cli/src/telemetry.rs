//! Spans for a collector of OpenTelemetry's, where one is set up: OTLP over HTTP, in protobuf.

mod settings;
mod spans;

use std::sync::Arc;

use anyhow::Context;
use opentelemetry::KeyValue;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{BatchConfigBuilder, BatchSpanProcessor, SpanProcessor},
};
pub(crate) use settings::Otlp;
use toolgate_domain::Span;
use toolgate_engine::SpanSink;

/// Spans that may wait to be sent; what comes then is dropped, and the log says how many.
const MAX_QUEUE: usize = 8_192;

/// Whoever is told of spans.
pub(crate) fn sink(settings: Option<&Otlp>) -> anyhow::Result<Option<Arc<dyn SpanSink>>> {
    let Some(settings) = settings else {
        return Ok(None);
    };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(&settings.endpoint)
        .with_headers(settings.headers.iter().cloned().collect())
        .build()
        .context("the collector cannot be used")?;
    let config = BatchConfigBuilder::default().with_max_queue_size(MAX_QUEUE).build();
    let mut processor = BatchSpanProcessor::builder(exporter).with_batch_config(config).build();
    let resource = Resource::builder()
        .with_service_name(settings.service_name.clone())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    processor.set_resource(&resource);
    Ok(Some(Arc::new(Collector { processor })))
}

struct Collector {
    processor: BatchSpanProcessor,
}

impl SpanSink for Collector {
    fn export(&self, span: &Span) {
        if let Some(data) = spans::data(span) {
            self.processor.on_end(data);
        }
    }

    fn stop(&self) {
        if let Err(error) = self.processor.shutdown() {
            tracing::warn!(%error, "the last spans did not reach the collector");
        }
    }
}
