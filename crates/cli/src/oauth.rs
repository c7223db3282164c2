//! `[oauth]` in `toolgate.toml`: whose access tokens the server takes in place of keys.

use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};

use anyhow::bail;
use serde::Deserialize;
use toolgate_domain::{Scope, time::SystemClock};
use toolgate_server::oidc::{AccessConfig, AccessTokens};

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Oauth {
    resource: Option<String>,
    scopes: Option<Vec<String>>,
    issuers: Vec<OauthIssuer>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OauthIssuer {
    issuer: String,
    tenant: Option<String>,
    tenant_claim: Option<String>,
    scope_claim: Option<String>,
    #[serde(default)]
    scopes: BTreeMap<String, Vec<Scope>>,
}

impl Oauth {
    /// Where flags name issuers, only these are trusted. What the file says of one of them still holds: without it, their people could
    /// be taken for those of another tenant.
    pub(crate) fn of(
        file: Option<Self>,
        issuers: Vec<String>,
        resource: Option<String>,
    ) -> anyhow::Result<Option<Self>> {
        let mut oauth = file.unwrap_or_default();
        if !issuers.is_empty() {
            let written = std::mem::take(&mut oauth.issuers);
            let named = |issuer: String| {
                let known = written.iter().find(|known| known.issuer == issuer).cloned();
                known.unwrap_or_else(|| OauthIssuer { issuer, ..Default::default() })
            };
            oauth.issuers = issuers.into_iter().map(named).collect();
        }
        oauth.resource = resource.or(oauth.resource);
        if let Some(both) = oauth.issuers.iter().find(|i| i.tenant.is_some() && i.tenant_claim.is_some()) {
            bail!("the issuer {} has `tenant` and `tenant_claim`: one of them says the tenant", both.issuer);
        }
        match (oauth.issuers.is_empty(), &oauth.resource, &oauth.scopes) {
            (false, _, _) => Ok(Some(oauth)),
            (true, None, None) => Ok(None),
            (true, _, _) => bail!("access tokens need an issuer: --oauth-issuer, or [[oauth.issuers]]"),
        }
    }

    /// What the server checks tokens with. `address` is where it listens, for want of a public URL.
    pub(crate) fn tokens(
        &self,
        public_url: Option<&str>,
        address: SocketAddr,
    ) -> anyhow::Result<AccessTokens> {
        let base = public_url.map_or_else(|| format!("http://{address}"), str::to_owned);
        let resource = self.resource.clone().unwrap_or_else(|| format!("{}/mcp", base.trim_end_matches('/')));
        let least = || [Scope::ToolsRead, Scope::ToolsExecute].map(|scope| scope.to_string()).to_vec();
        let asked_scopes = self.scopes.clone().unwrap_or_else(least);
        let issuers = self.issuers.iter().map(OauthIssuer::config).collect();
        let clock = Arc::new(SystemClock);
        Ok(AccessTokens::new(resource, asked_scopes, issuers, reqwest::Client::builder, clock)?)
    }
}

impl OauthIssuer {
    fn config(&self) -> AccessConfig {
        AccessConfig {
            issuer: self.issuer.clone(),
            tenant: self.tenant.clone(),
            tenant_claim: self.tenant_claim.clone(),
            scope_claim: self.scope_claim.clone(),
            scopes: self.scopes.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> anyhow::Result<Option<Oauth>> {
        Oauth::of(Some(toml::from_str(text)?), vec![], None)
    }

    fn at(port: u16) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], port))
    }

    #[test]
    fn the_file_says_who_is_trusted_and_what_their_words_mean() {
        let text = r#"
            scopes = ["mcp"]
            [[issuers]]
            issuer = "https://id.example"
            tenant_claim = "org"
            scope_claim = "/realm_access/roles"
            scopes = { mcp = ["tools:read", "tools:execute"] }
        "#;
        let oauth = read(text).unwrap().unwrap();
        let config = oauth.issuers[0].config();
        assert_eq!(config.scopes["mcp"], [Scope::ToolsRead, Scope::ToolsExecute]);
        let told = format!("{:?}", oauth.tokens(Some("https://tools.example/"), at(1)).unwrap());
        assert!(told.contains("\"https://tools.example/mcp\""), "{told}");
        let told = format!("{:?}", oauth.tokens(None, at(7080)).unwrap());
        assert!(told.contains("\"http://127.0.0.1:7080/mcp\""), "{told}");
    }

    #[test]
    fn a_flag_is_enough() {
        let oauth = Oauth::of(None, vec!["https://id.example".to_owned()], None).unwrap().unwrap();
        assert!(oauth.tokens(None, at(7080)).is_ok());
        assert!(
            Oauth::of(None, vec![], None).unwrap().is_none(),
            "nobody is trusted unless somebody says so"
        );
    }

    #[test]
    fn flags_say_who_is_trusted_and_the_file_still_says_what_their_words_mean() {
        let file = r#"
            [[issuers]]
            issuer = "https://dropped.example"
            [[issuers]]
            issuer = "https://kept.example"
            tenant = "north"
        "#;
        let flags = ["https://new.example", "https://kept.example"].map(str::to_owned).to_vec();
        let oauth = Oauth::of(Some(toml::from_str(file).unwrap()), flags, None).unwrap().unwrap();
        let trusted: Vec<_> =
            oauth.issuers.iter().map(|i| (i.issuer.as_str(), i.tenant.as_deref())).collect();
        assert_eq!(trusted, [("https://new.example", None), ("https://kept.example", Some("north"))]);
    }

    #[test]
    fn what_cannot_work_is_refused_at_the_start() {
        for text in [
            "resource = \"https://tools.example/mcp\"",
            "[[issuers]]\nissuer = \"https://id.example\"\ntenant = \"a\"\ntenant_claim = \"b\"",
            "[[issuers]]\nissuer = \"https://id.example\"\nscopes = { mcp = [\"tools:reed\"] }",
            "[[issuers]]\nissuer = \"https://id.example\"\naudience = \"x\"",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        for issuers in [vec!["http://id.example"], vec!["https://id.example", "https://id.example"]] {
            let issuers = issuers.into_iter().map(str::to_owned).collect();
            let oauth = Oauth::of(None, issuers, None).unwrap().unwrap();
            assert!(oauth.tokens(None, at(1)).is_err());
        }
    }
}
