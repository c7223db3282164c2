//! The Model Context Protocol on both sides. The SDK is named here and nowhere else.

pub mod client;
pub mod server;
