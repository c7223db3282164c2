//! The stories of this crate, in one program: a program of tests costs a link, and links add up.

#![expect(clippy::unwrap_used, reason = "a test ends where its story breaks")]

mod fields;
mod portable;
