//! Execution blocks as their runtimes read them, once for all calls of a tool.

use std::{any::Any, fmt, sync::Arc};

/// What a runtime made of an execution block. Only the runtime that made it knows what is inside.
#[derive(Clone)]
pub struct Compiled(Arc<dyn Any + Send + Sync>);

impl Compiled {
    pub fn new<T: Any + Send + Sync>(plan: T) -> Self {
        Self(Arc::new(plan))
    }

    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

/// For runtimes that read nothing ahead.
impl Default for Compiled {
    fn default() -> Self {
        Self::new(())
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compiled")
    }
}
