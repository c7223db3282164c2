//! Our own ledger on a place, with the tool registered whose calls it will hold.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use toolgate_store::{Ledger, Tools};
use toolgate_store_sql::{
    postgres::{Postgres, PostgresOptions},
    sqlite::{Sqlite, SqliteOptions},
};

use crate::{
    engine::{Engine, Place},
    rows::Rows,
};

/// Entries that share one transaction, at most: the product's own default.
pub(crate) const MAX_BATCH: usize = 512;

impl Place {
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.join("toolgate.db")
    }

    pub(crate) fn server_url(&self) -> anyhow::Result<&str> {
        self.url.as_deref().context("a place without a server")
    }
}

/// Opens the store as the server does, which makes its tables, indexes and triggers.
pub(crate) async fn open(place: &Place, rows: &Rows) -> anyhow::Result<Arc<dyn Ledger>> {
    let schemas = rows.schemas()?;
    Ok(match place.engine {
        Engine::Sqlite => {
            let options = SqliteOptions { max_batch: MAX_BATCH, ..SqliteOptions::new(place.file()) };
            let (store, _) = Sqlite::open(&options)?;
            Tools::insert(&store, &rows.tool, &schemas, &rows.registration()).await?;
            Arc::new(store)
        }
        Engine::Postgres => {
            let options =
                PostgresOptions { max_batch: MAX_BATCH, ..PostgresOptions::new(place.server_url()?) };
            let (store, _) = Postgres::connect(&options).await?;
            Tools::insert(&store, &rows.tool, &schemas, &rows.registration()).await?;
            Arc::new(store)
        }
    })
}
