//! The tools that an upstream offers, and whether one of them still is what was accepted.

use std::collections::HashMap;

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use toolgate_domain::{
    ToolError,
    governance::{Upstream, UpstreamTool},
    tool::Annotations,
};
use toolgate_engine::{UpstreamSecrets, redact_definition};

use super::{
    Upstreams,
    connect::redactor,
    failure::{self, provider},
    upstreams::Lease,
};

impl Upstreams {
    /// All of them, as they are now.
    pub(super) async fn tools_of(
        &self,
        lease: &Lease,
        secrets: &UpstreamSecrets,
    ) -> Result<Vec<UpstreamTool>, ToolError> {
        let patience = self.limits().list_timeout;
        let listed = tokio::time::timeout(patience, self.list(lease)).await;
        let tools = listed.unwrap_or_else(|_| {
            Err(failure::timeout("did not tell all of its tools", patience.as_millis()))
        })?;
        lease.session.note_offered(digests(&tools, secrets)?);
        Ok(tools)
    }

    /// Refuses a tool that is not offered as it was accepted. A connection that is new, or heard of a change, is asked what it offers
    /// before anything is called over it: an upstream that starts again may be another one, and the next refresh would come too late.
    pub(super) async fn confirm(
        &self,
        lease: &Lease,
        upstream: &Upstream,
        tool: &str,
        secrets: &UpstreamSecrets,
    ) -> Result<(), ToolError> {
        let import = upstream.imports.get(tool);
        let Some(accepted) = import.and_then(|import| import.digest.as_deref()) else { return Ok(()) };
        let session = &lease.session;
        if session.offers(tool, accepted) {
            return Ok(());
        }
        let _reading = session.reading.lock().await;
        // Somebody may have read it meanwhile.
        if session.offers(tool, accepted) {
            return Ok(());
        }
        self.tools_of(lease, secrets).await?;
        if session.offers(tool, accepted) {
            return Ok(());
        }
        // The engine looks as well, and shuts the tool for everybody.
        session.link.list_changed();
        let server = &upstream.name;
        Err(ToolError::denied(format!(
            "`{tool}` of the MCP server `{server}` is not what was accepted any more, and nothing was sent: a person asks for it with `toolgate mcp server refresh {server}` and looks at it with \
             `toolgate mcp server diff {server} {tool}`"
        ))
        .with_details(json!({"reason": "changed", "server": server, "tool": tool})))
    }

    async fn list(&self, lease: &Lease) -> Result<Vec<UpstreamTool>, ToolError> {
        let most = self.limits().tools;
        let (mut tools, mut cursor) = (Vec::new(), None::<String>);
        lease.session.link.reading_list();
        loop {
            let (page, next) = lease.session.tools(cursor.clone()).await.map_err(|error| {
                let failure = failure::of_request(error, lease.session.link.fault(), self.now_ms());
                if failure.broke {
                    self.broke(&lease.lane);
                }
                failure.error
            })?;
            let is_empty = page.is_empty();
            tools.extend(page.into_iter().map(read));
            match next {
                None => return Ok(tools),
                // More are left off, whatever they are.
                _ if tools.len() > most => return Ok(tools),
                // Empty pages without end, or the same one again and again.
                Some(next) if is_empty || cursor.as_ref() == Some(&next) => {
                    return Err(provider("protocol", "the upstream's list of tools does not end"));
                }
                Some(next) => cursor = Some(next),
            }
        }
    }
}

/// As the engine computes them; of two tools of one name the first counts, there as here.
fn digests(tools: &[UpstreamTool], secrets: &UpstreamSecrets) -> Result<HashMap<String, String>, ToolError> {
    let redactor = redactor(secrets)?;
    let mut digests = HashMap::with_capacity(tools.len());
    for tool in tools {
        let mut shown = tool.clone();
        redact_definition(&redactor, &mut shown);
        // What has no digest was never accepted.
        if let Ok(digest) = shown.digest() {
            digests.entry(shown.name).or_insert(digest);
        }
    }
    Ok(digests)
}

/// A tool as an upstream describes it.
fn read(tool: Tool) -> UpstreamTool {
    let annotations = tool.annotations.unwrap_or_default();
    let schema = |schema: std::sync::Arc<JsonObject>| {
        Value::Object(std::sync::Arc::try_unwrap(schema).unwrap_or_else(|shared| (*shared).clone()))
    };
    UpstreamTool {
        name: tool.name.into_owned(),
        title: tool.title.or(annotations.title),
        description: tool.description.map(std::borrow::Cow::into_owned),
        input_schema: schema(tool.input_schema),
        output_schema: tool.output_schema.map(schema),
        annotations: Annotations {
            read_only_hint: annotations.read_only_hint,
            destructive_hint: annotations.destructive_hint,
            idempotent_hint: annotations.idempotent_hint,
            open_world_hint: annotations.open_world_hint,
        },
    }
}
