//! The models of this installation: those that the operator configured, and those that tenants bring.
//!
//! **setup** (`setup.rs`) reads the configuration; **choice** (`choice.rs`) says whom a name means; **source** (`source.rs`) opens a model for
//! the one who asks; **abroad** (`abroad.rs`) is the way to providers that tenants bring; **adviser** (`adviser.rs`) tells authors what the configured providers will not know of a tool.

mod abroad;
mod adviser;
mod choice;
mod setup;
mod source;

pub(crate) use abroad::Abroad;
pub(crate) use adviser::SchemaAdviser;
pub(crate) use setup::set_up;
pub(crate) use source::HouseModels;
