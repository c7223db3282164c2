//! One module per kind of tool.

pub mod builtin;
pub mod http;
pub mod python;
