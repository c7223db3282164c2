//! One module per kind of tool.

pub mod builtin;
pub mod python;
pub mod http;
