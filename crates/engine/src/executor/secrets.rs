//! The secrets of one call: found for its caller, opened for the length of the call, and kept out of all that is said of it.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Value, json};
use toolgate_domain::{
    Caller, ErrorCode, Evidence, Invocation, Tool, ToolError, Verdict,
    json::{call_id, check_value},
};

use super::{Call, CallInput, Refused, output::MAX_OUTPUT_DEPTH, prepare::Prepared};
use crate::{
    Engine, Redactor, RunSecrets, SecretError, SecretScope,
    secrets::{Found, redaction_mark},
};

/// The evidence that tells where secrets come from.
const RULE: &str = "secrets";

/// What a call holds; of a tool without secrets, nothing.
#[derive(Default)]
pub(super) struct Held {
    pub(super) found: Found,
    pub(super) values: RunSecrets,
    pub(super) redactor: Arc<Redactor>,
    /// Why the call cannot run.
    pub(super) unresolved: Option<ToolError>,
}

impl Held {
    pub(super) fn redacted(&self, mut error: ToolError) -> ToolError {
        if self.redactor.is_empty() {
            return error;
        }
        error.message = self.redactor.redact_text(&error.message).into_owned();
        if let Some(details) = &mut error.details {
            if check_value(details, MAX_OUTPUT_DEPTH).is_ok() {
                self.redactor.redact_value(details);
            } else {
                error.details = Some(json!({"reason": "the details nest too deep to be kept"}));
            }
        }
        error
    }

    /// Whether bytes hold a secret, in any form in which it would be redacted from text.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        if self.redactor.is_empty() {
            return false;
        }
        let text = String::from_utf8_lossy(bytes);
        matches!(self.redactor.redact_text(&text), Cow::Owned(_))
    }

    /// Nothing is redacted that is too deep to be walked through; it breaks the tool's contract anyway.
    pub(super) fn redact_output(&self, output: &mut Value) -> Result<(), String> {
        if self.redactor.is_empty() {
            return Ok(());
        }
        check_value(output, MAX_OUTPUT_DEPTH).map_err(|error| error.to_string())?;
        self.redactor.redact_value(output);
        Ok(())
    }

    fn evidence(&self) -> Vec<Evidence> {
        let of = |(name, scope): (&str, SecretScope)| Evidence {
            rule: RULE.to_owned(),
            verdict: Verdict::Allow,
            because: match scope {
                SecretScope::User(id) => format!("the secret `{name}` is the one of {id}"),
                SecretScope::Workspace(id) => format!("the secret `{name}` is the one of the workspace {id}"),
                SecretScope::Tenant => format!("the secret `{name}` is the one of the whole tenant"),
            },
        };
        self.found.scopes().map(of).collect()
    }

    fn warnings(&self) -> impl Iterator<Item = String> {
        self.found.fallbacks().map(|name| {
            format!("the secret `{name}` is the whole tenant's: set one of your own to act in your own name")
        })
    }
}

impl Prepared {
    /// Why the call may not wait for a person: it could not run, or its input shows a secret to whoever decides.
    pub(super) fn cannot_wait(&self) -> Option<ToolError> {
        self.secrets.unresolved.clone().or_else(|| self.original_input.as_ref().map(|_| holds_secret()))
    }
}

pub(super) fn holds_secret() -> ToolError {
    let message = "the input holds the value of a secret that the tool gets by itself, and a person would have to read it: leave it out";
    ToolError::validation(message).with_details(json!({"reason": "secret_in_input"}))
}

fn caller_gone() -> ToolError {
    ToolError::denied("the one who made the call may not call any more")
}

impl Engine {
    /// Finds and opens what the tool needs. The row, which is not yet written, tells where each secret comes from, and has the
    /// values redacted from its input; the tool gets the input as it was.
    pub(super) async fn hold_secrets(&self, tool: &Tool, prepared: &mut Prepared) -> Result<(), Refused> {
        let Some(caller) = &prepared.caller else {
            prepared.secrets.unresolved = Some(caller_gone());
            return Ok(());
        };
        let held = self.held(caller, tool).await?;
        let row = &mut prepared.invocation;
        row.decision.evidence.extend(held.evidence());
        row.warnings.extend(held.warnings());
        if let Some(redacted) = redacted_input(&held, &row.input) {
            prepared.original_input = Some(std::mem::replace(&mut row.input, redacted));
            // The id is a hash of the input, and must not be one of a secret.
            row.call_id = call_id(&tool.spec.id(), &row.input, row.seq).unwrap_or_default();
        }
        prepared.secrets = held;
        Ok(())
    }

