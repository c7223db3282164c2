//! What clients in the database did is put into the chain here: the digests are over forms that SQL cannot print.

use std::collections::BTreeMap;

use toolgate_domain::{
    AuditId, InvocationId, TenantId,
    audit::{Item, ItemKind, Receipt},
};
use toolgate_store::{StoreError, Unsealed};

use crate::Engine;

const PAGE: usize = 200;

impl Engine {
    /// Seals everything that is owed; answers how many records that were.
    pub(crate) async fn seal_owed(&self) -> Result<usize, StoreError> {
        let mut sealed = 0;
        loop {
            let mut items: BTreeMap<TenantId, Vec<Item>> = BTreeMap::new();
            for owed in self.stores.audit.unsealed(PAGE).await? {
                items.entry(owed.tenant_id).or_default().extend(self.item_of(owed).await?);
            }
            let before = sealed;
            for (tenant, items) in items {
                sealed += self.stores.audit.seal(tenant, &items).await?;
            }
            // Nothing left, or another process does it.
            if sealed == before {
                return Ok(sealed);
            }
        }
    }

    async fn item_of(&self, owed: Unsealed) -> Result<Option<Item>, StoreError> {
        let tenant = owed.tenant_id;
        Ok(match owed.kind {
            ItemKind::Receipt => {
                let row = self.stores.invocations.get(tenant, InvocationId::from_uuid(owed.id)).await?;
                row.filter(|row| row.phase.is_terminal()).map(|row| Receipt::of(&row).item())
            }
            ItemKind::Event => {
                let found = self.stores.audit.events_by_id(tenant, &[AuditId::from_uuid(owed.id)]).await?;
                found.first().map(|event| event.item())
            }
        })
    }
}
