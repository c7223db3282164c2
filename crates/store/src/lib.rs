//! What Toolgate keeps, as traits: one per aggregate, each small enough to implement twice.
//!
//! A backend is right when it passes [`conformance`].

mod actions;
mod audit;
mod blobs;
mod bundle;
mod cache;
mod error;
mod events;
mod invocations;
mod keys;
mod ledger;
mod meter;
mod nodes;
mod quotas;
mod rate;
mod records;
mod settings;
mod signals;
mod spans;
mod steps;
mod suspensions;
mod tenants;
mod threads;
mod tool_index;
mod tools;

#[cfg(feature = "conformance")]
pub mod conformance;

pub use actions::{ActionPlace, Actions, Admission};
pub use audit::{Audit, AuditFilter, Counts, Head, Link, SignedHead, Unsealed};
pub use blobs::{BlobIndex, BlobRead, BlobRecord, BlobWriter, Blobs};
pub use bundle::{Database, Limiter, Stores};
pub use cache::{Generation, Lease, Looked, ResultCache};
pub use error::StoreError;
pub use events::{EventFilter, Events};
pub use invocations::{InvocationFilter, Invocations, RunTotals, Takeover, Usage};
pub use keys::{ApiKey, KeyBinding, Keys};
pub use ledger::{Change, Entry, Ledger, LedgerError, NewRow, Transition};
pub use meter::{CallTotals, Latency, Meter, ModelTotals, ModelUse, UsageKey, UsageQuery};
pub use nodes::Nodes;
pub use quotas::Quotas;
pub use rate::RateLimits;
pub use records::{Kind, Record, RecordWrite, Records};
pub use settings::Settings;
pub use signals::{Signal, Signals};
pub use spans::Spans;
pub use steps::Steps;
pub use suspensions::{Suspension, Suspensions};
pub use tenants::{Tenant, Tenants};
pub use threads::{MessageFilter, ThreadFilter, Threads};
pub use tool_index::{ToolIndex, ToolIndexes, ToolText, Words};
pub use tools::{Alias, SchemaVersion, Tools};
