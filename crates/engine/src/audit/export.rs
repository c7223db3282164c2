//! The chain as a file that can be verified without the server: JSON lines, in the order of the chain.

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::sync::mpsc;
use toolgate_domain::{
    TenantId,
    audit::{ItemKind, Receipt, read_items},
};
use toolgate_store::StoreError;

use super::{
    lines::{EndLine, FORMAT, HeadLine, Header, Line, LinkLine, hex, write_record},
    walk::{Step, Walk},
};
use crate::Engine;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("the export ends early: {0}")]
    Store(#[from] StoreError),
    #[error("the export ends early: nobody reads it any more")]
    Closed,
}

struct Writer {
    out: mpsc::Sender<Bytes>,
    sha256: Sha256,
}

impl Writer {
    async fn write(&mut self, lines: &[String]) -> Result<(), ExportError> {
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        self.sha256.update(&text);
        self.out.send(text.into()).await.map_err(|_| ExportError::Closed)
    }
}

impl Engine {
    /// Sends the tenant's chain, with everything that it vouches for, a few records at a time.
    pub async fn export_audit(&self, tenant: TenantId, out: mpsc::Sender<Bytes>) -> Result<(), ExportError> {
        let audit = &self.stores.audit;
        let there = audit.counts(tenant).await?;
        // A call may end between signing and looking: the end of this very file has a signature.
        if there.head.seq > 0 {
            audit.sign(tenant, &self.head_signer.head(tenant, there.head, self.clock.now())).await?;
        }
        let mut writer = Writer { out, sha256: Sha256::new() };
        let header = Header {
            format: FORMAT.to_owned(),
            tenant_id: tenant,
            public_key: self.audit_public_key().to_string(),
            exported_at: self.clock.now(),
            links: there.head.seq,
            hash: hex(&there.head.hash),
            receipts: there.receipts,
            events: there.events,
        };
        writer.write(&[Line::Header(header).write()]).await?;
        let mut walk = Walk::new(&self.stores, tenant, there.head.seq);
        let mut heads = 0;
        loop {
            let steps = walk.next().await?;
            if steps.is_empty() {
                break;
            }
            let lines: Vec<_> = steps.iter().map(|step| line(step, &mut heads)).collect();
            writer.write(&lines).await?;
        }
        let sha256 = writer.sha256.clone().finalize().into();
        let signature = hex(&self.head_signer.export(&sha256));
        writer.write(&[Line::End(EndLine { sha256: hex(&sha256), signature }).write()]).await
    }
}

fn line(step: &Step, heads: &mut u64) -> String {
    match step {
        Step::Receipt(row, named) => write_record(ItemKind::Receipt, &Receipt::named_by(row, named).0),
        // By way of a value, which sorts the keys: these are the bytes that the digest is over.
        Step::Event(event) => write_record(ItemKind::Event, &serde_json::to_value(event).unwrap_or_default()),
        Step::Unreadable => Line::Unreadable.write(),
        Step::Link(link) => {
            let items = read_items(&link.items).unwrap_or_default();
            Line::Link(LinkLine::new(link, &items)).write()
        }
        Step::Signed(head) => {
            *heads += 1;
            Line::Head(HeadLine::new(*heads, head)).write()
        }
    }
}
