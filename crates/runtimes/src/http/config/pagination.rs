//! How one page leads to the next.

use super::{fields::Fields, plan::Query};
use crate::http::HttpLimits;

const DEFAULT_PAGES: u64 = 10;
const DEFAULT_ITEMS: u64 = 1_000;

#[derive(Clone, Debug)]
pub(in crate::http) struct Pagination {
    pub(in crate::http) style: Style,
    /// Where the items of a page are; the whole body unless told.
    pub(in crate::http) items: Option<Query>,
    pub(in crate::http) max_pages: u64,
    pub(in crate::http) max_items: u64,
}

#[derive(Clone, Debug)]
pub(in crate::http) enum Style {
    /// `Link: <…>; rel="next"`.
    LinkHeader,
    /// The body says what to ask for next.
    Cursor { parameter: String, next: Query },
    /// Pages are numbered.
    Page { parameter: String, start: u64, size: Option<(String, u64)> },
    /// Items are numbered.
    Offset { parameter: String, start: u64, limit: (String, u64) },
}

#[derive(Clone, Copy)]
enum Kind {
    Link,
    Cursor,
    Page,
    Offset,
}

pub(super) fn parse(outer: &Fields<'_>, limits: &HttpLimits) -> Result<Option<Pagination>, String> {
    const KEYS: &[&str] = &[
        "style",
        "parameter",
        "next",
        "start",
        "size_parameter",
        "size",
        "limit_parameter",
        "limit",
        "items",
        "max_pages",
        "max_items",
    ];
    let Some(fields) = outer.inner("pagination", KEYS)? else { return Ok(None) };
    let kind = fields.choice(
        "style",
        &[
            ("link_header", Kind::Link),
            ("cursor", Kind::Cursor),
            ("page", Kind::Page),
            ("offset", Kind::Offset),
        ],
    )?;
    let kind = kind.ok_or_else(|| fields.bad("style", "is missing"))?;
    let parameter = |default: &str| Ok::<_, String>(fields.text("parameter")?.unwrap_or(default).to_owned());
    let start = |default: u64| Ok::<_, String>(fields.number("start", 0, 1_000_000)?.unwrap_or(default));
    let style = match kind {
        Kind::Link => Style::LinkHeader,
        Kind::Cursor => Style::Cursor {
            parameter: parameter("cursor")?,
            next: Query::parse(&fields, "next")?.ok_or_else(|| fields.bad("next", "is missing"))?,
        },
        Kind::Page => Style::Page {
            parameter: parameter("page")?,
            start: start(1)?,
            size: match (fields.text("size_parameter")?, fields.number("size", 1, 10_000)?) {
                (None, None) => None,
                (name, Some(size)) => Some((name.unwrap_or("per_page").to_owned(), size)),
                (Some(_), None) => return Err(fields.bad("size", "is missing")),
            },
        },
        Kind::Offset => Style::Offset {
            parameter: parameter("offset")?,
            start: start(0)?,
            limit: (
                fields.text("limit_parameter")?.unwrap_or("limit").to_owned(),
                fields.number("limit", 1, 10_000)?.ok_or_else(|| fields.bad("limit", "is missing"))?,
            ),
        },
    };
    Ok(Some(Pagination {
        style,
        items: Query::parse(&fields, "items")?,
        max_pages: fields
            .number("max_pages", 1, limits.max_pages)?
            .unwrap_or(DEFAULT_PAGES.min(limits.max_pages)),
        max_items: fields
            .number("max_items", 1, limits.max_items)?
            .unwrap_or(DEFAULT_ITEMS.min(limits.max_items)),
    }))
}
