//! The adapters against a server that speaks each wire format, rightly and wrongly.

mod broken;
mod config;
mod golden;
mod legal_names;
mod model_port;
mod retries;
mod schemas;
mod scripted;
mod streams;
mod support;

use crate::host;
