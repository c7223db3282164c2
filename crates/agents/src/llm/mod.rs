//! Models behind one contract: a file per wire format, one client for all of them.

mod anthropic;
mod arguments;
mod assemble;
mod brought;
mod client;
mod contract;
mod failure;
mod gemini;
mod legal;
mod model_port;
mod names;
mod openai_chat;
mod openai_responses;
mod outside;
mod prices;
mod provider;
mod providers;
mod retry;
mod schema;
mod scripted;
mod sse;
mod wire;

pub use arguments::parse_arguments;
pub use contract::{
    Arguments, ChatRequest, Delta, LlmError, Message, Provider, StopReason, ToolCall, ToolChoice, ToolSchema,
    Turn, Usage,
};
pub use model_port::ProviderModel;
pub use names::{NameRule, Names};
pub use outside::{Outside, Pace, RealPace};
pub use prices::{Price, PriceLine, Prices, Settled};
pub use providers::{Api, Headers, KeySource, ProviderConfig, open};
pub use schema::{Dialect, Translated, tool_warnings, translate, translate_output, warnings_for};
pub use scripted::Scripted;
