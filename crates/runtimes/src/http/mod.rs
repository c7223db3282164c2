//! Tools that are HTTP requests: by configuration, `http_request`, and `webSearch`; and letters to webhooks (`notifier.rs`).
//!
//! Whatever goes out goes through the wall (`wall/`), by one client (`client/`).

mod client;
mod config;
mod notifier;
pub mod openapi;
mod options;
mod read;
mod run;
mod runtime;
mod tools;
pub mod wall;

#[cfg(test)]
mod tests;

pub use notifier::HttpNotifier;
pub use options::{HttpLimits, HttpOptions};
pub use runtime::{HttpRuntime, HttpSetupError};
