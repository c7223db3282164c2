//! Schemas that every MCP client can read: what some client would refuse of one (`complaints`), and the one that is published
//! in its place (`portable`). What is published accepts whatever the true schema accepts; the door holds every call against the
//! true one, so nothing is loosened by it.
//!
//! Each rule, who needs it, and where that is known from: docs/reference/mcp-schemas.md.

mod complain;
mod conjoin;
mod flatten;
mod keyword;
mod names;
mod node;
mod object;
mod pattern;
mod publish;
mod reference;
mod rule;
mod words;

pub use complain::{Complaint, complaints};
pub use names::{INTENTIONALLY_INPUT_LESS, is_input_less};
pub use publish::{RESULT, portable, wraps_output};
pub use rule::{Role, Rule, Severity};

/// Levels of nesting that strict clients take.
const MAX_DEPTH: usize = 10;
/// Levels that are published: what stands for the rest needs two more.
const MAX_PUBLISHED_DEPTH: usize = MAX_DEPTH - 2;
/// How deep the document itself is followed, alternatives and references included.
const MAX_LEVELS: usize = 64;
/// Schemas inside one schema, with its references in place.
const MAX_NODES: usize = 5_000;
/// Bytes of a published schema.
const MAX_BYTES: usize = 128 * 1_024;
/// Every type of JSON.
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];
/// What a value of any kind is; `number` holds the integers.
const ANY_TYPES: [&str; 6] = ["string", "number", "boolean", "object", "array", "null"];
