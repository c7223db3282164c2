//! Opening the file: pragmas, migrations, the lock that keeps a second server out.

use std::{
    fs::{File, OpenOptions},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};
use toolgate_store::{Blobs, Limiter, ResultCache, Signals, StoreError, Stores};

use super::{
    checkpoints::Checkpoints, readers::Readers, settings::WroteLately, signals::LocalSignals, writer::Writer,
};
use crate::{
    Applied,
    local::FullText,
    migrations::{self, Migration},
};

#[derive(Clone, Debug)]
pub struct SqliteOptions {
    pub path: PathBuf,
    /// Jobs that may wait for the writer.
    pub max_queue: usize,
    /// Jobs that share one transaction.
    pub max_batch: usize,
    pub readers: usize,
}

impl SqliteOptions {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), max_queue: 8_192, max_batch: 512, readers: 4 }
    }
}

/// The embedded database. Clones share it.
#[derive(Clone)]
pub struct Sqlite {
    pub(super) writer: Writer,
    pub(super) readers: Readers,
    pub(super) signals: Arc<LocalSignals>,
    pub(super) wrote_lately: Arc<WroteLately>,
    _lock: Arc<File>,
}

impl Sqlite {
    /// Opens the file, brings its schema up to date and takes the lock.
    pub fn open(options: &SqliteOptions) -> Result<(Self, Vec<Applied>), StoreError> {
        let lock = Arc::new(lock_out_others(&options.path)?);
        let mut connection = connect(&options.path)?;
        let applied = migrate(&mut connection, migrations::SQLITE)?;
        // Whoever was running before is gone: the lock proves it.
        connection.execute("DELETE FROM nodes", []).map_err(refused)?;
        let signals = Arc::new(LocalSignals::new());
        let checkpoints = Checkpoints::start(&options.path)?;
        let writer = Writer::start(
            connection,
            options.max_queue,
            options.max_batch,
            Arc::clone(&signals),
            checkpoints,
        )?;
        let readers = Readers::open(&options.path, options.readers)?;
        let wrote_lately = Arc::new(WroteLately::default());
        Ok((Self { writer, readers, signals, wrote_lately, _lock: lock }, applied))
    }

    /// Everything an engine stands on, with this database behind it.
    pub fn stores(
        self,
        blobs: Arc<dyn Blobs>,
        cache: Arc<dyn ResultCache>,
        limiter: Arc<dyn Limiter>,
    ) -> Stores {
        let signals: Arc<dyn Signals> = self.signals.clone();
        Stores::on(Arc::new(self), signals, blobs, cache, limiter, Arc::new(FullText))
    }
}

pub(super) fn refused(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::ConstraintViolation) => StoreError::Conflict(error.to_string()),
        Some(
            rusqlite::ErrorCode::DiskFull
            | rusqlite::ErrorCode::SystemIoFailure
            | rusqlite::ErrorCode::CannotOpen,
        ) => StoreError::Unavailable(error.to_string()),
        _ => StoreError::Refused(error.to_string()),
    }
}

/// Of the connection that writes. The benchmark's floor writes with the same.
///
/// FULL: with WAL, NORMAL may lose acknowledged transactions when the power goes. A small cache: rows come at the ends of their tables, and
/// a commit that split a page of an index looks through all that is cached.
pub const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000;";

fn lock_out_others(database: &Path) -> Result<File, StoreError> {
    let path = database.with_extension("lock");
    let unavailable = |e: std::io::Error| StoreError::Unavailable(format!("{}: {e}", path.display()));
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).open(&path).map_err(unavailable)?;
    file.try_lock().map_err(|_| {
        StoreError::Unavailable(format!(
            "another toolgate server uses {}: stop it, or give this one another --data-dir",
            database.display()
        ))
    })?;
    Ok(file)
}

pub(super) fn connect(path: &Path) -> Result<Connection, StoreError> {
    // One thread has this connection to itself, so SQLite need not lock it.
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(refused)?;
    connection.execute_batch(PRAGMAS).map_err(refused)?;
    connection.busy_timeout(Duration::from_secs(5)).map_err(refused)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

pub(super) fn connect_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(refused)?;
    connection.execute_batch("PRAGMA cache_size = -2000; PRAGMA query_only = ON;").map_err(refused)?;
    connection.busy_timeout(Duration::from_secs(5)).map_err(refused)?;
    Ok(connection)
}

fn migrate(connection: &mut Connection, all: &[Migration]) -> Result<Vec<Applied>, StoreError> {
    connection
        .execute_batch(
            "CREATE TABLE IF NOT EXISTS schema_migrations
                 (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT",
        )
        .map_err(refused)?;
    let applied: Vec<(i64, String)> = connection
        .prepare("SELECT version, checksum FROM schema_migrations ORDER BY version")
        .and_then(|mut statement| statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
        .map_err(refused)?;
    let pending = migrations::pending(all, &applied).map_err(StoreError::Refused)?;
    pending.into_iter().map(|migration| apply(connection, migration)).collect()
}

fn apply(connection: &mut Connection, migration: &Migration) -> Result<Applied, StoreError> {
    let transaction = connection.transaction().map_err(refused)?;
    transaction.execute_batch(migration.sql).map_err(refused)?;
    transaction
        .execute(
            "INSERT INTO schema_migrations (version, name, checksum) VALUES (?1, ?2, ?3)",
            (migration.version, migration.name, migration.checksum()),
        )
        .map_err(refused)?;
    transaction.commit().map_err(refused)?;
    Ok(Applied { version: migration.version, name: migration.name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_cut_loses_nothing_that_was_acknowledged() {
        let directory = tempfile::tempdir().unwrap();
        let connection = connect(&directory.path().join("toolgate.db")).unwrap();
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
        let full: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!(full, 2, "FULL: the log is on disk before anybody is answered");
    }

    #[test]
    fn the_chain_of_an_older_database_is_kept_and_still_only_grows() {
        let directory = tempfile::tempdir().unwrap();
        let mut connection = connect(&directory.path().join("toolgate.db")).unwrap();
        let before = migrations::SQLITE.partition_point(|migration| migration.version < 25);
        migrate(&mut connection, &migrations::SQLITE[..before]).unwrap();
        let links = "INSERT INTO audit_chain (tenant_id, seq, hash, items)
            VALUES (x'02', 1, x'0b', zeroblob(3000)), (x'01', 2, x'0c', x''), (x'01', 1, x'0a', x'0101')";
        assert_eq!(connection.execute(links, []).unwrap(), 3);
        let told = |connection: &Connection| -> Vec<(Vec<u8>, i64, Vec<u8>, i64)> {
            let sql = "SELECT tenant_id, seq, hash, length(items) FROM audit_chain ORDER BY tenant_id, seq";
            let mut statement = connection.prepare(sql).unwrap();
            let rows =
                statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)));
            rows.unwrap().map(Result::unwrap).collect()
        };
        let links = told(&connection);
        assert_eq!(links.len(), 3);

        migrate(&mut connection, migrations::SQLITE).unwrap();
        assert_eq!(told(&connection), links);
        for forged in ["DELETE FROM audit_chain", "UPDATE audit_chain SET hash = x''"] {
            assert!(connection.execute(forged, []).is_err(), "{forged}");
        }
    }
}
