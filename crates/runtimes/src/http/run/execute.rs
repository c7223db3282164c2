//! The order of one call.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time::Instant;
use toolgate_domain::{Clock, ErrorCode, TenantId, ToolError};
use toolgate_engine::{NewAttachment, SecretValue};

use super::{attempt, authorize::Credentials, build, pages, token::Tokens};
use crate::{
    builtin::evaluate,
    http::{
        HttpLimits,
        client::{Client, Gate, Outgoing, Response},
        config::{MappingTarget, Plan, Query},
        read::{self, Reading},
        wall::Wall,
    },
};

/// Where the values of secrets come from: the tool's own, for the length of the call.
pub(in crate::http) type SecretSource<'a> = &'a (dyn Fn(&str) -> Option<SecretValue> + Send + Sync);

/// What every call shares.
pub(in crate::http) struct Core {
    pub(in crate::http) client: Client,
    pub(in crate::http) clock: Arc<dyn Clock>,
    pub(in crate::http) limits: HttpLimits,
    /// The accounts of tools that limit themselves.
    pub(in crate::http) gate: Gate,
    pub(in crate::http) tokens: Tokens,
}

/// One call.
pub(in crate::http) struct Job<'a> {
    pub(in crate::http) plan: &'a Plan,
    pub(in crate::http) wall: &'a Wall,
    pub(in crate::http) secrets: SecretSource<'a>,
    pub(in crate::http) tenant: TenantId,
    /// Whose account the per-host limits of the tool are.
    pub(in crate::http) tool: String,
    /// The same for every attempt.
    pub(in crate::http) call_id: String,
    pub(in crate::http) deadline: Instant,
}

/// What the call answers.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::http) struct Answer {
    pub(in crate::http) value: Value,
    pub(in crate::http) attachments: Vec<NewAttachment>,
}

impl Core {
    pub(in crate::http) fn new(
        limits: HttpLimits,
        trusted: Vec<reqwest::Certificate>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, reqwest::Error> {
        let max_wait = Duration::from_millis(limits.max_wait_ms);
        Ok(Self {
            client: Client::new(limits.clone(), trusted)?,
            clock,
            gate: Gate::new(limits.max_hosts, max_wait),
            tokens: Tokens::new(limits.max_tokens),
            limits,
        })
    }

    /// The moment, for dates that hosts name.
    pub(super) fn now_ms(&self) -> i64 {
        self.clock.now().as_millis()
    }

    /// Runs a tool: its templates with the caller's values.
    pub(in crate::http) async fn execute(&self, job: &Job<'_>, input: &Value) -> Result<Answer, ToolError> {
        let request = build::build(job.plan, input, &self.limits)?;
        self.send(job, request).await
    }

    /// Sends a request that stands already.
    pub(in crate::http) async fn send(&self, job: &Job<'_>, request: Outgoing) -> Result<Answer, ToolError> {
        let mut credentials = Credentials::default();
        let result = match &job.plan.pagination {
            None => self.one(job, request, &mut credentials).await,
            Some(pagination) => pages::collect(self, job, pagination, request, &mut credentials).await,
        };
        // The engine redacts the tool's secrets; what was made of them here is known only here.
        result.map_err(|error| credentials.scrub_error(error))
    }

    async fn one(
        &self,
        job: &Job<'_>,
        request: Outgoing,
        credentials: &mut Credentials,
    ) -> Result<Answer, ToolError> {
        let response = attempt::send(self, job, request, job.plan.max_response_bytes, credentials).await?;
        let head = Head::of(job.plan, &response, credentials);
        let limits = self.limits.clone();
        let (preview, scrub) = (job.plan.preview, credentials.clone());
        let needs_json = job.plan.mapping.is_some();
        let reading = blocking(move || read::read(response, preview, needs_json, &limits, &scrub)).await?;
        finish(job.plan, head, reading).await
    }
}

/// The part of the answer that is not the body.
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) headers: Value,
    pub(super) url: String,
    pub(super) pages: Option<u64>,
}

impl Head {
    pub(super) fn of(plan: &Plan, response: &Response, credentials: &Credentials) -> Self {
        let shown = |name: &reqwest::header::HeaderName| {
            let value = response.headers.get(name)?.to_str().ok()?;
            Some((name.to_string(), Value::from(credentials.scrub(value).into_owned())))
        };
        let headers: serde_json::Map<_, _> = plan.response_headers.iter().filter_map(shown).collect();
        let mut url = response.url.clone();
        // A query may hold a secret, and says little that the input does not.
        url.set_query(None);
        url.set_fragment(None);
        Self { status: response.status.as_u16(), headers: headers.into(), url: url.into(), pages: None }
    }
}

/// Maps the body and puts the answer together.
pub(super) async fn finish(plan: &Plan, head: Head, reading: Reading) -> Result<Answer, ToolError> {
    let Reading { mut body, attachments, truncated } = reading;
    if let Some(mapping) = &plan.mapping {
        let query = mapping.query.clone();
        body = blocking(move || select(&query, &body)).await?;
        if mapping.target == MappingTarget::Output {
            return Ok(Answer { value: body, attachments });
        }
    }
    let mut value = json!({"status": head.status, "headers": head.headers, "url": head.url, "body": body});
    if truncated {
        value["truncated"] = Value::Bool(true);
    }
    if let Some(pages) = head.pages {
        value["pages"] = pages.into();
    }
    Ok(Answer { value, attachments })
}

/// What a query makes of a body.
pub(super) fn select(query: &Query, body: &Value) -> Result<Value, ToolError> {
    evaluate(query.language, body, &query.text).map_err(|error| {
        ToolError::new(ErrorCode::ProviderError, format!("the response cannot be mapped: {error}"))
            .with_details(json!({"reason": "mapping"}))
    })
}

/// Work whose cost depends on what a host sent: bounded, but not for a thread that others wait for.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(ToolError::new(
            ErrorCode::Unknown,
            "the response broke what reads it; the server's log says more",
        ))
    })
}