    /// The same for a call whose row is written: its secrets must still come from where the row says.
    pub(super) async fn hold_again(&self, tool: &Tool, prepared: &mut Prepared) -> Result<(), Refused> {
        if tool.spec.secrets.is_empty() {
            return Ok(());
        }
        let Some(caller) = self.caller_of(&prepared.invocation).await? else {
            prepared.secrets.unresolved = Some(caller_gone());
            return Ok(());
        };
        let mut held = self.held(&caller, tool).await?;
        let recorded = prepared.invocation.decision.evidence.iter().filter(|e| e.rule == RULE);
        if held.unresolved.is_none() && !recorded.eq(held.evidence().iter()) {
            held.unresolved = Some(moved());
        }
        prepared.secrets = held;
        Ok(())
    }

    async fn held(&self, caller: &Caller, tool: &Tool) -> Result<Held, Refused> {
        let (found, values) = match self.secrets.resolve(caller, &tool.spec.secrets).await {
            Ok(resolved) => resolved,
            Err(SecretError::Store(error)) => return Err(error.into()),
            Err(error) => {
                tracing::error!(%error, tenant = %caller.tenant_id, "secrets cannot be opened");
                return Ok(Held { unresolved: Some(unreadable(tool)), ..Held::default() });
            }
        };
        Ok(match Redactor::new(values.pairs()) {
            Ok(redactor) => {
                let unresolved = (!found.missing.is_empty()).then(|| self.lacks(tool, &found.missing));
                Held { found, values, redactor: Arc::new(redactor), unresolved }
            }
            Err(error) => {
                let too_many = ToolError::new(ErrorCode::Unknown, error.to_string());
                Held { unresolved: Some(too_many), ..Held::default() }
            }
        })
    }

    fn lacks(&self, tool: &Tool, names: &[String]) -> ToolError {
        let runtime = self.runtimes.get(tool.spec.execution.kind.as_str());
        runtime.and_then(|runtime| runtime.lacks_secrets(tool, names)).unwrap_or_else(|| missing(names))
    }

    /// The input of a call as its row would have it.
    pub(super) async fn as_recorded(&self, call: &Call, row: &Invocation) -> Result<Option<Value>, Refused> {
        let (CallInput::Value(input), Some(live)) = (&call.input, self.tool_of(row).await?) else {
            return Ok(None);
        };
        let filled = live.filled(input.clone());
        let redacted = redacted_input(&self.held(&call.caller, &live.tool).await?, &filled);
        Ok(redacted.or_else(|| (filled != *input).then_some(filled)))
    }

    /// Whether an input shows a secret that the call would get by itself.
    pub(crate) async fn shows_secret(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
    ) -> Result<Option<ToolError>, Refused> {
        if tool.spec.secrets.is_empty() {
            return Ok(None);
        }
        let held = self.held(caller, tool).await?;
        Ok(redacted_input(&held, input).map(|_| holds_secret()))
    }
}

/// The input without the values of secrets; nothing when there are none in it.
fn redacted_input(held: &Held, input: &Value) -> Option<Value> {
    if held.redactor.is_empty() {
        return None;
    }
    let mut redacted = input.clone();
    held.redactor.redact_value(&mut redacted);
    (redacted != *input).then_some(redacted)
}

/// Whether a recorded input may have been redacted: then it is not what the tool was given, and must not be run again.
pub(crate) fn may_be_redacted(input: &Value, tool: &Tool) -> bool {
    if tool.spec.secrets.is_empty() {
        return false;
    }
    let text = input.to_string();
    tool.spec.secrets.iter().any(|name| text.contains(&redaction_mark(name)))
}

fn missing(names: &[String]) -> ToolError {
    let shown: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!(
        "the tool needs {}, and no secret of that name is set for you, your workspaces or the tenant: set it, then call again",
        shown.join(", ")
    );
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"missing": names}))
}

/// What the vault says is for the operator; the caller learns whom to turn to.
fn unreadable(tool: &Tool) -> ToolError {
    let message = "the tool's secrets cannot be opened: the server has another master key than the one that sealed them, or they were tampered with; the server's log says which, and its operator must look";
    ToolError::new(ErrorCode::AuthRequired, message)
        .with_details(json!({"reason": "unreadable", "secrets": tool.spec.secrets}))
}

fn moved() -> ToolError {
    ToolError::denied(
        "the tool's secrets would now come from elsewhere than when the call was recorded: make the call again",
    )
    .with_details(json!({"reason": "secret_scope_changed"}))
}
