//! Full-text indexes of tools: SQLite's, in memory, whatever database the rest is in.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rusqlite::{Connection, params};
use toolgate_domain::ToolId;
use toolgate_store::{StoreError, ToolIndex, ToolIndexes, ToolText, Words};

use super::words::{query, split};

/// Nothing is kept but the index itself: whoever asks has the tools.
const TABLE: &str = "CREATE VIRTUAL TABLE tools USING fts5(name, category, description, parameters, content = '', prefix = '2 3',
    tokenize = 'unicode61 remove_diacritics 2')";
const ADD: &str =
    "INSERT INTO tools (rowid, name, category, description, parameters) VALUES (?1, ?2, ?3, ?4, ?5)";
/// A word in the name says more than one in the description, and that says more than one in a parameter.
const SEARCH: &str =
    "SELECT rowid FROM tools WHERE tools MATCH ?1 ORDER BY bm25(tools, 12.0, 4.0, 4.0, 2.0), rowid";
/// Characters of one text that are indexed.
const MAX_TEXT_CHARS: usize = 20_000;

/// Makes indexes in memory.
pub struct FullText;

struct Index {
    connection: Arc<Mutex<Connection>>,
    /// By row, from 0.
    ids: Arc<[ToolId]>,
}

#[async_trait]
impl ToolIndexes for FullText {
    async fn build(&self, tools: Vec<(ToolId, ToolText)>) -> Result<Arc<dyn ToolIndex>, StoreError> {
        aside(move || {
            let connection = fill(&tools).map_err(broken)?;
            let ids = tools.iter().map(|(id, _)| *id).collect();
            Ok(Arc::new(Index { connection: Arc::new(Mutex::new(connection)), ids }) as Arc<dyn ToolIndex>)
        })
        .await
    }
}

fn fill(tools: &[(ToolId, ToolText)]) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    connection.execute(TABLE, [])?;
    let transaction = connection.transaction()?;
    {
        let mut add = transaction.prepare(ADD)?;
        for (row, (_, text)) in (0_i64..).zip(tools) {
            let [name, category, description, parameters] =
                [&text.name, &text.category, &text.description, &text.parameters]
                    .map(|text| split(cut(text)));
            add.execute(params![row, name, category, description, parameters])?;
        }
    }
    transaction.commit()?;
    Ok(connection)
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(MAX_TEXT_CHARS).map_or(text, |(end, _)| &text[..end])
}

#[async_trait]
impl ToolIndex for Index {
    async fn search(&self, text: &str, words: Words) -> Result<Vec<ToolId>, StoreError> {
        let Some(query) = query(text, words) else {
            return Ok(Vec::new());
        };
        let (connection, ids) = (Arc::clone(&self.connection), Arc::clone(&self.ids));
        aside(move || {
            let connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let mut search = connection.prepare_cached(SEARCH).map_err(broken)?;
            let rows = search.query_map([query], |row| row.get::<_, i64>(0)).map_err(broken)?;
            let of = |row: i64| usize::try_from(row).ok().and_then(|row| ids.get(row)).copied();
            rows.filter_map(|row| row.map(of).transpose()).collect::<Result<_, _>>().map_err(broken)
        })
        .await
    }
}

async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

fn broken(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(format!("the index of tools: {error}"))
}
