//! MCP servers of others: documents of the tenant, whose tools are imported, locked and reviewed.
//!
//! A server is asked (`ask.rs`), what it offers is held against the locks (`import.rs`), what was accepted is registered
//! (`publish.rs`), and what changed is out until a person accepts it (`review.rs`). Whether a tool may be called is said by the
//! tenant's rules of the moment (`hold.rs`), so every process refuses a tool from the commit on that shut it. What a server has besides
//! tools (`reading.rs`) is listed as it is at the moment, and read by tools of ours.

mod ask;
mod desk;
mod fresh;
mod hold;
mod import;
mod manage;
mod offer;
mod publish;
mod reading;
mod review;
mod shelf;
mod spec;
mod view;

pub use ask::redact_definition;
pub(crate) use desk::Desk;
pub(crate) use hold::denial_details;
pub use import::{Moved, Refreshed};
pub use review::Reviewed;
pub use spec::UpstreamSpec;
pub use view::Upstreams;
