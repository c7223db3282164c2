//! What calls leave behind, as resources: outputs that are too long to be told, and blobs.

use bytes::BytesMut;
use futures::TryStreamExt;
use rmcp::{
    ErrorData,
    model::{ReadResourceResult, ResourceContents, ResourceTemplate},
};
use serde_json::{Value, json};
use toolgate_domain::{BlobId, Caller, Envelope, InvocationId, Scope};

use super::{Gateway, results::unavailable};

const OURS: &str = "toolgate://";
const BLOBS: &str = "toolgate://blobs/";
const INVOCATIONS: &str = "toolgate://invocations/";

pub(super) fn blob_uri(id: &str) -> String {
    format!("{BLOBS}{id}")
}

pub(super) fn output_uri(id: InvocationId) -> String {
    format!("{INVOCATIONS}{id}/output")
}

/// Whether an address is one of ours, whoever else claims it. Schemes are the same in whatever case.
pub(super) fn is_ours(uri: &str) -> bool {
    uri.get(..OURS.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(OURS))
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(format!("{BLOBS}{{id}}"), "blob")
            .with_description("A file that a call left behind; results link to it."),
        ResourceTemplate::new(format!("{INVOCATIONS}{{id}}/output"), "output")
            .with_description("The whole output of a call.")
            .with_mime_type("application/json"),
    ]
}

impl Gateway {
    /// Reads what one of one's own calls left behind; those of others with `invocations:read`.
    pub(super) async fn read(&self, caller: &Caller, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let missing = || not_found(uri);
        if let Some(id) = uri.strip_prefix(BLOBS) {
            let id: BlobId = id.parse().map_err(|_| missing())?;
            return self.read_blob(caller, uri, id).await?.ok_or_else(missing);
        }
        let id = uri.strip_prefix(INVOCATIONS).and_then(|rest| rest.strip_suffix("/output"));
        let id: InvocationId = id.and_then(|id| id.parse().ok()).ok_or_else(missing)?;
        let row = self.engine.stores().invocations.get(caller.tenant_id, id).await;
        let row = row.map_err(|error| unavailable(&error))?.filter(|row| may_read(caller, &row.caller));
        let output = row.and_then(|row| row.outcome.output).ok_or_else(missing)?;
        let text = ResourceContents::text(output.to_string(), uri).with_mime_type("application/json");
        Ok(ReadResourceResult::new(vec![text]))
    }

    async fn read_blob(
        &self,
        caller: &Caller,
        uri: &str,
        id: BlobId,
    ) -> Result<Option<ReadResourceResult>, ErrorData> {
        let stores = self.engine.stores();
        let record = stores.blob_index.find(id).await.map_err(|error| unavailable(&error))?;
        let Some(record) = record.filter(|record| record.tenant_id == caller.tenant_id) else {
            return Ok(None);
        };
        let row = stores.invocations.get(caller.tenant_id, record.invocation_id).await;
        let is_theirs =
            row.map_err(|error| unavailable(&error))?.is_some_and(|row| may_read(caller, &row.caller));
        if !is_theirs {
            return Ok(None);
        }
        let Some(bytes) = self.bytes_of(caller, id).await? else {
            let message = "the resource is too large for this protocol: read it over HTTP, at /api/blobs";
            return Err(ErrorData::invalid_params(message, None));
        };
        let kind = record.content_type;
        let is_text = kind.starts_with("text/") || kind.contains("json");
        let contents = match String::from_utf8(bytes) {
            Ok(text) if is_text => ResourceContents::text(text, uri),
            Ok(text) => ResourceContents::blob(data_encoding::BASE64.encode(text.as_bytes()), uri),
            Err(bytes) => ResourceContents::blob(data_encoding::BASE64.encode(bytes.as_bytes()), uri),
        };
        Ok(Some(ReadResourceResult::new(vec![contents.with_mime_type(kind)])))
    }

    /// The whole of an output that went to a blob, if it is not too large.
    pub(super) async fn whole_output(&self, envelope: &Envelope) -> Result<Option<Value>, ErrorData> {
        // The output is what was attached last.
        let id = envelope.attachments.last().and_then(|last| last.url.strip_prefix("/api/blobs/"));
        let Some(id) = id.and_then(|id| id.parse::<BlobId>().ok()) else { return Ok(None) };
        let record = self.engine.stores().blob_index.find(id).await.map_err(|error| unavailable(&error))?;
        let Some(record) = record else { return Ok(None) };
        let bytes = self.read_bounded(record.tenant_id, id).await?;
        Ok(bytes.and_then(|bytes| serde_json::from_str(std::str::from_utf8(&bytes).ok()?).ok()))
    }

    async fn bytes_of(&self, caller: &Caller, id: BlobId) -> Result<Option<Vec<u8>>, ErrorData> {
        self.read_bounded(caller.tenant_id, id).await
    }

    async fn read_bounded(
        &self,
        tenant: toolgate_domain::TenantId,
        id: BlobId,
    ) -> Result<Option<Vec<u8>>, ErrorData> {
        let max = self.engine.limits().mcp_max_result_bytes;
        let blob = self.engine.stores().blobs.read(tenant, id).await.map_err(|error| unavailable(&error))?;
        let Some(blob) = blob.filter(|blob| blob.bytes <= max) else { return Ok(None) };
        let mut stream = blob.stream;
        let mut bytes = BytesMut::new();
        while let Some(piece) = stream.try_next().await.map_err(|error| unavailable(&error))? {
            bytes.extend_from_slice(&piece);
            if bytes.len() as u64 > max {
                return Ok(None);
            }
        }
        Ok(Some(bytes.to_vec()))
    }
}

pub(super) fn not_found(uri: &str) -> ErrorData {
    ErrorData::resource_not_found("there is no such resource", Some(json!({"uri": uri})))
}

fn may_read(caller: &Caller, owner: &str) -> bool {
    owner == caller.principal.to_string() || (caller.agent_id.is_none() && caller.may(Scope::InvocationsRead))
}
