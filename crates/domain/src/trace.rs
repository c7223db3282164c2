//! What a run did and how long each part took, as spans of one trace. The names and attributes are those of OpenTelemetry.
//!
//! The id of a trace is the id of its run, and the id of a span is made from what it tells of. So a run that goes on in another process
//! goes on in the same trace, and nothing has to be handed over.

use std::{fmt, str::FromStr};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    ids::{InvocationId, RunId, TenantId},
    time::Timestamp,
};

macro_rules! hex_ids {
    ($($(#[$doc:meta])* $name:ident, $bytes:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
        pub struct $name([u8; $bytes]);

        impl $name {
            pub const fn from_bytes(bytes: [u8; $bytes]) -> Self {
                Self(bytes)
            }

            pub const fn to_bytes(self) -> [u8; $bytes] {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&HEXLOWER.encode(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                let bytes = HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
                match bytes {
                    Some(bytes) if bytes != [0; $bytes] => Ok(Self(bytes)),
                    _ => Err(format!("an id of {} lower-case hexadecimal digits, not all zero", 2 * $bytes)),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

hex_ids! {
    TraceId, 16;
    SpanId, 8;
}

impl TraceId {
    /// The trace of a run, or of a call outside any.
    pub const fn of(id: Uuid) -> Self {
        Self(id.into_bytes())
    }
}

impl SpanId {
    /// The `nth` span of this name that tells of a run or a call.
    pub fn of(id: Uuid, name: &str, nth: u64) -> Self {
        let hash =
            Sha256::new().chain_update(id.as_bytes()).chain_update(name).chain_update(nth.to_be_bytes());
        let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(hash.finalize());
        Self([a, b, c, d, e, f, g, h])
    }

    /// The span of a whole run, under which all others stand.
    pub fn of_run(run: RunId) -> Self {
        Self::of(run.uuid(), "invoke_agent", 0)
    }

    /// The span of a whole call.
    pub fn of_call(call: InvocationId) -> Self {
        Self::of(call.uuid(), "execute_tool", 0)
    }
}

/// A span, wherever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpanRef {
    pub trace_id: TraceId,
    pub span_id: SpanId,
}

impl SpanRef {
    /// Reads a `traceparent` header (W3C Trace Context); nothing when it is not one.
    pub fn from_traceparent(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let (version, trace_id, span_id, flags) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |text: &str| text.len() == 2 && HEXLOWER.decode(text.as_bytes()).is_ok();
        // A later version may say more after what is known.
        let known = is_hex(version) && version != "ff" && is_hex(flags);
        let whole = version != "00" || parts.next().is_none();
        (known && whole).then_some(())?;
        Some(Self { trace_id: trace_id.parse().ok()?, span_id: span_id.parse().ok()? })
    }

    /// What others are told who work for this span; `told_of` says whether anybody keeps it.
    pub fn traceparent(&self, told_of: bool) -> String {
        format!("00-{}-{}-{:02x}", self.trace_id, self.span_id, u8::from(told_of))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SpanKind {
    /// Within this house.
    Internal,
    /// A question to somebody outside.
    Client,
}

impl SpanKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Internal => "internal",
            Self::Client => "client",
        }
    }
}

impl FromStr for SpanKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Internal, Self::Client]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no kind of span"))
    }
}

/// One part of a run. It never holds what was asked or answered: ids lead to the rows that do.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub tenant_id: TenantId,
    pub trace_id: TraceId,
    pub span_id: SpanId,
    pub parent_span_id: Option<SpanId>,
    pub name: String,
    pub kind: SpanKind,
    pub started_at: Timestamp,
    /// Nothing while it goes on. A span that ended does not change.
    pub ended_at: Option<Timestamp>,
    /// What went wrong, as a code.
    pub error: Option<String>,
    pub attributes: Map<String, Value>,
    /// Spans of other traces that it has to do with.
    pub links: Vec<SpanRef>,
    /// Absent for calls outside any run, whose spans are not kept.
    pub run_id: Option<RunId>,
    pub invocation_id: Option<InvocationId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_the_same_id_wherever_it_is_told_of() {
        let id: Uuid = "019a8a3e-7c1d-7b7e-9a55-0d6f0f3a2b11".parse().unwrap();
        assert_eq!(TraceId::of(id).to_string(), "019a8a3e7c1d7b7e9a550d6f0f3a2b11");
        assert_eq!(SpanId::of(id, "guard", 1), SpanId::of(id, "guard", 1));
        assert_ne!(SpanId::of(id, "guard", 1), SpanId::of(id, "guard", 2));
        assert_ne!(SpanId::of(id, "guard", 1), SpanId::of(id, "chat", 1));
        let text = SpanId::of(id, "guard", 1).to_string();
        assert_eq!(text.parse(), Ok(SpanId::of(id, "guard", 1)));
    }

    #[test]
    fn a_traceparent_is_read_as_the_standard_has_it() {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        let read = SpanRef::from_traceparent(&format!("00-{trace}-{span}-01")).unwrap();
        assert_eq!((read.trace_id.to_string(), read.span_id.to_string()), (trace.into(), span.into()));
        assert_eq!(read.traceparent(true), format!("00-{trace}-{span}-01"));
        assert_eq!(SpanRef::from_traceparent(&read.traceparent(false)), Some(read));
        assert!(SpanRef::from_traceparent(&format!("cc-{trace}-{span}-01-what-comes-later")).is_some());
        for wrong in [
            String::new(),
            format!("00-{trace}-{span}"),
            format!("00-{trace}-{span}-01-more"),
            format!("ff-{trace}-{span}-01"),
            format!("00-{}-{span}-01", "0".repeat(32)),
            format!("00-{trace}-{}-01", "0".repeat(16)),
            format!("00-{}-{span}-01", trace.to_uppercase()),
            format!("00-{trace}é-{span}-01"),
        ] {
            assert_eq!(SpanRef::from_traceparent(&wrong), None, "{wrong}");
        }
    }
}
