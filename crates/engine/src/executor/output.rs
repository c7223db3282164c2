//! The output is held against its schema; what is too big for the envelope goes to a blob, piece by piece.

use std::{io::Write, sync::Arc};

use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolgate_domain::{
    Attachment, AttachmentKind, BlobId, ErrorCode, Outcome, ToolError,
    json::{check_value, encoded_len, preview},
};
use toolgate_store::{BlobRecord, StoreError};

use super::prepare::Prepared;
use crate::{
    Engine, NewAttachment, Output,
    registry::{LiveTool, complaints},
};

/// Files that one call may attach.
const MAX_ATTACHMENTS: usize = 32;
const PIECE_BYTES: usize = 64 * 1024;
/// Outputs may nest a little deeper than inputs: a tool may wrap what it was given.
pub(super) const MAX_OUTPUT_DEPTH: usize = 100;

impl Engine {
    /// The outcome of a call that its runtime ended well, and the blobs that belong to it.
    pub(super) async fn check_output(
        &self,
        prepared: &Prepared,
        live: &LiveTool,
        mut output: Output,
    ) -> (Outcome, Vec<BlobRecord>) {
        let secrets = &prepared.secrets;
        let failed =
            |error| (Outcome { error: Some(secrets.redacted(error)), ..Outcome::default() }, Vec::new());
        // Redacted first: what the checks say of an output may quote it.
        if let Err(error) = secrets.redact_output(&mut output.value) {
            return failed(broken_contract(live, vec![json!({"path": "", "message": error})]));
        }
        if let Err(error) = check_contract(live, &output.value) {
            return failed(error);
        }
        let (attachments, mut blobs) =
            match self.keep_attachments(prepared, std::mem::take(&mut output.attachments)).await {
                Ok(kept) => kept,
                Err(error) => return failed(error),
            };
        let bytes = encoded_len(&output.value) as u64;
        if bytes <= self.limits.max_output_bytes {
            let outcome = Outcome {
                output: Some(output.value),
                cost_estimate: output.cost_estimate,
                attachments,
                ..Outcome::default()
            };
            return (outcome, blobs);
        }
        if bytes > self.limits.max_blob_bytes {
            let message =
                format!("the output has {bytes} bytes; at most {} are kept", self.limits.max_blob_bytes);
            return failed(ToolError::new(ErrorCode::ProviderError, message));
        }
        let value = Arc::new(output.value);
        match self.spill(prepared, Arc::clone(&value)).await {
            Err(error) => {
                tracing::error!(%error, "an output cannot be moved to the blob store");
                failed(ToolError::new(
                    ErrorCode::Unknown,
                    "the output is too big for its envelope, and the blob store does not answer",
                ))
            }
            Ok(blob) => {
                let budget = usize::try_from(self.limits.max_preview_bytes).unwrap_or(usize::MAX);
                let attachment = Attachment {
                    kind: AttachmentKind::Blob,
                    url: format!("/api/blobs/{}", blob.id),
                    content_type: Some(blob.content_type.clone()),
                    bytes: Some(blob.bytes),
                };
                let outcome = Outcome {
                    output: Some(preview(&value, budget)),
                    truncated: true,
                    attachments: attachments.into_iter().chain([attachment]).collect(),
                    cost_estimate: output.cost_estimate,
                    ..Outcome::default()
                };
                blobs.push(blob);
                (outcome, blobs)
            }
        }
    }

