//! What a body says, by its content type.

mod body;
mod html;
mod json;
mod table;

pub(super) use body::{Reading, excerpt, read};
