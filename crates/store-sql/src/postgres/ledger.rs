use async_trait::async_trait;
use toolgate_store::{Entry, Ledger, LedgerError};

use super::Postgres;

#[async_trait]
impl Ledger for Postgres {
    async fn record(&self, entry: Entry) -> Result<(), LedgerError> {
        self.writer.record(entry).await
    }
}
