//! Tools that are HTTP requests: by configuration, `http_request`, and `webSearch`.
//!
//! Whatever goes out goes through the wall (`wall/`), by one client (`client/`).

mod client;
mod config;
pub mod openapi;
mod options;
mod read;
mod run;
mod runtime;
mod tools;
pub mod wall;

#[cfg(test)]
mod tests;

pub use options::{HttpLimits, HttpOptions};
pub use runtime::{HttpRuntime, HttpSetupError};
