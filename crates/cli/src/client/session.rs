//! A person who signs in with a password, for what no key does.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::{Client, failure_of};
use crate::exit::Failure;

/// A session of a person, as a browser would hold it.
pub(crate) struct Session(HeaderMap);

impl Session {
    pub(super) fn headers(&self) -> HeaderMap {
        self.0.clone()
    }
}

impl Client {
    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> anyhow::Result<Session> {
        // The tenant of the key that is at hand; without one, the installation's own.
        let tenant = self.get(&["api", "auth", "me"]).value().await.ok();
        let tenant = tenant.as_ref().and_then(|me| me["tenant"].as_str());
        let asked = json!({"email": email, "password": password, "tenant": tenant});
        let answer = self.post(&["api", "auth", "login"], asked).without_key().send().await?;
        if answer.status >= 400 {
            return Err(failure_of(self, answer.status, answer.body).into());
        }
        let cookies = answer.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let cookies: Vec<&str> = cookies.filter_map(|cookie| cookie.split(';').next()).collect();
        let origin = self.base.origin().ascii_serialization();
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("cookie", cookies.join("; ")),
            ("x-csrf-token", answer.body["csrf_token"].as_str().unwrap_or_default().to_owned()),
            ("origin", origin),
        ] {
            let value = HeaderValue::from_str(&value)
                .map_err(|_| Failure::invalid(format!("the server's answer holds no usable `{name}`")))?;
            headers.insert(name, value);
        }
        Ok(Session(headers))
    }

    pub(crate) async fn sign_out(&self, session: &Session) -> anyhow::Result<()> {
        self.post(&["api", "auth", "logout"], Value::Null).in_session(session).value().await.map(drop)
    }
}
