//! Statistics over a list of numbers.

mod statistics;
mod tool;

pub(super) use tool::SummarizeNumbers;
