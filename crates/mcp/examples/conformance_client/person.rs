//! The person who allows everything: follows the link, and brings back where it leads.

use async_trait::async_trait;
use reqwest::{Url, header::LOCATION};
use toolgate_mcp::client::auth::{Answer, Consent, LoginError};

const REDIRECT_URI: &str = "http://127.0.0.1:3000/callback";

pub struct Person(pub reqwest::Client);

#[async_trait]
impl Consent for Person {
    fn redirect_uri(&self) -> &str {
        REDIRECT_URI
    }

    async fn ask(&self, authorization_url: &str) -> Result<Answer, LoginError> {
        let lost = |why: &str| LoginError::Refused(why.to_owned());
        let answered = self.0.get(authorization_url).send().await;
        let answered = answered.map_err(|error| LoginError::Unreachable(error.to_string()))?;
        let location = answered.headers().get(LOCATION).and_then(|value| value.to_str().ok());
        let location = Url::parse(location.ok_or_else(|| lost("it leads nowhere"))?)
            .map_err(|_| lost("it leads to no address"))?;
        let value = |name: &str| {
            location.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
        };
        Ok(Answer {
            code: value("code").ok_or_else(|| lost("it brought no code"))?,
            state: value("state").ok_or_else(|| lost("it brought no state"))?,
            issuer: value("iss"),
        })
    }
}
