//! Schemas as they are published to MCP clients.

mod examples;
mod properties;
