//! The REST surface over a real socket, on a real embedded database, with the tools that ship.

mod authorization;
mod calls;
mod common;
mod hostile;
mod operations;
mod receipts;
mod registry;
