//! Asking a server what it offers, with the secrets of whoever asks.

use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, ToolError,
    governance::{Upstream, UpstreamTool},
};
use toolgate_store::StoreError;

use super::Upstreams;
use crate::{Engine, Redactor, RuleError, RunSecrets, SecretError, UpstreamOffer, UpstreamSource};

/// What was heard of a server: what it offers, or why it cannot be known.
pub(super) type Heard = Result<UpstreamOffer, ToolError>;

impl Upstreams<'_> {
    pub(super) fn source(&self) -> Result<&dyn UpstreamSource, RuleError> {
        self.engine.upstream_desk.source.as_deref().ok_or_else(|| {
            RuleError::Conflict(
                "this process connects to no MCP servers: ask one that serves requests".to_owned(),
            )
        })
    }

    pub(super) async fn ask(&self, caller: &Caller, upstream: &Upstream) -> Result<Heard, RuleError> {
        let source = self.source()?;
        let values = match self.engine.secrets_of(caller, upstream).await? {
            Ok(values) => values,
            Err(error) => return Ok(Err(error)),
        };
        let heard = source.offers(caller.tenant_id, upstream, &values).await;
        let Ok(redactor) = Redactor::new(values.pairs()) else {
            return Ok(Err(ToolError::new(
                ErrorCode::Unknown,
                "the secrets of the MCP server are too many to be kept",
            )));
        };
        Ok(match heard {
            Ok(mut offer) => {
                offer.server = redactor.redact_text(&offer.server).into_owned();
                offer.tools.iter_mut().for_each(|tool| redact_definition(&redactor, tool));
                Ok(offer)
            }
            Err(mut error) => {
                error.message = redactor.redact_text(&error.message).into_owned();
                if let Some(details) = &mut error.details {
                    redactor.redact_value(details);
                }
                Err(error)
            }
        })
    }
}

impl Engine {
    /// The secrets that a server names, opened for this caller; what they must be told where that cannot be.
    pub(crate) async fn secrets_of(
        &self,
        caller: &Caller,
        upstream: &Upstream,
    ) -> Result<Result<RunSecrets, ToolError>, StoreError> {
        let names: Vec<String> = upstream.secrets().into_iter().collect();
        let (found, values) = match self.secrets.resolve(caller, &names).await {
            Ok(resolved) => resolved,
            Err(SecretError::Store(error)) => return Err(error),
            Err(error) => {
                tracing::error!(%error, tenant = %caller.tenant_id, "the secrets of an MCP server cannot be opened");
                let message =
                    "the secrets of the MCP server cannot be opened: an operator finds the reason in the log";
                return Ok(Err(ToolError::new(ErrorCode::AuthRequired, message)));
            }
        };
        if !found.missing.is_empty() {
            return Ok(Err(missing(upstream, &found.missing)));
        }
        self.secrets.note_use(caller.tenant_id, &found);
        Ok(Ok(values))
    }
}

/// A login is made in the browser, and comes after what it needs itself.
fn missing(upstream: &Upstream, names: &[String]) -> ToolError {
    let login = upstream.login_secret();
    let values: Vec<_> =
        names.iter().filter(|name| Some(*name) != login.as_ref()).map(String::as_str).collect();
    let name = &upstream.name;
    let message = if values.is_empty() {
        format!(
            "nobody logged in to the MCP server yet: toolgate mcp login {name}, then toolgate mcp server refresh {name}"
        )
    } else {
        format!("the MCP server needs the secrets {}: set them, then refresh", values.join(", "))
    };
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"missing": names}))
}

/// A server that was sent a secret must not show it to everybody who reads about its tools.
pub fn redact_definition(redactor: &Redactor, tool: &mut UpstreamTool) {
    if redactor.is_empty() {
        return;
    }
    let text = |text: &mut String| *text = redactor.redact_text(text).into_owned();
    text(&mut tool.name);
    tool.title.iter_mut().for_each(text);
    tool.description.iter_mut().for_each(text);
    let schema = |schema: &mut Value| redactor.redact_value(schema);
    schema(&mut tool.input_schema);
    tool.output_schema.iter_mut().for_each(schema);
}
