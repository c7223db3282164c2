//! Where a script was when it was stopped.
//!
//! The host reads the interpreter's frames out of the guest's memory. Nothing of the guest runs for it: a script that is
//! inside one long operation, asleep, or out of memory is found as well as one in a loop, none can put its end off, and
//! none needs a time of grace. (A debugger's hook or an interrupt would wait for the next instruction of Python.)
//!
//! The memory is the script's to write. Every address and length is checked, every loop has a bound, and what makes no
//! sense is left out: at worst a script loses its traceback, or tells a tale about itself.

mod frames;
mod layout;
mod lines;
mod peek;
mod show;

#[cfg(test)]
mod tests;

pub(crate) use frames::{Calls, Stack};
pub(crate) use show::locate;
