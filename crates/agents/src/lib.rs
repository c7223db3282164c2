//! Agents: how models are asked, whatever provider serves them.

pub mod llm;
