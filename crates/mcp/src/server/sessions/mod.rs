mod line;
mod manager;
mod session;
mod streams;
#[cfg(test)]
mod tests;

pub use manager::TooManySessions;
pub(super) use manager::{Owner, Sessions, on_behalf_of};
