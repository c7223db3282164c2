//! The command line as a person and a script meet it: the real binary against a real server.

mod calling;
mod operating;
mod registering;
mod support;
mod testing;
mod watching;
