//! Arithmetic over decimals.

mod evaluate;
mod functions;
mod number;
mod syntax;
mod tool;

pub(super) use tool::Calculate;
