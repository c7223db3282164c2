//! The Model Context Protocol on both sides. The SDK is named here and nowhere else.

pub mod client;
mod content;
mod relay;
pub mod server;

pub use relay::relay_stdio;
