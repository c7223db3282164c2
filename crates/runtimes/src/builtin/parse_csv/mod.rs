//! CSV into rows.

mod cell;
mod header;
mod tool;

pub(super) use tool::ParseCsv;
