//! The schema's history. A migration that has shipped never changes; its checksum is kept to notice when one did.

use toolgate_domain::json::sha256_hex;

pub(crate) struct Migration {
    pub(crate) version: i64,
    pub(crate) name: &'static str,
    pub(crate) sql: &'static str,
}

impl Migration {
    pub(crate) fn checksum(&self) -> String {
        sha256_hex(self.sql.as_bytes())
    }
}

macro_rules! migrations {
    ($engine:literal: $($version:literal $name:literal,)*) => {
        &[$(Migration {
            version: $version,
            name: $name,
            sql: include_str!(concat!("../migrations/", $engine, "/", $name, ".sql")),
        },)*]
    };
}

pub(crate) const SQLITE: &[Migration] = migrations!("sqlite":
    1 "0001_foundation", 2 "0002_governance", 6 "0006_kinds_of_tools", 7 "0007_tenant_tools",
    8 "0008_waits_that_end", 9 "0009_runs", 10 "0010_usage", 11 "0011_chat", 12 "0012_spans",
    13 "0013_agent_actions", 14 "0014_providers", 15 "0015_mcp_servers", 17 "0017_lean_ledger",
    18 "0018_calls_of_one_commit", 23 "0023_what_is_written_stays", 25 "0025_a_chain_of_few_pages",
);
/// 3 to 5, 16 and 21 are PostgreSQL's alone: SQLite has no roles, no policies, no types and no clients beside the server. 17 and 25 are
/// SQLite's alone, for the way it undoes statements and keeps large rows, and 19, 20, 22, 24 and 26 are PostgreSQL's, for the way it locks
/// rows, reads rules and JSON, and plans. A number means one thing in both lists, so the next migration comes after the last of either.
pub(crate) const POSTGRES: &[Migration] = migrations!("postgres":
    1 "0001_foundation", 2 "0002_governance", 3 "0003_row_level_security", 4 "0004_sql_rules",
    5 "0005_sql_calls", 6 "0006_kinds_of_tools", 7 "0007_tenant_tools", 8 "0008_waits_that_end", 9 "0009_runs",
    10 "0010_usage", 11 "0011_chat", 12 "0012_spans", 13 "0013_agent_actions", 14 "0014_providers", 15 "0015_mcp_servers",
    16 "0016_ledger_types", 18 "0018_calls_of_one_commit", 19 "0019_looks_after_the_row",
    20 "0020_what_a_call_costs", 21 "0021_the_ledgers_role", 22 "0022_an_index_less",
    23 "0023_what_is_written_stays", 24 "0024_tasks_by_their_names", 26 "0026_looks_at_what_runs",
);

/// One line of `toolgate migrate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub version: i64,
    pub name: String,
}

/// Which migrations are still to be applied, given what the database says was; refuses a database from the future and
/// one whose past was rewritten.
pub(crate) fn pending<'a>(
    all: &'a [Migration],
    applied: &[(i64, String)],
) -> Result<Vec<&'a Migration>, String> {
    for (version, checksum) in applied {
        match all.iter().find(|m| m.version == *version) {
            None => {
                return Err(format!(
                    "the database has migration {version}, which this program does not know: it was written by a newer \
                     Toolgate; start that one, or restore a backup"
                ));
            }
            Some(migration) if migration.checksum() != *checksum => {
                return Err(format!("migration {} was changed after it had been applied", migration.name));
            }
            Some(_) => {}
        }
    }
    Ok(all.iter().filter(|m| !applied.iter().any(|(version, _)| *version == m.version)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_from_the_future_and_a_rewritten_past_are_refused() {
        assert!(pending(SQLITE, &[(999, String::new())]).is_err());
        assert!(pending(SQLITE, &[(1, "other".into())]).is_err());
        assert_eq!(pending(SQLITE, &[]).unwrap().len(), SQLITE.len());
        assert!(pending(SQLITE, &[(1, SQLITE[0].checksum())]).unwrap().iter().all(|m| m.version != 1));
    }
}
