//! Where the operations are.

use serde_json::Value;
use url::Url;

use super::notes::short;

const MAX_VARIABLES: usize = 32;

/// The address that `servers` of a document, a path or an operation begins with; `None` where it says nothing.
pub(super) fn of(holder: &Value) -> Option<Result<String, String>> {
    let server = holder.get("servers").and_then(Value::as_array)?.first()?;
    Some(stated(server))
}

fn stated(server: &Value) -> Result<String, String> {
    let template = server.get("url").and_then(Value::as_str).unwrap_or("/");
    base(&fill(template, server.get("variables"))?)
}

/// Puts the defaults of the variables in.
fn fill(template: &str, variables: Option<&Value>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = template;
    for _ in 0..MAX_VARIABLES {
        let Some((before, after)) = rest.split_once('{') else { break };
        filled.push_str(before);
        let (name, left) = after.split_once('}').unwrap_or((after, ""));
        let default = variables.and_then(|variables| variables.get(name)?.get("default"));
        match default {
            Some(Value::String(text)) => filled.push_str(text),
            Some(Value::Number(number)) => filled.push_str(&number.to_string()),
            _ => return Err(format!("the server's `{{{}}}` has no default: give --server URL", short(name))),
        }
        rest = left;
    }
    Ok(filled + rest)
}

/// An address to which paths can be appended.
pub(super) fn base(text: &str) -> Result<String, String> {
    let shown = short(text);
    if !text.starts_with("https://") && !text.starts_with("http://") {
        return Err(format!("`{shown}` names no host: give --server URL"));
    }
    let url = Url::parse(text).map_err(|error| format!("the server `{shown}` is no address: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the server's address carries credentials: they belong into a secret".to_owned());
    }
    if text.contains(['?', '#', '{', '}']) {
        return Err(format!("the server `{shown}` has more than a host and a path"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!({"url": "https://a.example/v1/"}), Ok("https://a.example/v1"))]
    #[case(json!({"url": "https://{region}.a.example:{port}", "variables": {"region": {"default": "eu"}, "port": {"default": 8443}}}), Ok("https://eu.a.example:8443"))]
    #[case(json!({"url": "https://{region}.a.example"}), Err("`{region}` has no default"))]
    #[case(json!({"url": "https://a.example/{"}), Err("has no default"))]
    #[case(json!({"url": "/v1"}), Err("names no host"))]
    #[case(json!({}), Err("names no host"))]
    #[case(json!({"url": "ftp://a.example"}), Err("names no host"))]
    #[case(json!({"url": "https://user:word@a.example"}), Err("credentials"))]
    #[case(json!({"url": "https://a.example?x=1"}), Err("more than a host"))]
    #[case(json!({"url": "https://{a}", "variables": {"a": {"default": "x/{b}"}}}), Err("more than a host"))]
    fn the_first_server_tells(#[case] server: Value, #[case] expected: Result<&str, &str>) {
        match (of(&json!({"servers": [server]})).unwrap(), expected) {
            (Ok(made), Ok(expected)) => assert_eq!(made, expected),
            (Err(error), Err(says)) => assert!(error.contains(says), "{error}"),
            (made, _) => panic!("{made:?}"),
        }
    }
}
