//! What a run of an agent left behind, all of it in one piece: for those who export it.

use std::collections::{BTreeSet, VecDeque};

use bytes::Bytes;
use futures::StreamExt;
use toolgate_domain::{
    AgentId, BlobId, Invocation, InvocationId, RunId, RunStep, TenantId, ToolName, json::sha256_hex,
};
use toolgate_store::StoreError;

use crate::{Engine, Redactor};

/// Steps that are read at a time.
const PAGE: usize = 100;
/// Calls under the calls of a run that are told of.
const MAX_UNDER: usize = 1_000;
/// Bytes of one blob, and of all of them, that are read.
const MAX_BLOB_BYTES: u64 = 1024 * 1024;
const MAX_BLOBS_BYTES: u64 = 8 * 1024 * 1024;
/// As many as one redactor knows.
const SECRETS_AT_A_TIME: usize = 256;

/// The call that a run is, its steps, and the calls that it made.
pub struct RunRecord {
    pub outer: Invocation,
    pub steps: Vec<RunStep>,
    /// In the order of their places.
    pub calls: Vec<Invocation>,
    /// What those calls called in turn, however deep; up to a bound.
    pub under: Vec<Invocation>,
    pub blobs: Vec<RecordedBlob>,
}

/// What was too big for an envelope.
pub struct RecordedBlob {
    pub id: BlobId,
    pub bytes: u64,
    /// Absent when there is too much of it; so is the hash.
    pub content: Option<Bytes>,
    pub sha256: Option<String>,
}

impl Engine {
    /// What a run did. Nothing when there is no such call in this tenant, or it is no run.
    pub async fn run_record(&self, tenant: TenantId, run: RunId) -> Result<Option<RunRecord>, StoreError> {
        let id = InvocationId::from_uuid(run.uuid());
        let Some(outer) = self.stores.invocations.get(tenant, id).await? else {
            return Ok(None);
        };
        let steps = self.steps_of(tenant, run).await?;
        if steps.is_empty() {
            return Ok(None);
        }
        let mut calls = self.children_of(&outer).await?;
        calls.sort_by_key(|call| call.seq);
        let under = self.under(&calls).await?;
        let blobs = self.blobs_of(calls.iter().chain(&under)).await?;
        Ok(Some(RunRecord { outer, steps, calls, under, blobs }))
    }

    async fn steps_of(&self, tenant: TenantId, run: RunId) -> Result<Vec<RunStep>, StoreError> {
        let mut steps: Vec<RunStep> = Vec::new();
        loop {
            let from = steps.last().map_or(0, |step| step.seq + 1);
            let page = self.stores.steps.steps(tenant, run, from, PAGE).await?;
            let is_last = page.len() < PAGE;
            steps.extend(page);
            if is_last {
                return Ok(steps);
            }
        }
    }

    async fn children_of(&self, row: &Invocation) -> Result<Vec<Invocation>, StoreError> {
        let most = usize::try_from(self.limits.max_inner_calls).unwrap_or(usize::MAX);
        self.stores.suspensions.children(row.tenant_id, row.id, most).await
    }

    async fn under(&self, calls: &[Invocation]) -> Result<Vec<Invocation>, StoreError> {
        let mut above: VecDeque<Invocation> = calls.to_vec().into();
        let mut found = Vec::new();
        while let Some(row) = above.pop_front()
            && found.len() < MAX_UNDER
        {
            let mut children = self.children_of(&row).await?;
            children.truncate(MAX_UNDER - found.len());
            above.extend(children.iter().cloned());
            found.extend(children);
        }
        Ok(found)
    }

    async fn blobs_of(
        &self,
        rows: impl Iterator<Item = &Invocation>,
    ) -> Result<Vec<RecordedBlob>, StoreError> {
        let (mut blobs, mut left) = (Vec::new(), MAX_BLOBS_BYTES);
        for row in rows {
            for attachment in &row.outcome.attachments {
                let id = attachment.url.rsplit('/').next().and_then(|id| id.parse::<BlobId>().ok());
                let Some(id) = id else { continue };
                let bytes = attachment.bytes.unwrap_or(u64::MAX);
                let content = if bytes <= MAX_BLOB_BYTES.min(left) {
                    self.content_of(row.tenant_id, id, bytes).await?
                } else {
                    None
                };
                left -= content.as_ref().map_or(0, |content| (content.len() as u64).min(left));
                let sha256 = content.as_ref().map(|content| sha256_hex(content));
                blobs.push(RecordedBlob { id, bytes, content, sha256 });
            }
        }
        Ok(blobs)
    }

    /// Nothing when it is gone, or is not as large as it should be.
    async fn content_of(
        &self,
        tenant: TenantId,
        id: BlobId,
        bytes: u64,
    ) -> Result<Option<Bytes>, StoreError> {
        let Some(mut read) = self.stores.blobs.read(tenant, id).await?.filter(|read| read.bytes == bytes)
        else {
            return Ok(None);
        };
        let mut content = Vec::new();
        while let Some(piece) = read.stream.next().await {
            content.extend_from_slice(&piece?);
        }
        Ok(Some(content.into()))
    }

    /// What knows every secret that the agent's calls of these tools would get, as they are now. What a model said may hold one that a
    /// receipt has no more: it was said before any tool was asked. Fails when a secret cannot be opened: then nobody can tell.
    pub async fn run_redactors(
        &self,
        tenant: TenantId,
        agent: AgentId,
        tools: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Vec<Redactor>, StoreError> {
        let unknown = |error: String| StoreError::Unavailable(format!("what must be redacted: {error}"));
        let Some(caller) = self.agent_caller(tenant, agent).await? else {
            return Ok(Vec::new());
        };
        let snapshot = self.registry.snapshot(tenant).await?;
        let mut names = BTreeSet::new();
        for (name, version) in tools {
            let Ok(name) = name.parse::<ToolName>() else { continue };
            let known = snapshot.versions(&name).iter();
            for live in known.filter(|live| live.tool.spec.version.to_string() == version) {
                names.extend(live.tool.spec.secrets.iter().cloned());
            }
        }
        let names: Vec<String> = names.into_iter().collect();
        let mut redactors = Vec::new();
        for names in names.chunks(SECRETS_AT_A_TIME) {
            let (_, values) =
                self.secrets.resolve(&caller, names).await.map_err(|error| unknown(error.to_string()))?;
            redactors.push(Redactor::new(values.pairs()).map_err(|error| unknown(error.to_string()))?);
        }
        Ok(redactors)
    }
}
