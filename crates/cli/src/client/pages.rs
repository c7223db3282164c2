//! Lists: one page, or all of them.

use serde_json::{Value, json};

use super::Ask;
use crate::{
    exit::{Exit, Failure},
    output::Output,
};

const PAGE_ROWS: u64 = 200;
const MAX_ROWS: usize = 1_000_000;

/// The page that `ask` makes a request for, or, with `all`, `{"items": […]}` of every page.
pub(crate) async fn pages<'a>(
    ask: impl Fn() -> Ask<'a>,
    limit: Option<u64>,
    all: bool,
    output: &Output,
) -> anyhow::Result<Value> {
    if !all {
        return ask().query("limit", limit).value().await;
    }
    let spinner = output.spinner("reading");
    let (mut items, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut page =
            ask().query("limit", Some(limit.unwrap_or(PAGE_ROWS))).query("cursor", cursor).value().await?;
        if let Value::Array(rows) = page["items"].take() {
            items.extend(rows);
        }
        spinner.set_message(format!("{} rows", items.len()));
        cursor = page["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            spinner.finish_and_clear();
            return Ok(json!({"items": items}));
        }
        if items.len() >= MAX_ROWS {
            return Err(Failure::new(Exit::Failed, format!("there are more than {MAX_ROWS} rows"))
                .hint("narrow the filters")
                .into());
        }
    }
}
