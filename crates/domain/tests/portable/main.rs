//! Schemas as they are published to MCP clients.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up has failed")]

mod examples;
mod properties;
