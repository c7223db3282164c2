//! On whose behalf a request is made.

use rmcp::{ErrorData, model::Extensions};
use toolgate_domain::Caller;

/// Whom a connection speaks for.
#[derive(Clone, Debug)]
pub(super) enum Who {
    /// Every request brings its own verified caller, which the HTTP server put into it.
    Request,
    /// The connection is one caller's: a pipe.
    Always(Box<Caller>),
}

impl Who {
    pub(super) fn of(&self, extensions: &Extensions) -> Result<Caller, ErrorData> {
        match self {
            Self::Always(caller) => Ok(Caller::clone(caller)),
            Self::Request => extensions
                .get::<http::request::Parts>()
                .and_then(|parts| parts.extensions.get::<Caller>())
                .cloned()
                // The HTTP server lets nobody through without one.
                .ok_or_else(|| ErrorData::invalid_request("this request has no caller", None)),
        }
    }
}
