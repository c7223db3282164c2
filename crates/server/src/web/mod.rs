//! The web application: the files that `make web` built, as this server hands them out. They hold no data; that comes from the API.

mod answer;
mod headers;
mod site;

pub(crate) use answer::{app, file};
pub(crate) use headers::complete;
