//! Query strings: read with the same kind of errors as everything else.

use axum::{
    extract::{FromRequestParts, Query},
    http::request::Parts,
};
use serde::de::DeserializeOwned;
use toolgate_domain::Page;

use crate::{ApiCode, AppState, Problem};

/// A query string; a bad one is a problem that says what is bad.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &AppState) -> Result<Self, Problem> {
        Query::try_from_uri(&parts.uri).map(|Query(params)| Self(params)).map_err(|e| {
            Problem::new(ApiCode::Malformed, format!("the query string is not valid: {}", e.body_text()))
        })
    }
}

/// The number of rows asked for, within bounds.
pub(crate) fn page_size(asked: Option<usize>, state: &AppState) -> Result<usize, Problem> {
    let max = usize::try_from(state.engine.limits().max_page_rows).unwrap_or(usize::MAX);
    match asked {
        None => Ok(50.min(max)),
        Some(limit) if (1..=max).contains(&limit) => Ok(limit),
        Some(limit) => {
            Err(Problem::new(ApiCode::Malformed, format!("limit is between 1 and {max}, not {limit}")))
        }
    }
}

/// One page of a list that is in memory already, sorted by `key`.
pub(crate) fn page_of<T>(
    mut sorted: Vec<T>,
    key: impl Fn(&T) -> String,
    cursor: Option<String>,
    asked: Option<usize>,
    state: &AppState,
) -> Result<Page<T>, Problem> {
    let limit = page_size(asked, state)?;
    if let Some(cursor) = cursor {
        sorted.retain(|item| key(item) > cursor);
    }
    sorted.truncate(limit + 1);
    Ok(Page::from_overfetch(sorted, limit, key))
}

/// An id, a moment or the like out of a query string or a path.
pub(crate) fn parsed<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, Problem>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|e: T::Err| Problem::new(ApiCode::Malformed, format!("{name}: {e}")))
}

pub(crate) fn parsed_option<T: std::str::FromStr>(
    name: &str,
    text: Option<&str>,
) -> Result<Option<T>, Problem>
where
    T::Err: std::fmt::Display,
{
    text.map(|text| parsed(name, text)).transpose()
}
