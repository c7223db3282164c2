//! From security schemes to `auth`, with names for the secrets.

use serde_json::{Map, Value, json};
use url::Url;

use super::{
    names,
    notes::{Notes, short},
    refs::Document,
};

/// How a tool shows who it is.
pub(super) struct Auth {
    /// The block of the execution.
    pub(super) block: Value,
    pub(super) secrets: Vec<String>,
    /// Where the credential stands in a request, where a parameter could stand as well.
    pub(super) place: Option<(&'static str, String)>,
    pub(super) token_url: Option<Url>,
}

/// The first alternative of the operation, or of the document, that can be served.
pub(super) fn of(
    document: Document<'_>,
    operation: &Value,
    base: &str,
    prefix: &str,
    notes: &mut Notes,
) -> Result<Option<Auth>, String> {
    let stated = operation.get("security").or_else(|| document.root.get("security"));
    let alternatives: Vec<&Map<String, Value>> = stated
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .take(16)
        .collect();
    let mut reasons = Vec::new();
    // One that needs a single scheme is served whole.
    let mut by_size: Vec<_> = alternatives.iter().filter(|schemes| !schemes.is_empty()).collect();
    by_size.sort_by_key(|schemes| schemes.len());
    for schemes in by_size {
        for (name, scopes) in schemes.iter() {
            match scheme(document, name, scopes, base, prefix)? {
                Err(reason) => reasons.push(reason),
                Ok(auth) => {
                    if schemes.len() > 1 {
                        let names: Vec<_> = schemes.keys().map(|name| short(name)).collect();
                        notes.add(format!(
                            "it wants {} at once: only `{}` is sent",
                            names.join(" and "),
                            short(name)
                        ));
                    }
                    return Ok(Some(auth));
                }
            }
        }
    }
    let is_optional = alternatives.iter().any(|schemes| schemes.is_empty());
    if !is_optional {
        reasons.into_iter().for_each(|reason| notes.add(format!("{reason}: calls carry no credentials")));
    }
    Ok(None)
}

/// The inner error is a scheme that cannot be served, the outer one a document that is broken.
fn scheme(
    document: Document<'_>,
    name: &str,
    scopes: &Value,
    base: &str,
    prefix: &str,
) -> Result<Result<Auth, String>, String> {
    let schemes = document.root.get("components").and_then(|components| components.get("securitySchemes"));
    let shown = short(name);
    let Some(stated) = schemes.and_then(|schemes| schemes.get(name)) else {
        return Ok(Err(format!("the security scheme `{shown}` is not described")));
    };
    let stated = document.resolve(stated)?;
    let text = |key: &str| stated.get(key).and_then(Value::as_str).unwrap_or_default();
    let secret = |suffix: &str| names::secret(prefix, name, suffix);
    let plain = |block: Value, place| {
        let secrets = vec![secret("")];
        Ok(Auth { block, secrets, place, token_url: None })
    };
    let unserved =
        |what: &str| Ok(Err(format!("the security scheme `{shown}` is {what}, which is not supported")));
    let key = text("name");
    Ok(match (text("type"), text("in"), text("scheme").to_ascii_lowercase().as_str()) {
        ("http", _, "bearer") => plain(
            json!({"type": "bearer", "secret": secret("")}),
            Some(("header", "authorization".to_owned())),
        ),
        ("http", _, "basic") => {
            let (username, password) = (secret("_USERNAME"), secret("_PASSWORD"));
            let block = json!({"type": "basic", "username_secret": username, "password_secret": password});
            Ok(Auth { block, secrets: vec![username, password], place: None, token_url: None })
        }
        ("apiKey", "header", _) => plain(
            json!({"type": "header", "name": key, "secret": secret("")}),
            Some(("header", key.to_owned())),
        ),
        ("apiKey", "query", _) => plain(
            json!({"type": "query", "name": key, "secret": secret("")}),
            Some(("query", key.to_owned())),
        ),
        ("apiKey", "cookie", _) => plain(
            json!({"type": "header", "name": "Cookie", "prefix": format!("{key}="), "secret": secret("")}),
            Some(("cookie", key.to_owned())),
        ),
        ("oauth2", _, _) => match stated.get("flows").and_then(|flows| flows.get("clientCredentials")) {
            Some(flow) => client_credentials(flow, scopes, base, &secret),
            None => return unserved("OAuth2 without client credentials"),
        },
        ("http", _, other) => return unserved(&format!("HTTP `{}`", short(other))),
        (other, _, _) => return unserved(&format!("of type `{}`", short(other))),
    })
}

fn client_credentials(
    flow: &Value,
    scopes: &Value,
    base: &str,
    secret: &dyn Fn(&str) -> String,
) -> Result<Auth, String> {
    let stated = flow.get("tokenUrl").and_then(Value::as_str).unwrap_or_default();
    // It may be relative to the server.
    let token_url = Url::parse(&format!("{base}/"))
        .and_then(|base| base.join(stated))
        .map_err(|error| format!("the token's address `{}` cannot be used ({error})", short(stated)))?;
    let (id, word) = (secret("_CLIENT_ID"), secret("_CLIENT_SECRET"));
    let mut block = json!({
        "type": "oauth2_client_credentials",
        "token_url": token_url.as_str(),
        "client_id_secret": id,
        "client_secret": word,
    });
    let scopes: Vec<&str> =
        scopes.as_array().into_iter().flatten().filter_map(Value::as_str).take(50).collect();
    if !scopes.is_empty() {
        block["scope"] = json!(scopes.join(" "));
    }
    let place = Some(("header", "authorization".to_owned()));
    Ok(Auth { block, secrets: vec![id, word], place, token_url: Some(token_url) })
}
