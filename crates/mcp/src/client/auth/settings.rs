//! Who we are towards an upstream's authorization server.

use toolgate_domain::governance::{OauthGrant, Upstream, UpstreamTransport};
use toolgate_engine::SecretValue;

/// What people read where they are asked to allow it.
const CLIENT_NAME: &str = "Toolgate";
const TOKEN_NAME: &str = "MCP_OAUTH";

#[derive(Clone, Debug)]
pub struct OauthSettings {
    /// What stands in the place of a token wherever one would be read.
    pub name: String,
    /// The upstream's address.
    pub url: String,
    /// What people read where they are asked to allow it.
    pub client_name: String,
    /// A client that was registered by hand. It comes before all others.
    pub client_id: Option<String>,
    pub client_secret: Option<SecretValue>,
    /// Where a document about this client is published. Servers that read such documents need no registration.
    pub client_metadata_url: Option<String>,
    /// Asked for instead of what the server names.
    pub scopes: Vec<String>,
    /// The client itself is what is allowed, and no person: the grant `client_credentials`.
    pub is_machine: bool,
}

impl OauthSettings {
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            name: TOKEN_NAME.to_owned(),
            url: url.into(),
            client_name: CLIENT_NAME.to_owned(),
            client_id: None,
            client_secret: None,
            client_metadata_url: None,
            scopes: Vec::new(),
            is_machine: false,
        }
    }

    /// Those of an upstream that is reached over HTTP and wants OAuth.
    pub fn of(upstream: &Upstream, client_secret: Option<SecretValue>) -> Option<Self> {
        let (UpstreamTransport::Http { url, .. }, Some(oauth)) = (&upstream.transport, &upstream.oauth)
        else {
            return None;
        };
        Some(Self {
            name: upstream.login_name(),
            is_machine: oauth.grant == OauthGrant::ClientCredentials,
            client_id: oauth.client_id.clone(),
            client_secret,
            scopes: oauth.scopes.clone(),
            ..Self::new(url)
        })
    }
}
