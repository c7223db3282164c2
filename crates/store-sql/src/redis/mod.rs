//! Later in this change.
