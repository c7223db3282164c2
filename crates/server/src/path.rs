//! What stands in an address: read with the same kind of errors as everything else.

use axum::{extract, extract::FromRequestParts, http::request::Parts};
use serde::de::DeserializeOwned;

use crate::{ApiCode, AppState, Problem};

/// The parts of a path; one that is no text is a problem that says so.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let read = extract::Path::from_request_parts(parts, state).await;
        read.map(|extract::Path(given)| Self(given)).map_err(|e| {
            Problem::new(ApiCode::Malformed, format!("the address is not valid: {}", e.body_text()))
        })
    }
}
