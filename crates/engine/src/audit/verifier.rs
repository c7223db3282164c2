//! The rules, without knowing where the chain comes from: a database and a file are held to the same.

use toolgate_domain::{
    TenantId,
    audit::{ItemKind, link_hash, read_items},
};
use toolgate_store::{Counts, Head, Link, SignedHead};

use super::{
    PublicKey,
    compare::{Seen, first_difference},
    finding::{Finding, FindingKind, Totals},
};

/// One link names what one commit wrote; no commit writes this much.
const MAX_RECORDS_BEFORE_A_LINK: usize = 1_000_000;

/// Is fed a chain in order: the records of a link, the link, the signatures of its hash; and so on.
pub(super) struct Verifier {
    tenant: TenantId,
    key: PublicKey,
    head: Head,
    seen: Vec<Seen>,
    newest_signed: u64,
    totals: Totals,
}

impl Verifier {
    pub(super) fn new(tenant: TenantId, key: PublicKey) -> Self {
        Self {
            tenant,
            key,
            head: Head::default(),
            seen: Vec::new(),
            newest_signed: 0,
            totals: Totals::default(),
        }
    }

    pub(super) fn totals(&self) -> Totals {
        self.totals
    }

    /// The last link that is as it should be.
    pub(super) fn head(&self) -> Head {
        self.head
    }

    pub(super) fn record(&mut self, seen: Seen) -> Result<(), Finding> {
        if self.seen.len() >= MAX_RECORDS_BEFORE_A_LINK {
            return Err(self.unclaimed(&seen));
        }
        self.seen.push(seen);
        Ok(())
    }

    pub(super) fn link(&mut self, link: &Link) -> Result<(), Finding> {
        let seq = self.head.seq + 1;
        let record = format!("link {seq}");
        let holds = link_hash(&self.head.hash, seq, &link.items) == link.hash;
        if link.seq != seq {
            return Err(if holds {
                let why = format!("it calls itself link {}: its number was changed", link.seq);
                Finding::new(FindingKind::Changed, record, why)
            } else if link.seq < seq {
                let why = format!("it comes after link {}: it was inserted", self.head.seq);
                Finding::new(FindingKind::Inserted, format!("link {}", link.seq), why)
            } else {
                self.missing_link(&format!("link {}", link.seq))
            });
        }
        let items = read_items(&link.items).filter(|_| holds).ok_or_else(|| {
            let why = "its hash is not that of the link before it, its number and its items: one of them was changed";
            Finding::new(FindingKind::BrokenLink, record, why)
        })?;
        if let Some(difference) = first_difference(seq, &items, &self.seen) {
            return Err(difference);
        }
        self.seen.clear();
        self.head = Head { seq, hash: link.hash };
        self.totals.links += 1;
        let receipts = items.iter().filter(|item| item.kind == ItemKind::Receipt).count() as u64;
        self.totals.receipts += receipts;
        self.totals.events += items.len() as u64 - receipts;
        Ok(())
    }

    pub(super) fn signed(&mut self, head: &SignedHead) -> Result<(), Finding> {
        let bad = |why: String| Finding::new(FindingKind::BadSignature, format!("head {}", head.seq), why);
        if !self.key.vouches_for(self.tenant, head) {
            return Err(bad(format!(
                "its signature is not one of the key {}: it was changed or forged",
                self.key
            )));
        }
        if head.seq > self.head.seq {
            return Err(self.missing_link(&format!("head {}", head.seq)));
        }
        if let Some(seen) = self.seen.first() {
            return Err(self.unclaimed(seen));
        }
        if head.seq != self.head.seq || head.seq <= self.newest_signed {
            return Err(bad(format!("it stands after link {}: it is not in its place", self.head.seq)));
        }
        if head.hash != self.head.hash {
            return Err(bad(format!(
                "the server signed another hash of link {} at {}: what came after link {} was rewritten and chained anew",
                head.seq, head.signed_at, self.newest_signed
            )));
        }
        self.newest_signed = head.seq;
        self.totals.signed_heads += 1;
        Ok(())
    }

    /// The chain ended; this is where it should.
    pub(super) fn end(&self, there: &Counts) -> Result<(), Finding> {
        let Head { seq, hash } = there.head;
        if self.head.seq < seq {
            let why = format!("the chain should reach link {seq} and ends before: its end was cut off");
            return Err(Finding::new(FindingKind::Truncated, format!("link {}", self.head.seq + 1), why));
        }
        if let Some(seen) = self.seen.first() {
            return Err(self.unclaimed(seen));
        }
        if (self.head.seq, self.head.hash) != (seq, hash) {
            let why =
                format!("it is kept as the end of the chain, which ends with another link {}", self.head.seq);
            return Err(Finding::new(FindingKind::BrokenLink, format!("head {seq}"), why));
        }
        Ok(())
    }

    /// Whether the server has signed the end of the chain.
    pub(super) fn is_signed(&self) -> bool {
        self.newest_signed == self.head.seq
    }

    fn missing_link(&self, next: &str) -> Finding {
        let record = format!("link {}", self.head.seq + 1);
        if self.seen.iter().any(|seen| seen.item.is_none()) {
            let why = format!("it cannot be read, and {next} comes next: it was changed");
            return Finding::new(FindingKind::Changed, record, why);
        }
        let why = format!("{next} follows link {}: what was between was removed", self.head.seq);
        Finding::new(FindingKind::Removed, record, why)
    }

    fn unclaimed(&self, seen: &Seen) -> Finding {
        let why = format!(
            "it stands after link {}, and no link names it: it was inserted or changed",
            self.head.seq
        );
        let kind = if seen.item.is_some() { FindingKind::Inserted } else { FindingKind::Changed };
        Finding::new(kind, seen.name(), why)
    }
}
