use std::sync::Arc;

use crate::{
    Actions, Audit, BlobIndex, Blobs, Events, Invocations, Keys, Ledger, Meter, Nodes, Quotas, RateLimits,
    Records, ResultCache, Settings, Signals, Spans, Steps, Suspensions, Tenants, Threads, ToolIndexes, Tools,
};

/// Everything an engine stands on.
#[derive(Clone)]
pub struct Stores {
    pub ledger: Arc<dyn Ledger>,
    pub invocations: Arc<dyn Invocations>,
    pub suspensions: Arc<dyn Suspensions>,
    pub steps: Arc<dyn Steps>,
    pub spans: Arc<dyn Spans>,
    pub meter: Arc<dyn Meter>,
    pub actions: Arc<dyn Actions>,
    pub threads: Arc<dyn Threads>,
    pub events: Arc<dyn Events>,
    pub tools: Arc<dyn Tools>,
    pub keys: Arc<dyn Keys>,
    pub tenants: Arc<dyn Tenants>,
    pub records: Arc<dyn Records>,
    pub audit: Arc<dyn Audit>,
    pub nodes: Arc<dyn Nodes>,
    pub settings: Arc<dyn Settings>,
    pub signals: Arc<dyn Signals>,
    pub blob_index: Arc<dyn BlobIndex>,
    pub blobs: Arc<dyn Blobs>,
    pub cache: Arc<dyn ResultCache>,
    pub rates: Arc<dyn RateLimits>,
    pub quotas: Arc<dyn Quotas>,
    pub tool_indexes: Arc<dyn ToolIndexes>,
}

/// What one database keeps.
pub trait Database:
    Ledger
    + Invocations
    + Suspensions
    + Steps
    + Spans
    + Meter
    + Actions
    + Threads
    + Events
    + Tools
    + Keys
    + Tenants
    + Records
    + Audit
    + Nodes
    + Settings
    + BlobIndex
{
}

impl<T> Database for T where
    T: Ledger
        + Invocations
        + Suspensions
        + Steps
        + Spans
        + Meter
        + Actions
        + Threads
        + Events
        + Tools
        + Keys
        + Tenants
        + Records
        + Audit
        + Nodes
        + Settings
        + BlobIndex
{
}

impl Stores {
    /// Everything an engine stands on, with one database behind it.
    pub fn on(
        database: Arc<impl Database + 'static>,
        signals: Arc<dyn Signals>,
        blobs: Arc<dyn Blobs>,
        cache: Arc<dyn ResultCache>,
        limiter: Arc<dyn Limiter>,
        tool_indexes: Arc<dyn ToolIndexes>,
    ) -> Self {
        Self {
            ledger: database.clone(),
            invocations: database.clone(),
            suspensions: database.clone(),
            steps: database.clone(),
            spans: database.clone(),
            meter: database.clone(),
            actions: database.clone(),
            threads: database.clone(),
            events: database.clone(),
            tools: database.clone(),
            keys: database.clone(),
            tenants: database.clone(),
            records: database.clone(),
            audit: database.clone(),
            nodes: database.clone(),
            settings: database.clone(),
            blob_index: database,
            signals,
            blobs,
            cache,
            rates: limiter.clone(),
            quotas: limiter,
            tool_indexes,
        }
    }
}

/// Rates and quotas from one place: accounts that are shared are shared together.
pub trait Limiter: RateLimits + Quotas {}

impl<T: RateLimits + Quotas> Limiter for T {}
