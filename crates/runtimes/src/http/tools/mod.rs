//! The tools that ship with this runtime.

mod http_request;
mod spec;
mod web_search;

pub(super) use http_request::HttpRequest;
pub(super) use web_search::{WebSearch, normalise};
