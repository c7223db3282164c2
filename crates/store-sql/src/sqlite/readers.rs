//! A few read-only connections; a read never waits for the writer.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use toolgate_store::StoreError;

use super::database::connect_reader;

#[derive(Clone)]
pub(super) struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    permits: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn open(path: &Path, count: usize) -> Result<Self, StoreError> {
        let idle = (0..count.max(1)).map(|_| connect_reader(path)).collect::<Result<Vec<_>, _>>()?;
        let permits = Arc::new(Semaphore::new(idle.len()));
        Ok(Self { idle: Arc::new(Mutex::new(idle)), permits })
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = |e: &dyn std::fmt::Display| StoreError::Unavailable(e.to_string());
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|e| stopped(&e))?;
        let idle = Arc::clone(&self.idle);
        tokio::task::spawn_blocking(move || {
            let connection = idle
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop()
                .ok_or_else(|| StoreError::Unavailable("no reader is free".to_owned()))?;
            let result = read(&connection);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            drop(permit);
            result
        })
        .await
        .map_err(|e| stopped(&e))?
    }
}
