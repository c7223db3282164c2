//! Verifying the chain of a running server. Calls go on meanwhile: what is verified is the chain as it was at one moment.

use toolgate_domain::{
    InvocationId, TenantId,
    audit::{ItemKind, Receipt},
};
use toolgate_store::{Counts, StoreError};

use super::{
    compare::Seen,
    finding::{Finding, FindingKind, KeySource, Verification},
    stray,
    verifier::Verifier,
    walk::{Step, Walk},
};
use crate::Engine;

/// Why a verification stops early.
enum Stop {
    Found(Finding),
    Store(StoreError),
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Self {
        Self::Found(finding)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Engine {
    /// Whether everything is as it was recorded; if not, the first record that is not.
    pub async fn verify_audit(&self, tenant: TenantId) -> Result<Verification, StoreError> {
        self.sign_before_verifying().await?;
        let key = self.audit_public_key();
        let mut verifier = Verifier::new(tenant, key);
        let finding = match self.verify_with(tenant, &mut verifier).await {
            Ok(()) => None,
            Err(Stop::Found(finding)) => Some(finding),
            Err(Stop::Store(error)) => return Err(error),
        };
        Ok(Verification::new(verifier.totals(), Some(key), KeySource::Server, finding))
    }

    async fn verify_with(&self, tenant: TenantId, verifier: &mut Verifier) -> Result<(), Stop> {
        let there = self.stores.audit.counts(tenant).await?;
        let mut walk = Walk::new(&self.stores, tenant, there.head.seq);
        loop {
            let steps = walk.next().await?;
            if steps.is_empty() {
                break;
            }
            for step in &steps {
                match step {
                    Step::Receipt(row, named) => {
                        let (receipt, digest) = Receipt::named_by(row, named);
                        // Ends that were recorded before receipts named attempts left the process in the row.
                        if receipt.attempt.is_some() && row.node_id.is_some() && digest == *named {
                            return Err(names_a_process(row.id).into());
                        }
                        verifier.record(Seen::new(ItemKind::Receipt, row.id.uuid(), digest))?;
                    }
                    Step::Event(event) => {
                        verifier.record(Seen::new(ItemKind::Event, event.id.uuid(), event.digest()))?;
                    }
                    Step::Unreadable => verifier.record(Seen::UNREADABLE)?,
                    Step::Link(link) => verifier.link(link)?,
                    Step::Signed(head) => verifier.signed(head)?,
                }
            }
        }
        verifier.end(&there)?;
        self.beyond_the_end(tenant, &there, &mut walk).await?;
        for (kind, named, counted) in [
            (ItemKind::Receipt, verifier.totals().receipts, there.receipts),
            (ItemKind::Event, verifier.totals().events, there.events),
        ] {
            if named != counted {
                return Err(stray::first(&self.stores, tenant, kind, named, counted).await?.into());
            }
        }
        Ok(())
    }

    /// Signs the end of the tenant's chain, so that it is verified as well. An end that cannot be signed makes no difference to what is
    /// found: where it was moved to another tenant, that is what is to be found.
    async fn sign_before_verifying(&self) -> Result<(), StoreError> {
        match self.sign_heads().await {
            Err(error) if !matches!(error, StoreError::Unavailable(_)) => {
                tracing::warn!(%error, "the end of a chain cannot be signed before it is verified");
                Ok(())
            }
            other => other,
        }
    }

    /// What lies after the last link must have come since: a signature or a link that the chain's end has not reached is a
    /// trace of what was cut off, or was put there.
    async fn beyond_the_end(
        &self,
        tenant: TenantId,
        there: &Counts,
        walk: &mut Walk<'_>,
    ) -> Result<(), Stop> {
        let signed = walk.peek_signed().await?.cloned();
        let link = self.stores.audit.links(tenant, there.head.seq, 1).await?.pop();
        let end = self.stores.audit.head(tenant).await?.seq;
        if let Some(head) = signed.filter(|head| head.seq > end) {
            let why = format!(
                "the server signed link {} at {}, and the chain ends with link {end}: its end was cut off",
                head.seq, head.signed_at
            );
            return Err(Finding::new(FindingKind::Truncated, format!("head {}", head.seq), why).into());
        }
        if let Some(link) = link.filter(|link| link.seq > end) {
            let why = format!("the chain ends with link {end}: this one was inserted");
            return Err(Finding::new(FindingKind::Inserted, format!("link {}", link.seq), why).into());
        }
        Ok(())
    }
}

fn names_a_process(id: InvocationId) -> Finding {
    let why = "it has ended, and names a process that runs it: its node_id was changed after it was recorded";
    Finding::new(FindingKind::Changed, id, why)
}
