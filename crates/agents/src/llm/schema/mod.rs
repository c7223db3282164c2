//! JSON Schema as each provider takes it, with what was lost on the way.

mod dialect;
mod gemini;
mod inline;
mod loose;
mod merge;
mod strict;

pub use dialect::{Dialect, Translated, tool_warnings, translate, translate_output, warnings_for};

pub(super) use dialect::described;