    /// Writes what a tool attached to its answer to blobs.
    async fn keep_attachments(
        &self,
        prepared: &Prepared,
        attached: Vec<NewAttachment>,
    ) -> Result<(Vec<Attachment>, Vec<BlobRecord>), ToolError> {
        let bytes: u64 = attached.iter().map(|attachment| attachment.bytes.len() as u64).sum();
        if bytes > self.limits.max_blob_bytes || attached.len() > MAX_ATTACHMENTS {
            let message = format!(
                "the tool attached {} files of {bytes} bytes; at most {MAX_ATTACHMENTS} and {} are kept",
                attached.len(),
                self.limits.max_blob_bytes
            );
            return Err(ToolError::new(ErrorCode::ProviderError, message));
        }
        // Bytes cannot be redacted as text can: whatever is inside would not be what it was.
        if attached.iter().any(|attachment| prepared.secrets.is_in(&attachment.bytes)) {
            let message = "what the tool attached holds one of its secrets; it is not kept";
            return Err(
                ToolError::new(ErrorCode::ProviderError, message).with_details(json!({"reason": "secret"}))
            );
        }
        let unkept = |error: StoreError| {
            tracing::error!(%error, "an attachment cannot be moved to the blob store");
            ToolError::new(ErrorCode::Unknown, "the blob store does not take what the tool attached")
        };
        let (mut attachments, mut blobs) = (Vec::new(), Vec::new());
        for attachment in attached {
            let (tenant, id) = (prepared.invocation.tenant_id, BlobId::generate(&*self.ids));
            let mut writer = self.stores.blobs.create(tenant, id).await.map_err(unkept)?;
            writer.write(attachment.bytes).await.map_err(unkept)?;
            let bytes = writer.finish().await.map_err(unkept)?;
            attachments.push(Attachment {
                kind: attachment.kind,
                url: format!("/api/blobs/{id}"),
                content_type: Some(attachment.content_type.clone()),
                bytes: Some(bytes),
            });
            blobs.push(BlobRecord {
                id,
                tenant_id: tenant,
                invocation_id: prepared.invocation.id,
                content_type: attachment.content_type,
                bytes,
                created_at: self.clock.now(),
            });
        }
        Ok((attachments, blobs))
    }

    /// Writes the value's JSON to a blob while it is being made: at no time does the whole text exist in memory.
    async fn spill(&self, prepared: &Prepared, value: Arc<Value>) -> Result<BlobRecord, StoreError> {
        let (tenant, id) = (prepared.invocation.tenant_id, BlobId::generate(&*self.ids));
        let mut writer = self.stores.blobs.create(tenant, id).await?;
        let (pieces, mut incoming) = mpsc::channel::<Bytes>(4);
        let encoder = tokio::task::spawn_blocking(move || {
            let mut out = std::io::BufWriter::with_capacity(PIECE_BYTES, Pieces(pieces));
            serde_json::to_writer(&mut out, &*value).map_err(std::io::Error::other)?;
            out.flush()
        });
        while let Some(piece) = incoming.recv().await {
            if let Err(error) = writer.write(piece).await {
                writer.abort().await.ok();
                return Err(error);
            }
        }
        match encoder.await {
            Ok(Ok(())) => {}
            broken => {
                writer.abort().await.ok();
                return Err(StoreError::Unavailable(format!("the output could not be encoded: {broken:?}")));
            }
        }
        let bytes = writer.finish().await?;
        Ok(BlobRecord {
            id,
            tenant_id: tenant,
            invocation_id: prepared.invocation.id,
            content_type: "application/json".to_owned(),
            bytes,
            created_at: self.clock.now(),
        })
    }
}

fn check_contract(live: &LiveTool, value: &Value) -> Result<(), ToolError> {
    check_value(value, MAX_OUTPUT_DEPTH)
        .map_err(|e| broken_contract(live, vec![json!({"path": "", "message": e.to_string()})]))?;
    let found = match live.output_validator() {
        None => Vec::new(),
        Some(Ok(validator)) => complaints(validator, value),
        Some(Err(message)) => vec![json!({"path": "", "message": message})],
    };
    if found.is_empty() { Ok(()) } else { Err(broken_contract(live, found)) }
}

fn broken_contract(live: &LiveTool, complaints: Vec<Value>) -> ToolError {
    let message = format!("the output of {} breaks the tool's own contract", live.tool.spec.id());
    ToolError::new(ErrorCode::ProviderError, message)
        .with_details(json!({"reason": "output_schema", "errors": complaints}))
}

/// A writer whose buffer is a bounded channel.
struct Pieces(mpsc::Sender<Bytes>);

impl Write for Pieces {
    fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
        let sent = self.0.blocking_send(Bytes::copy_from_slice(piece));
        sent.map(|()| piece.len()).map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
