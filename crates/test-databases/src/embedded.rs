//! SQLite: a migrated file beside the program of tests, copied to where a test wants its own.

use std::{
    env, fs,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use rusqlite::Connection;
use toolgate_store::{StoreError, Stores};
use toolgate_store_sql::{
    local::{MemoryCache, MemoryLimits},
    objects::ObjectBlobs,
    sqlite::{Sqlite, SqliteOptions},
};

/// The stores of one process in this directory, on the database that is there, or on a new one.
pub async fn stores_in(directory: &Path) -> Stores {
    let options = migrated(directory.join("t.db"));
    loop {
        match Sqlite::open(&options) {
            Ok((sqlite, _)) => return stores_on(sqlite, directory),
            // An engine that has stopped still has its database for a moment: a task of its own may hold it last.
            Err(StoreError::Unavailable(_)) => wait_for(options.path.with_extension("lock")).await,
            Err(error) => panic!("{error}"),
        }
    }
}

async fn wait_for(lock: PathBuf) {
    let left = move || File::open(lock).unwrap().lock().unwrap();
    tokio::task::spawn_blocking(left).await.unwrap();
}

/// The same on a database that is open. Blobs lie beside it; results and rates are this process's own.
pub fn stores_on(sqlite: Sqlite, directory: &Path) -> Stores {
    let blobs = ObjectBlobs::local(&directory.join("blobs")).unwrap();
    sqlite.stores(Arc::new(blobs), Arc::new(MemoryCache::new(1 << 20)), Arc::new(MemoryLimits::default()))
}

/// A database at this path: the one that is there, or a new one that has its schema.
pub fn migrated(path: PathBuf) -> SqliteOptions {
    if !path.exists() {
        fs::copy(template(), &path).unwrap();
    }
    SqliteOptions::new(path)
}

fn template() -> &'static Path {
    static TEMPLATE: OnceLock<PathBuf> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let program = env::current_exe().unwrap();
        let template = program.with_extension("migrated.db");
        // Each test is a process of its own, and many begin at once.
        let lock = File::create(program.with_extension("migrated.lock")).unwrap();
        lock.lock().unwrap();
        if changed(&template) < changed(&program) {
            migrate(&template);
        }
        template
    })
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// The whole appears at once: who dies halfway leaves nothing that looks like it.
fn migrate(template: &Path) {
    let directory = tempfile::tempdir_in(template.parent().unwrap()).unwrap();
    let (first, whole) = (directory.path().join("first.db"), directory.path().join("whole.db"));
    let open = Sqlite::open(&SqliteOptions::new(&first)).unwrap();
    Connection::open(&first).unwrap().execute("VACUUM INTO ?1", [whole.to_str().unwrap()]).unwrap();
    drop(open);
    let mode = Connection::open(&whole).unwrap().pragma_update(None, "journal_mode", "WAL");
    mode.unwrap();
    fs::rename(whole, template).unwrap();
}
