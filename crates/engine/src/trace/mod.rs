//! Spans: what runs did, and how long each part took. Telling of a span never waits and never fails a call.
//!
//! 1. `draft.rs` makes spans of what the record says of a call or a run;
//! 2. `tracer.rs` takes them in, and hands those that ended to whoever exports them;
//! 3. `writer.rs` writes the spans of runs to the store, many at a time;
//! 4. `read.rs` answers with the trace of a run.

mod draft;
mod read;
mod tracer;
mod writer;

pub(crate) use draft::{
    Place, RunFacts, approval_span, ended_root, guard_span, root_span, tool_span, whole_span,
};
pub use read::Trace;
pub(crate) use tracer::Tracer;
