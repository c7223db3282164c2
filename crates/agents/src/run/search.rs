//! The searches of one turn. What each found is a step, kept before anything else of the turn is done: a run that begins again reads it,
//! whatever tools there are by then.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, StepKind, Tool, ToolError, json::encoded_len};
use toolgate_engine::Invoker;

use super::{
    Begin, GivenTool,
    log::Log,
    wish::{Meant, Wish},
};

/// Characters of a query that are kept.
const MAX_QUERY: usize = 1_000;
/// Characters of a query in the title of its step.
const TITLE: usize = 60;

/// A search as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptSearch {
    pub query: String,
    /// The best first.
    pub found: Vec<GivenTool>,
}

/// Answers the searches among the wishes.
pub(super) async fn search_all(
    invoker: &Invoker,
    begin: &Begin,
    log: &mut Log<'_>,
    wishes: &mut [Wish],
) -> Result<(), ToolError> {
    for wish in wishes {
        let Meant::Search { query, limit } = &wish.meant else { continue };
        let step = match log.next() {
            Some(step) => step,
            None => {
                let kept = search(invoker, begin, query, *limit).await?;
                let title = format!(
                    "searches for {}",
                    kept.query.chars().filter(|c| !c.is_control()).take(TITLE).collect::<String>()
                );
                log.keep(StepKind::Search, title, json!(kept)).await?
            }
        };
        wish.meant = Meant::Answer { content: answer(step.kind, step.body)?, is_error: false };
    }
    Ok(())
}

async fn search(invoker: &Invoker, begin: &Begin, query: &str, limit: u64) -> Result<KeptSearch, ToolError> {
    let query: String = query.chars().take(MAX_QUERY).collect();
    let given = |tool: &Tool| begin.given(tool.spec.name.as_str()).is_some_and(|given| given.is(tool));
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut found: Vec<GivenTool> =
        invoker.search_tools(&query, limit, given).await?.iter().map(|tool| GivenTool::of(tool)).collect();
    // A schema that is cut in the middle helps nobody: fewer tools, but whole ones.
    let mut left = usize::try_from(invoker.limits().run_result_chars).unwrap_or(usize::MAX);
    let fitting = found.iter().take_while(|tool| {
        let fits = encoded_len(&json!(tool)) <= left;
        left = left.saturating_sub(encoded_len(&json!(tool)));
        fits
    });
    let fitting = fitting.count().max(1);
    found.truncate(fitting);
    Ok(KeptSearch { query, found })
}

/// What the model is told.
fn answer(kind: StepKind, body: Value) -> Result<Value, ToolError> {
    let unreadable = |why: String| ToolError::new(ErrorCode::Unknown, format!("a search of the run: {why}"));
    if kind != StepKind::Search {
        return Err(unreadable(format!("in its place is a step of kind `{}`", kind.as_str())));
    }
    let kept: KeptSearch = serde_json::from_value(body).map_err(|error| unreadable(error.to_string()))?;
    Ok(match kept.found.as_slice() {
        [] => json!({"found": [], "hint": "no tool has these words; try others"}),
        found => json!({"found": found}),
    })
}
