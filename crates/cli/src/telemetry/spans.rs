//! Our spans as those of OpenTelemetry's SDK.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Array, InstrumentationScope, KeyValue, StringValue, Value,
    trace::{Link, SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState},
};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};
use toolgate_domain::{Span, SpanRef, Timestamp, trace};

/// Nothing for a span that goes on: it is sent when it ended.
pub(super) fn data(span: &Span) -> Option<SpanData> {
    let ended_at = span.ended_at?;
    let mut links = SpanLinks::default();
    links.links.extend(span.links.iter().map(|link| Link::new(context(link, true), Vec::new(), 0)));
    let mut attributes: Vec<KeyValue> =
        span.attributes.iter().map(|(key, value)| KeyValue::new(key.clone(), attribute(value))).collect();
    attributes.push(KeyValue::new("toolgate.tenant_id", span.tenant_id.to_string()));
    Some(SpanData {
        span_context: context(&SpanRef { trace_id: span.trace_id, span_id: span.span_id }, false),
        parent_span_id: span.parent_span_id.map_or(SpanId::INVALID, |id| SpanId::from_bytes(id.to_bytes())),
        parent_span_is_remote: false,
        span_kind: match span.kind {
            trace::SpanKind::Internal => SpanKind::Internal,
            trace::SpanKind::Client => SpanKind::Client,
        },
        name: span.name.clone().into(),
        start_time: moment(span.started_at),
        end_time: moment(ended_at.max(span.started_at)),
        attributes,
        dropped_attributes_count: 0,
        events: SpanEvents::default(),
        links,
        status: span.error.as_ref().map_or(Status::Unset, |error| Status::error(error.clone())),
        instrumentation_scope: InstrumentationScope::builder("toolgate")
            .with_version(env!("CARGO_PKG_VERSION"))
            .build(),
    })
}

fn context(span: &SpanRef, is_remote: bool) -> SpanContext {
    SpanContext::new(
        TraceId::from_bytes(span.trace_id.to_bytes()),
        SpanId::from_bytes(span.span_id.to_bytes()),
        TraceFlags::SAMPLED,
        is_remote,
        TraceState::default(),
    )
}

fn moment(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_micros(u64::try_from(at.as_micros()).unwrap_or(0))
}

fn attribute(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::String(text) => Value::String(text.clone().into()),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::I64(whole),
            None => Value::F64(number.as_f64().unwrap_or(f64::MAX)),
        },
        serde_json::Value::Array(items) if items.iter().all(serde_json::Value::is_string) => {
            let texts =
                items.iter().filter_map(|item| item.as_str()).map(|text| StringValue::from(text.to_owned()));
            Value::Array(Array::String(texts.collect()))
        }
        other => Value::String(other.to_string().into()),
    }
}
