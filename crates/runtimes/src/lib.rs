//! One module per kind of tool.

pub mod builtin;
