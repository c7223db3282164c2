//! Signing in through OpenID Connect: with a real provider, and against a hostile one.

mod access_tokens;
mod browser;
mod hostile_issuer;
mod house;
mod issuers;
mod keys;
mod mcp_door;
mod pages;
mod provider;
mod sign_in;
mod through_the_server;
mod tokens;

use std::sync::Arc;

use toolgate_domain::Clock;
use toolgate_server::oidc::{OidcClient, OidcConfig};

const REDIRECT_URI: &str = "https://toolgate.example/auth/callback";

fn config(issuer: &str, client_id: &str, client_secret: Option<&str>) -> OidcConfig {
    OidcConfig {
        issuer: issuer.to_owned(),
        client_id: client_id.to_owned(),
        client_secret: client_secret.map(str::to_owned),
        redirect_uri: REDIRECT_URI.to_owned(),
        scopes: vec!["email".to_owned(), "profile".to_owned()],
    }
}

fn client(config: OidcConfig, clock: Arc<dyn Clock>) -> OidcClient {
    OidcClient::new(config, reqwest::Client::builder().no_proxy().tls_certs_only([]), clock).unwrap()
}
