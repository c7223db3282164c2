//! Agents: how models are asked, the loop in which they call tools, and how a run is gone through again.

pub mod action;
pub mod bundle;
pub mod llm;
pub mod replay;
pub mod run;
