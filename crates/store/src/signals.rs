use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};
use toolgate_domain::{InvocationId, TenantId};

use crate::StoreError;

/// Something that every process should look at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    Tools,
    Keys,
    /// The rules of one tenant, or of any: people, roles, agents, permissions, policy.
    Rules(Option<TenantId>),
    Cancel(InvocationId),
}

/// Wake-ups between the processes that share a database. They carry no state: a lost one costs a moment, not a fact.
#[async_trait]
pub trait Signals: Send + Sync {
    /// Changes its value whenever the ledger grew.
    fn ledger(&self) -> watch::Receiver<u64>;

    fn subscribe(&self) -> broadcast::Receiver<Signal>;

    async fn publish(&self, signal: Signal) -> Result<(), StoreError>;
}
