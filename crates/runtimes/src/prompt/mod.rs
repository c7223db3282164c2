//! Tools that ask a model. **config** (`config.rs`) reads the block; **ask** (`ask.rs`) puts the question together, directly or with a
//! skill; **answer** (`answer.rs`) takes text as it comes, or JSON that fits a schema, and asks again when it does not; **metered**
//! (`metered.rs`) counts what each question took. **hand_over** (`hand_over.rs`) gives the work to an agent instead, which does it in
//! a run of its own.

mod answer;
mod ask;
mod config;
mod hand_over;
mod metered;
mod runtime;

pub use runtime::PromptRuntime;
