//! The engine on a real embedded database.

mod common;
mod door;
mod recovery;
