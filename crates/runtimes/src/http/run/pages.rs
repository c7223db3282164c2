//! Page after page, as one answer.

use reqwest::header::LINK;
use serde_json::Value;
use toolgate_domain::ToolError;
use url::Url;

use super::{
    attempt,
    authorize::Credentials,
    build::set_parameter,
    execute::{Answer, Core, Head, Job, blocking, finish, select},
};
use crate::{
    builtin::Language,
    http::{
        client::{Failure, Outgoing, Response},
        config::{Pagination, Preview, Query, Style, scalar_text},
        read::{self, Reading},
    },
};

pub(super) async fn collect(
    core: &Core,
    job: &Job<'_>,
    pagination: &Pagination,
    mut request: Outgoing,
    credentials: &mut Credentials,
) -> Result<Answer, ToolError> {
    let mut items: Vec<Value> = Vec::new();
    let (mut bytes_left, mut pages) = (job.plan.max_response_bytes, 0_u64);
    begin(&pagination.style, &mut request.url);
    loop {
        let response = attempt::send(core, job, request.clone(), bytes_left, credentials).await?;
        pages += 1;
        bytes_left = bytes_left.saturating_sub(response.body.len() as u64);
        let mut head = Head::of(job.plan, &response, credentials);
        let link = next_link(&response)?;
        let (limits, scrub) = (core.limits.clone(), credentials.clone());
        let found_at = pagination.items.clone();
        let page = blocking(move || {
            let body = read::read(response, Preview::Json, true, &limits, &scrub)?.body;
            let found = items_of(found_at.as_ref(), &body)?;
            Ok((body, found))
        });
        let (body, found) = page.await?;
        let count = found.len() as u64;
        items.extend(found);
        let next = next(&pagination.style, &request.url, &body, count, items.len() as u64, pages, link)?;
        let cut = items.len() as u64 > pagination.max_items;
        items.truncate(usize::try_from(pagination.max_items).unwrap_or(usize::MAX));
        let full =
            items.len() as u64 >= pagination.max_items || pages >= pagination.max_pages || bytes_left == 0;
        match next {
            Some(url) if !full => request.url = url,
            next => {
                head.pages = Some(pages);
                let truncated = cut || next.is_some();
                let reading = Reading { body: Value::Array(items), attachments: Vec::new(), truncated };
                return finish(job.plan, head, reading).await;
            }
        }
    }
}

fn begin(style: &Style, url: &mut Url) {
    match style {
        Style::LinkHeader | Style::Cursor { .. } => {}
        Style::Page { parameter, start, size } => {
            set_parameter(url, parameter, &start.to_string());
            if let Some((name, size)) = size {
                set_parameter(url, name, &size.to_string());
            }
        }
        Style::Offset { parameter, start, limit: (name, limit) } => {
            set_parameter(url, parameter, &start.to_string());
            set_parameter(url, name, &limit.to_string());
        }
    }
}

/// Where the next page is; `None` after the last.
fn next(
    style: &Style,
    current: &Url,
    body: &Value,
    found: u64,
    total: u64,
    pages: u64,
    link: Option<Url>,
) -> Result<Option<Url>, ToolError> {
    let mut url = current.clone();
    match style {
        Style::LinkHeader => return Ok(link),
        Style::Cursor { parameter, next } => {
            let cursor =
                match select(next, body)? {
                    Value::Array(mut matches) if next.language == Language::JsonPath => {
                        if matches.is_empty() { Value::Null } else { matches.swap_remove(0) }
                    }
                    value => value,
                };
            let cursor = match &cursor {
                Value::Null | Value::Bool(_) => return Ok(None),
                value => scalar_text("the cursor", Some(value))
                    .map_err(|_| Failure::provider("pagination", "the cursor is no text").error)?,
            };
            // A cursor that leads to itself leads nowhere.
            if cursor.is_empty()
                || url.query_pairs().any(|(name, value)| name == *parameter && value == cursor)
            {
                return Ok(None);
            }
            set_parameter(&mut url, parameter, &cursor);
        }
        Style::Page { parameter, start, size } => {
            if found == 0 || size.as_ref().is_some_and(|(_, size)| found < *size) {
                return Ok(None);
            }
            set_parameter(&mut url, parameter, &(start + pages).to_string());
        }
        Style::Offset { parameter, start, limit: (_, limit) } => {
            if found == 0 || found < *limit {
                return Ok(None);
            }
            set_parameter(&mut url, parameter, &(start + total).to_string());
        }
    }
    Ok(Some(url))
}

fn items_of(query: Option<&Query>, body: &Value) -> Result<Vec<Value>, ToolError> {
    let found = match query {
        None => body.clone(),
        Some(query) => select(query, body)?,
    };
    match (query.map(|query| query.language), found) {
        // `$.items` matches one list; its members are meant.
        (Some(Language::JsonPath), Value::Array(mut matches)) => match matches.as_mut_slice() {
            [Value::Array(items)] => Ok(std::mem::take(items)),
            _ => Ok(matches),
        },
        (_, Value::Array(items)) => Ok(items),
        (_, Value::Null) => Ok(Vec::new()),
        _ => {
            Err(Failure::provider("pagination", "the items of a page are no list: set `pagination.items`")
                .error)
        }
    }
}

/// `Link: <https://…>; rel="next"`. It leads to the same host, or nowhere: credentials go with it.
fn next_link(response: &Response) -> Result<Option<Url>, ToolError> {
    const MAX_LINKS: usize = 50;
    let values = response.headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok());
    for link in values.flat_map(|value| value.split(",")).take(MAX_LINKS) {
        let Some((target, parameters)) = link.trim().strip_prefix('<').and_then(|rest| rest.split_once('>'))
        else {
            continue;
        };
        let is_next = |parameter: &str| {
            let (name, value) = parameter.split_once('=').unwrap_or_default();
            name.trim().eq_ignore_ascii_case("rel")
                && value
                    .trim()
                    .trim_matches('"')
                    .split_ascii_whitespace()
                    .any(|rel| rel.eq_ignore_ascii_case("next"))
        };
        if !parameters.split(';').any(is_next) {
            continue;
        }
        let wrong = |message: &str| Failure::provider("pagination", message).error;
        let url = response.url.join(target).map_err(|_| wrong("the link to the next page is no url"))?;
        if url.origin() != response.url.origin() {
            return Err(wrong("the link to the next page leads to another host: that is not followed"));
        }
        return Ok(Some(url));
    }
    Ok(None)
}
