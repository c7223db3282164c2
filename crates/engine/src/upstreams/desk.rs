use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use toolgate_domain::{TenantId, UpstreamId};

use crate::UpstreamSource;

type Key = (TenantId, UpstreamId);

/// Where upstreams are asked, and what they offer is looked at.
pub(crate) struct Desk {
    pub(super) source: Option<Arc<dyn UpstreamSource>>,
    /// Held while the documents of upstreams are changed by this process; other processes are noticed by the revision.
    pub(super) changing: tokio::sync::Mutex<()>,
    /// Who is being asked; `true` when somebody wants them asked once more.
    asking: Mutex<HashMap<Key, bool>>,
}

impl Desk {
    pub(crate) fn new(source: Option<Arc<dyn UpstreamSource>>) -> Self {
        Self { source, changing: tokio::sync::Mutex::new(()), asking: Mutex::default() }
    }

    /// Takes the place of the one who asks; without one, whoever has it asks once more.
    pub(super) fn begin(&self, key: Key) -> bool {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        match asking.get_mut(&key) {
            Some(again) => {
                *again = true;
                false
            }
            None => asking.insert(key, false).is_none(),
        }
    }

    /// Gives the place back, unless somebody wants it asked once more.
    pub(super) fn again(&self, key: Key) -> bool {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        match asking.get_mut(&key) {
            Some(again) if *again => {
                *again = false;
                true
            }
            _ => {
                asking.remove(&key);
                false
            }
        }
    }

    pub(super) fn leave(&self, key: Key) {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }
}
