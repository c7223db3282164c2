use std::sync::Arc;

use async_trait::async_trait;
use toolgate_domain::ToolId;

use crate::StoreError;

/// What is written about a tool, for those who search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolText {
    pub name: String,
    pub category: String,
    pub description: String,
    /// Names, descriptions and choices of its parameters.
    pub parameters: String,
}

/// How much of a query a tool must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// All of its words: a filter.
    All,
    /// Any of them, the best first: an answer to somebody who does not know what the tools are called.
    Any,
}

/// A full-text index of tools. Who changed a tool makes another one.
#[async_trait]
pub trait ToolIndex: Send + Sync {
    /// The tools that a query finds, the best first; of equals, the one that was handed in first. A query is words and nothing
    /// else: no sign in it has a meaning, and none makes the search fail. One without any word finds nothing.
    async fn search(&self, query: &str, words: Words) -> Result<Vec<ToolId>, StoreError>;
}

/// Where indexes are made.
#[async_trait]
pub trait ToolIndexes: Send + Sync {
    async fn build(&self, tools: Vec<(ToolId, ToolText)>) -> Result<Arc<dyn ToolIndex>, StoreError>;
}
