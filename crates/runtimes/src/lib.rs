//! One module per kind of tool.

mod binding;
mod template;

pub mod builtin;
pub mod composition;
pub mod house;
pub mod http;
pub mod prompt;
pub mod python;
pub mod task;
