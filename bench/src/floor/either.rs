use std::time::Duration;

use super::{postgres::PostgresFloor, sqlite::SqliteFloor};
use crate::{
    engine::{Engine, Place},
    rows::Rows,
    stats::Round,
    store,
};

/// The floor of either engine.
pub(crate) enum Floor {
    Sqlite(Box<SqliteFloor>),
    Postgres(Box<PostgresFloor>),
}

impl Floor {
    /// On a database that our own store has made.
    pub(crate) async fn open(place: &Place) -> anyhow::Result<Self> {
        let rows = Rows::new()?;
        drop(store::open(place, &rows).await?);
        Ok(match place.engine {
            Engine::Sqlite => Self::Sqlite(Box::new(SqliteFloor::open(&place.file(), rows)?)),
            Engine::Postgres => {
                Self::Postgres(Box::new(PostgresFloor::connect(place.server_url()?, rows).await?))
            }
        })
    }

    /// Commits groups of `batch` calls, one after the other, for a while. The times are those of whole commits.
    pub(crate) async fn run(&mut self, batch: usize, time: Duration) -> anyhow::Result<Round> {
        match self {
            Self::Sqlite(floor) => tokio::task::block_in_place(|| floor.run(batch, time)),
            Self::Postgres(floor) => floor.run(batch, time).await,
        }
    }
}
