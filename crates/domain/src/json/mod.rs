//! JSON from outside is parsed strictly; JSON that is hashed is canonical.

mod canonical;
mod preview;
mod schema_cost;
mod size;
mod strict;

pub use canonical::{CanonicalError, call_id, canonical_bytes, sha256_hex};
pub use preview::{encoded_len, preview};
pub use schema_cost::visits_per_value;
pub use size::JsonSize;
pub use strict::{ParseError, check_value, parse};
