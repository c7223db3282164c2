//! What a commit tells the chains: for each tenant, the items of its next link.

use toolgate_domain::{
    TenantId,
    audit::{ITEM_BYTES, Item},
};

#[derive(Default)]
pub(crate) struct News(Vec<(TenantId, Vec<u8>)>);

impl News {
    pub(crate) fn add(&mut self, tenant: TenantId, items: impl IntoIterator<Item = Item>) {
        for item in items {
            let place = self.0.iter().position(|(known, _)| *known == tenant).unwrap_or_else(|| {
                self.0.push((tenant, Vec::with_capacity(64 * ITEM_BYTES)));
                self.0.len() - 1
            });
            if let Some((_, bytes)) = self.0.get_mut(place) {
                bytes.extend_from_slice(&item.to_bytes());
            }
        }
    }

    pub(crate) fn take(&mut self) -> Vec<(TenantId, Vec<u8>)> {
        std::mem::take(&mut self.0)
    }
}
