//! The system that the interpreter sees, without any of the host's behind it: one read-only file in memory, clocks, and
//! nothing else. No function here opens a file, a socket or a process, so none can be talked into it.

mod errno;
mod files;
mod link;
mod memory;
mod system;

pub(crate) use files::Files;
pub(crate) use link::add;
pub(crate) use memory::{Guest, bytes, put_u32};
