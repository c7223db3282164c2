//! Tools that ask a model. **config** (`config.rs`) reads the block; **ask** (`ask.rs`) puts the question together: directly, with a
//! skill, or as another agent; **answer** (`answer.rs`) takes text as it comes, or JSON that fits a schema, and asks again when it does
//! not. **scripted** (`scripted.rs`) is a model that answers from a file.

mod answer;
mod ask;
mod config;
mod runtime;
mod scripted;

pub use runtime::PromptRuntime;
pub use scripted::ScriptedModel;
