//! What a tool is: one definition, from which every surface is made.

mod keys;
mod lifecycle;
mod metadata;
mod name;
mod overrides;
pub mod portable;
mod spec;

pub use keys::{UnknownKey, reject_unknown_keys};
pub use lifecycle::Lifecycle;
pub use metadata::{
    Annotations, CachePolicy, EgressClass, Example, Execution, OutputSection, PermissionPolicy, Risk,
    SectionType, Visibility,
};
pub use name::{NameError, ToolName, ToolRef, Wanted};
pub use overrides::{Looser, ToolOverride};
pub use spec::{Origin, Tool, ToolKind, ToolSpec};
