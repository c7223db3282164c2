//! How a tool shows who it is. Values come from the tool's secrets alone; the block holds their names.

use reqwest::header::HeaderName;
use url::Url;

use super::{fields::Fields, headers::check_name};
use crate::http::wall::Wall;

const KEYS: &[&str] = &[
    "type",
    "secret",
    "name",
    "prefix",
    "username",
    "username_secret",
    "password_secret",
    "token_url",
    "client_id",
    "client_id_secret",
    "client_secret",
    "scope",
    "audience",
    "credentials_in",
];

#[derive(Clone, Debug)]
pub(in crate::http) enum Auth {
    Bearer { secret: String },
    Basic { username: Source, password: String },
    Header { name: HeaderName, prefix: String, secret: String },
    Query { name: String, secret: String },
    ClientCredentials(ClientCredentials),
}

#[derive(Clone, Debug)]
pub(in crate::http) struct ClientCredentials {
    pub(in crate::http) token_url: Url,
    pub(in crate::http) client_id: Source,
    pub(in crate::http) client_secret: String,
    pub(in crate::http) scope: Option<String>,
    pub(in crate::http) audience: Option<String>,
    pub(in crate::http) credentials_in: CredentialsIn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum CredentialsIn {
    /// As HTTP Basic, which every server must know.
    Header,
    Body,
}

/// Something that need not be secret, but may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) enum Source {
    Literal(String),
    Secret(String),
}

#[derive(Clone, Copy)]
enum Kind {
    Bearer,
    Basic,
    Header,
    Query,
    ClientCredentials,
}

impl Auth {
    /// The keys of the block that name secrets, and the names.
    pub(in crate::http) fn secrets(&self) -> Vec<(&'static str, &str)> {
        match self {
            Self::Bearer { secret } | Self::Header { secret, .. } | Self::Query { secret, .. } => {
                vec![("secret", secret)]
            }
            Self::Basic { username, password } => {
                let username = username.secret().map(|name| ("username_secret", name));
                username.into_iter().chain([("password_secret", password.as_str())]).collect()
            }
            Self::ClientCredentials(grant) => {
                let client = grant.client_id.secret().map(|name| ("client_id_secret", name));
                client.into_iter().chain([("client_secret", grant.client_secret.as_str())]).collect()
            }
        }
    }
}

impl Source {
    fn secret(&self) -> Option<&str> {
        match self {
            Self::Literal(_) => None,
            Self::Secret(name) => Some(name),
        }
    }
}

pub(super) fn parse(outer: &Fields<'_>, wall: &Wall) -> Result<Option<Auth>, String> {
    let Some(fields) = outer.inner("auth", KEYS)? else { return Ok(None) };
    let kind = fields.choice(
        "type",
        &[
            ("bearer", Kind::Bearer),
            ("basic", Kind::Basic),
            ("header", Kind::Header),
            ("query", Kind::Query),
            ("oauth2_client_credentials", Kind::ClientCredentials),
        ],
    )?;
    let kind = kind.ok_or_else(|| fields.bad("type", "is missing"))?;
    let allowed: &[&str] = match kind {
        Kind::Bearer => &["secret"],
        Kind::Basic => &["username", "username_secret", "password_secret"],
        Kind::Header => &["name", "prefix", "secret"],
        Kind::Query => &["name", "secret"],
        Kind::ClientCredentials => &[
            "token_url",
            "client_id",
            "client_id_secret",
            "client_secret",
            "scope",
            "audience",
            "credentials_in",
        ],
    };
    for key in KEYS.iter().filter(|key| **key != "type" && !allowed.contains(key)) {
        if fields.get(key).is_some() {
            return Err(fields.bad(key, "does not go with this type of auth"));
        }
    }
    let secret = |key: &str| fields.required_text(key).map(str::to_owned);
    Ok(Some(match kind {
        Kind::Bearer => Auth::Bearer { secret: secret("secret")? },
        Kind::Basic => Auth::Basic {
            username: source(&fields, "username", "username_secret")?,
            password: secret("password_secret")?,
        },
        Kind::Header => Auth::Header {
            name: check_name(fields.required_text("name")?).map_err(|e| fields.bad("name", e))?,
            prefix: fields.text("prefix")?.unwrap_or_default().to_owned(),
            secret: secret("secret")?,
        },
        Kind::Query => {
            Auth::Query { name: fields.required_text("name")?.to_owned(), secret: secret("secret")? }
        }
        Kind::ClientCredentials => Auth::ClientCredentials(ClientCredentials {
            token_url: wall
                .screen(fields.required_text("token_url")?)
                .map_err(|e| fields.bad("token_url", format!("cannot be used: {e}")))?,
            client_id: source(&fields, "client_id", "client_id_secret")?,
            client_secret: secret("client_secret")?,
            scope: fields.text("scope")?.map(str::to_owned),
            audience: fields.text("audience")?.map(str::to_owned),
            credentials_in: fields
                .choice(
                    "credentials_in",
                    &[("header", CredentialsIn::Header), ("body", CredentialsIn::Body)],
                )?
                .unwrap_or(CredentialsIn::Header),
        }),
    }))
}

fn source(fields: &Fields<'_>, literal: &str, secret: &str) -> Result<Source, String> {
    match (fields.text(literal)?, fields.text(secret)?) {
        (Some(text), None) => Ok(Source::Literal(text.to_owned())),
        (None, Some(name)) => Ok(Source::Secret(name.to_owned())),
        _ => Err(fields.bad(literal, format!("or `{}` is needed, and not both", fields.place(secret)))),
    }
}
