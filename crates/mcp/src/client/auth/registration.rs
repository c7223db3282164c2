//! The client to be: one that was registered by hand, one whose document is published, one that is known from before, or one
//! that registers itself now. In this order.

use super::{KeptLogin, LoginError, OauthSettings, discovery::Discovered, kept::KeptClient};

const READS_DOCUMENTS: &str = "client_id_metadata_document_supported";

pub(super) async fn client(
    settings: &OauthSettings,
    found: &mut Discovered,
    kept: &KeptLogin,
    redirect_uri: &str,
    scopes: &[&str],
) -> Result<KeptClient, LoginError> {
    let issuer = found.issuer().map(str::to_owned);
    let as_client = |id: &str, secret: Option<String>| KeptClient {
        id: id.to_owned(),
        secret,
        redirect_uri: redirect_uri.to_owned(),
        issuer: issuer.clone(),
    };
    if let Some(id) = &settings.client_id {
        known_here(kept, id, issuer.as_deref())?;
        return Ok(as_client(id, settings.client_secret.as_ref().map(|secret| secret.expose().to_owned())));
    }
    let reads_documents = found.metadata.additional_fields.get(READS_DOCUMENTS).and_then(|v| v.as_bool());
    if let Some(url) = settings.client_metadata_url.as_deref().filter(|_| reads_documents == Some(true)) {
        return Ok(as_client(url, None));
    }
    if let Some(client) = &kept.client
        && client.issuer == issuer
        && client.redirect_uri == redirect_uri
    {
        return Ok(client.clone());
    }
    let registered = found.manager.register_client(&settings.client_name, redirect_uri, scopes).await?;
    Ok(as_client(&registered.client_id, registered.client_secret))
}

/// A client that was registered by hand belongs to the authorization server of the first login. Where the upstream names another
/// one later, that may be the upstream's wish to learn the client's secret.
pub(super) fn known_here(kept: &KeptLogin, id: &str, now: Option<&str>) -> Result<(), LoginError> {
    match &kept.client {
        Some(client) if client.id == id && client.issuer.as_deref() != now => {
            Err(LoginError::ServerChanged {
                before: client.issuer.clone().unwrap_or_else(|| "one without a name".to_owned()),
                now: now.unwrap_or("one without a name").to_owned(),
            })
        }
        _ => Ok(()),
    }
}
