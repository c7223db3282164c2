//! Agents: how models are asked, and the loop in which they call tools.

pub mod action;
pub mod llm;
pub mod run;
