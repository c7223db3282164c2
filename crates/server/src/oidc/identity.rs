//! Who signed in, in the provider's words.

use serde_json::Value;

const MAX_EMAIL_BYTES: usize = 320;
const MAX_NAME_BYTES: usize = 256;

/// `issuer` and `subject` together are the identity. An address can change hands: never use it as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub issuer: String,
    pub subject: String,
    pub email: Option<String>,
    /// False when there is no address.
    pub email_verified: bool,
    pub name: Option<String>,
}

impl Identity {
    /// From the claims of an ID token that was verified.
    pub(super) fn new(issuer: &str, subject: &str, claims: &Value) -> Self {
        let email = text(claims, "email", MAX_EMAIL_BYTES);
        Self {
            issuer: issuer.to_owned(),
            subject: subject.to_owned(),
            email_verified: email.is_some() && is_true(claims.get("email_verified")),
            email,
            name: text(claims, "name", MAX_NAME_BYTES),
        }
    }

    /// What the ID token left open, from the userinfo endpoint. The address and its being verified come from one source.
    pub(super) fn completed_by(mut self, claims: &Value) -> Self {
        let more = Self::new(&self.issuer, &self.subject, claims);
        if self.email.is_none() {
            self.email = more.email;
            self.email_verified = more.email_verified;
        }
        self.name = self.name.or(more.name);
        self
    }
}

/// A claim that is too long, or would break a log line, is no claim.
fn text(claims: &Value, name: &str, max_bytes: usize) -> Option<String> {
    let text = claims.get(name)?.as_str()?;
    let fits = !text.is_empty() && text.len() <= max_bytes && !text.contains(char::is_control);
    fits.then(|| text.to_owned())
}

/// Some large providers send the word instead of the boolean.
fn is_true(claim: Option<&Value>) -> bool {
    claim.is_some_and(|claim| *claim == Value::Bool(true) || claim == "true")
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!({"email": "a@b.example", "email_verified": true}), true)]
    #[case(json!({"email": "a@b.example", "email_verified": "true"}), true)]
    #[case(json!({"email": "a@b.example", "email_verified": false}), false)]
    #[case(json!({"email": "a@b.example", "email_verified": 1}), false)]
    #[case(json!({"email": "a@b.example"}), false)]
    #[case(json!({"email_verified": true}), false)]
    fn an_address_is_verified_only_when_the_provider_says_so(#[case] claims: Value, #[case] verified: bool) {
        assert_eq!(Identity::new("i", "s", &claims).email_verified, verified);
    }

    #[test]
    fn an_address_is_not_verified_by_what_is_said_about_another() {
        let from_token = Identity::new("i", "s", &json!({"email": "mine@b.example"}));
        let info = json!({"email": "other@b.example", "email_verified": true, "name": "N"});
        let identity = from_token.completed_by(&info);
        assert_eq!(identity.email.as_deref(), Some("mine@b.example"));
        assert!(!identity.email_verified);
        assert_eq!(identity.name.as_deref(), Some("N"));
    }

    #[test]
    fn claims_that_could_break_something_are_left_out() {
        let claims = json!({"email": "a\r\nb@c.example", "email_verified": true, "name": "n".repeat(257)});
        let identity = Identity::new("i", "s", &claims);
        assert_eq!((identity.email, identity.email_verified, identity.name), (None, false, None));
    }
}
