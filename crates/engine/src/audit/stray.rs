//! The numbers differ: which record does the chain not name, or name twice?

use std::collections::HashMap;

use toolgate_domain::{
    TenantId,
    audit::{ItemKind, read_items},
    ids::Uuid,
};
use toolgate_store::{StoreError, Stores};

use super::finding::{Finding, FindingKind, name};

const LINKS: usize = 1_000;
/// The chain is read once for so many records: 16 bytes each, and as much again.
const RECORDS: usize = 100_000;

/// The first record, by id, that the chain does not name exactly once.
pub(super) async fn first(
    stores: &Stores,
    tenant: TenantId,
    kind: ItemKind,
    named: u64,
    counted: u64,
) -> Result<Finding, StoreError> {
    let mut after = Uuid::nil();
    loop {
        let ids = stores.audit.ids(tenant, kind, after, RECORDS).await?;
        let Some(last) = ids.last() else { break };
        after = *last;
        // The chain is read after the ids: a call that ended meanwhile is in it.
        let times = times_named(stores, tenant, kind, &ids).await?;
        for id in ids {
            let why = match times.get(&id) {
                Some(1) => continue,
                Some(0) | None => "no link of the chain names it: it was inserted",
                Some(_) => "the chain names it more than once: a link was inserted",
            };
            return Ok(Finding::new(FindingKind::Inserted, name(kind, id), why));
        }
    }
    let what = match kind {
        ItemKind::Receipt => "receipts",
        ItemKind::Event => "audit events",
    };
    let why = format!(
        "the chain names {named} {what}, and there are {counted}: records were changed while this ran"
    );
    Ok(Finding::new(FindingKind::Changed, what, why))
}

async fn times_named(
    stores: &Stores,
    tenant: TenantId,
    kind: ItemKind,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, u32>, StoreError> {
    let mut times: HashMap<Uuid, u32> = ids.iter().map(|id| (*id, 0)).collect();
    let mut after = 0;
    loop {
        let links = stores.audit.links(tenant, after, LINKS).await?;
        let Some(last) = links.last() else { return Ok(times) };
        after = last.seq;
        for item in links.iter().flat_map(|link| read_items(&link.items).unwrap_or_default()) {
            if let Some(times) = times.get_mut(&item.id).filter(|_| item.kind == kind) {
                *times += 1;
            }
        }
    }
}
