//! Units of measurement.

mod catalog;
mod convert;
mod table;
mod tool;

pub(super) use tool::ConvertUnits;
