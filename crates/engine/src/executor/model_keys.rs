//! The providers of models that a tenant brings, and the keys of models that are kept as secrets. Keys are resolved for the one who made the call, as the secrets of tools are, and are
//! opened when a model is: they live as long as the run does.

use serde_json::json;
use toolgate_domain::{ErrorCode, ToolError, governance::Provider};
use toolgate_store::StoreError;

use super::Invoker;
use crate::{SecretError, SecretValue};

impl Invoker {
    /// The provider of this name that the tenant brings.
    pub async fn provider(&self, name: &str) -> Result<Option<Provider>, ToolError> {
        let tenant = self.caller()?.tenant_id;
        self.engine.rules.provider_named(tenant, name).await.map_err(|error| unread(&error))
    }

    /// All that the tenant brings, by name.
    pub async fn providers(&self) -> Result<Vec<Provider>, ToolError> {
        let tenant = self.caller()?.tenant_id;
        self.engine.rules.providers_of(tenant).await.map_err(|error| unread(&error))
    }

    /// Opens the secret that a provider of models is asked with. Whoever holds it keeps it out of all that is said.
    pub async fn model_key(&self, secret: &str) -> Result<SecretValue, ToolError> {
        let caller = self.caller()?;
        let secrets = &self.engine.secrets;
        let (found, values) = match secrets.resolve(caller, &[secret.to_owned()]).await {
            Ok(resolved) => resolved,
            Err(error) => {
                tracing::error!(%error, tenant = %caller.tenant_id, "the key of a model cannot be opened");
                return Err(unreadable(&error));
            }
        };
        secrets.note_use(caller.tenant_id, &found);
        values.get(secret).cloned().ok_or_else(|| missing(secret))
    }
}

fn unread(error: &StoreError) -> ToolError {
    tracing::error!(%error, "the providers of a tenant cannot be read");
    ToolError::new(ErrorCode::Unknown, "the providers of models cannot be read right now")
}

fn missing(secret: &str) -> ToolError {
    let message =
        format!("the model's key is missing: set the secret `{secret}` (toolgate secret set {secret})");
    ToolError::new(ErrorCode::AuthRequired, message).with_details(json!({"missing": [secret]}))
}

fn unreadable(error: &SecretError) -> ToolError {
    let message = match error {
        SecretError::Store(_) => "the model's key cannot be read right now",
        _ => "the model's key cannot be opened: an operator finds the reason in the log",
    };
    ToolError::new(ErrorCode::Unknown, message)
}
