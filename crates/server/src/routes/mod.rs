//! One file per endpoint group.

pub(crate) mod aliases;
pub(crate) mod approvals;
pub(crate) mod batch;
pub(crate) mod blobs;
pub(crate) mod cancel;
pub(crate) mod document;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod health;
pub(crate) mod invocations;
pub(crate) mod invoke;
pub(crate) mod invoke_stream;
pub(crate) mod keys;
pub(crate) mod lifecycle;
pub(crate) mod metrics;
pub(crate) mod register;
pub(crate) mod tools;
pub(crate) mod versions;
