use crate::Engine;

/// The MCP servers of others, and what people say to their tools.
pub struct Upstreams<'a> {
    pub(super) engine: &'a Engine,
}

impl Engine {
    pub fn upstreams(&self) -> Upstreams<'_> {
        Upstreams { engine: self }
    }
}
