//! What an operator sets, and which addresses are safe to talk to.

use std::fmt;

use url::{Host, Url};

use super::OidcError;

#[derive(Clone, PartialEq, Eq)]
pub struct OidcConfig {
    /// To the letter as the provider writes it: a trailing slash makes another issuer.
    pub issuer: String,
    pub client_id: String,
    /// None for a public client, which PKCE alone protects.
    pub client_secret: Option<String>,
    pub redirect_uri: String,
    /// `openid` is added when it is missing.
    pub scopes: Vec<String>,
}

impl fmt::Debug for OidcConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OidcConfig")
            .field("issuer", &self.issuer)
            .field("client_id", &self.client_id)
            .field("client_secret", &self.client_secret.as_ref().map(|_| "[redacted]"))
            .field("redirect_uri", &self.redirect_uri)
            .field("scopes", &self.scopes)
            .finish()
    }
}

impl OidcConfig {
    /// Refuses, before anybody signs in, what could only fail later.
    pub(super) fn check(&self) -> Result<(), OidcError> {
        let refuse = |setting, problem| Err(OidcError::Setting { setting, problem });
        self.at().check()?;
        if self.client_id.is_empty() {
            return refuse("client_id", "is empty: copy it from the client's page at the provider");
        }
        if self.client_secret.as_ref().is_some_and(String::is_empty) {
            return refuse("client_secret", "is empty: leave it out for a public client");
        }
        let redirect = Url::parse(&self.redirect_uri).ok();
        if !redirect.is_some_and(|uri| matches!(uri.scheme(), "https" | "http") && uri.fragment().is_none()) {
            return refuse(
                "redirect_uri",
                "is not an http or https address without a fragment: write it as it is registered at the provider",
            );
        }
        // A scope is a word (RFC 6749, 3.3): one with a space would silently become two.
        let is_word = |scope: &String| !scope.is_empty() && scope.bytes().all(|b| b.is_ascii_graphic());
        if !self.scopes.iter().all(is_word) {
            return refuse("scopes", "has an entry that is empty or has a space: write one scope an entry");
        }
        Ok(())
    }

    pub(super) fn scope(&self) -> String {
        let mut words = vec!["openid"];
        for scope in &self.scopes {
            if !words.contains(&scope.as_str()) {
                words.push(scope);
            }
        }
        words.join(" ")
    }

    pub(super) fn at(&self) -> Issuer<'_> {
        Issuer(&self.issuer)
    }
}

/// Who issues tokens, to the letter as the provider writes it.
#[derive(Clone, Copy)]
pub(super) struct Issuer<'a>(pub(super) &'a str);

impl Issuer<'_> {
    pub(super) fn check(self) -> Result<(), OidcError> {
        let refuse = |problem| Err(OidcError::Setting { setting: "issuer", problem });
        let Ok(issuer) = Url::parse(self.0) else {
            return refuse("is not a URL: write it as the provider does, beginning with https://");
        };
        if !is_secure(&issuer, is_loopback(&issuer)) {
            return refuse("is not an https address: plain http is for a provider on loopback only");
        }
        if issuer.query().is_some() || issuer.fragment().is_some() {
            return refuse("has a query or a fragment: write only the provider's address");
        }
        Ok(())
    }

    pub(super) fn discovery_url(self) -> String {
        format!("{}/.well-known/openid-configuration", self.0.trim_end_matches('/'))
    }

    /// Where an issuer describes itself that speaks OAuth and not OpenID Connect (RFC 8414, 3.1).
    pub(super) fn oauth_url(self) -> Option<Url> {
        let mut url = Url::parse(self.0).ok()?;
        let path = format!("/.well-known/oauth-authorization-server{}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        Some(url)
    }

    /// An endpoint that the provider names, if what is sent there stays between the two of us.
    pub(super) fn endpoint(self, endpoint: &'static str, address: &str) -> Result<Url, OidcError> {
        let on_loopback = Url::parse(self.0).is_ok_and(|issuer| is_loopback(&issuer));
        let url = Url::parse(address).map_err(|_| OidcError::InsecureEndpoint { endpoint })?;
        if is_secure(&url, on_loopback) { Ok(url) } else { Err(OidcError::InsecureEndpoint { endpoint }) }
    }
}

/// A provider on loopback may use http, and only towards loopback: it cannot send our secrets out in the clear.
fn is_secure(url: &Url, issuer_on_loopback: bool) -> bool {
    let scheme_fits = match url.scheme() {
        "https" => true,
        "http" => issuer_on_loopback && is_loopback(url),
        _ => false,
    };
    scheme_fits && url.has_host() && url.username().is_empty() && url.password().is_none()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn config(issuer: &str) -> OidcConfig {
        OidcConfig {
            issuer: issuer.to_owned(),
            client_id: "toolgate".to_owned(),
            client_secret: Some("hush-hush".to_owned()),
            redirect_uri: "https://toolgate.example/auth/callback".to_owned(),
            scopes: vec!["email".to_owned(), "openid".to_owned(), "email".to_owned()],
        }
    }

    #[rstest]
    #[case("https://id.example", true)]
    #[case("https://id.example/realms/main/", true)]
    #[case("http://127.0.0.1:8080", true)]
    #[case("http://[::1]:8080", true)]
    #[case("http://localhost:8080/a", true)]
    #[case("http://id.example", false)]
    #[case("http://localhost.id.example", false)]
    #[case("http://127.0.0.1.id.example", false)]
    #[case("https://user@id.example", false)]
    #[case("https://id.example?tenant=1", false)]
    #[case("https://id.example#top", false)]
    #[case("ftp://id.example", false)]
    #[case("id.example", false)]
    fn an_issuer_is_https_or_on_loopback(#[case] issuer: &str, #[case] accepted: bool) {
        assert_eq!(config(issuer).check().is_ok(), accepted);
    }

    #[rstest]
    #[case("https://id.example", "https://keys.example/jwks", true)]
    #[case("https://id.example", "http://id.example/token", false)]
    #[case("https://id.example", "http://127.0.0.1/token", false)]
    #[case("https://id.example", "javascript:alert(1)", false)]
    #[case("https://id.example", "/token", false)]
    #[case("http://127.0.0.1:1", "http://localhost:2/token", true)]
    #[case("http://127.0.0.1:1", "http://id.example/token", false)]
    fn an_endpoint_is_https_unless_everything_stays_on_loopback(
        #[case] issuer: &str,
        #[case] endpoint: &str,
        #[case] accepted: bool,
    ) {
        assert_eq!(config(issuer).at().endpoint("token_endpoint", endpoint).is_ok(), accepted);
    }

    #[rstest]
    #[case("https://id.example", "https://id.example/.well-known/oauth-authorization-server")]
    #[case("https://id.example/a/b/", "https://id.example/.well-known/oauth-authorization-server/a/b")]
    fn an_issuer_without_openid_describes_itself_elsewhere(#[case] issuer: &str, #[case] expected: &str) {
        assert_eq!(config(issuer).at().oauth_url().map(String::from).as_deref(), Some(expected));
    }

    #[test]
    fn openid_is_always_asked_for_and_nothing_twice() {
        assert_eq!(config("https://id.example").scope(), "openid email");
    }

    #[test]
    fn a_scope_is_one_word() {
        let mut config = config("https://id.example");
        config.scopes = vec!["email profile".to_owned()];
        assert!(matches!(config.check(), Err(OidcError::Setting { setting: "scopes", .. })));
    }

    #[test]
    fn the_secret_is_not_in_what_is_printed() {
        assert!(!format!("{:?}", config("https://id.example")).contains("hush-hush"));
    }
}
