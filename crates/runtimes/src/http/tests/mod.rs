//! The runtime with its real client, against real servers on this machine.

mod answers;
mod attempts;
mod auth;
mod bench;
mod definitions;
mod floods;
mod forms;
mod host;
mod letters;
mod paging;
mod search;
mod ssrf;
mod templates;
mod tls;
