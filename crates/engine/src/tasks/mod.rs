//! Work that a tool hands to somebody: **open** (`open.rs`) makes the task of a call, once; **work** (`work.rs`) is what people do with
//! it, and lets the call go on that waits for it; **list** (`list.rs`) shows them.

mod list;
mod open;
mod work;

pub use list::TaskFilter;
pub use open::NewTask;
