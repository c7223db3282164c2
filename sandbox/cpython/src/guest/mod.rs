//! One interpreter and the one script that it runs.

mod door;
mod limits;
mod random;
mod state;
mod stop;
mod ticker;

pub(crate) use door::add;
pub(crate) use random::Random;
pub(crate) use state::State;
pub(crate) use stop::{Stop, failure};
pub(crate) use ticker::Ticker;
