//! What tools there are: definitions are checked, versioned, aliased, and resolved for a caller.

mod author;
mod check;
mod definition;
mod draft;
mod history;
mod links;
mod old_names;
mod references;
mod register;
mod rename;
mod resolve;
mod schema;
mod search;
mod snapshot;
mod store;
mod toolfile;
mod toolset;
mod usage;

pub use author::{AuthorError, Patched};
pub use definition::{Definition, DefinitionError, definition_from_json};
pub use history::Difference;
pub use old_names::OldNames;
pub use references::references as referred_tools;
pub(crate) use register::IMPORTED_KIND;
pub use register::{RegisterError, Registered};
pub(crate) use resolve::Resolution;
pub(crate) use schema::{check_schema, invalid_input};
pub use schema::{compile as compile_schema, complaints};
pub(crate) use snapshot::LiveTool;
pub use snapshot::ToolFilter;
pub use store::{Registry, RegistryError};
pub use toolfile::parse_tool_md;
pub(crate) use toolset::View;
pub use toolset::{NameClash, Toolset};
pub use usage::UsageLine;
