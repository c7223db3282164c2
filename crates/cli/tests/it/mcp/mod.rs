//! The Model Context Protocol as others speak it: the official conformance suite, and clients that nobody here wrote.

mod broken;
mod clients;
mod conforming;
mod fixture;
mod foreign;
mod gate;
mod library;
mod lobby;
mod others;
