//! A URL with placeholders. What stands before the path is literal, so no value can change where a request goes.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use toolgate_domain::ToolError;
use url::Url;

use super::text::{check_path, lookup, scalar_text};

/// Everything but RFC 3986's unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const MAX_TEMPLATE_BYTES: usize = 4 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    /// A value within the path: it cannot be empty, and cannot make its segment `.` or `..`.
    Segment(String),
    Query(String),
}

#[derive(Clone, Debug)]
pub(in crate::http) struct UrlTemplate {
    pieces: Vec<Piece>,
    /// Scheme and authority, as written.
    origin: Url,
}

impl UrlTemplate {
    pub(in crate::http) fn parse(text: &str) -> Result<Self, String> {
        if text.len() > MAX_TEMPLATE_BYTES {
            return Err(format!("has more than {MAX_TEMPLATE_BYTES} bytes"));
        }
        if text.contains('#') {
            return Err("has a fragment, which is never sent: leave it out".to_owned());
        }
        if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err("has a space, a backslash or a control character".to_owned());
        }
        let after_scheme = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        let after_scheme = after_scheme.ok_or("begins with https:// or http://")?;
        let authority_end = after_scheme.find(['/', '?']).unwrap_or(after_scheme.len());
        let (before, after) = text.split_at(text.len() - after_scheme.len() + authority_end);
        if before.contains(['{', '}', '$']) {
            return Err("has a placeholder before the path: scheme, host and port are literal".to_owned());
        }
        let origin = Url::parse(before).map_err(|error| format!("cannot be understood: {error}"))?;
        Ok(Self { pieces: pieces(before, after)?, origin })
    }

    /// Scheme, host and port.
    pub(in crate::http) fn origin(&self) -> &Url {
        &self.origin
    }

    /// The URL with the caller's values, each encoded as the one component it stands in.
    pub(in crate::http) fn render(&self, input: &Value) -> Result<Url, ToolError> {
        let mut text = String::new();
        let mut in_segment = false;
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Segment(path) => {
                    let value = scalar_text(path, lookup(input, path))?;
                    if value.is_empty() {
                        return Err(ToolError::validation(format!(
                            "`{path}` stands in the address and is empty"
                        )));
                    }
                    in_segment = true;
                    text.extend(utf8_percent_encode(&value, ENCODED));
                }
                Piece::Query(path) => {
                    let value = scalar_text(path, lookup(input, path))?;
                    text.extend(utf8_percent_encode(&value, ENCODED));
                }
            }
        }
        let bad = |what: &str| ToolError::validation(format!("the values make {what} of the tool's address"));
        // Parsers take `..` out of a path even when it is encoded: a value could climb to a neighbour.
        if in_segment && text.split(['/', '?']).any(is_dots) {
            return Err(bad("a way up"));
        }
        let url = Url::parse(&text).map_err(|_| bad("no address"))?;
        if url.origin() != self.origin.origin() || !url.username().is_empty() || url.password().is_some() {
            return Err(bad("another host"));
        }
        Ok(url)
    }
}

fn is_dots(segment: &str) -> bool {
    let plain = segment.to_ascii_lowercase().replace("%2e", ".");
    plain == "." || plain == ".."
}

fn pieces(before: &str, after: &str) -> Result<Vec<Piece>, String> {
    // Without a path a query would follow the host directly; the parser writes the slash as well.
    let mut literal = before.to_owned();
    if !after.starts_with('/') {
        literal.push('/');
    }
    let mut pieces = Vec::new();
    let mut in_query = false;
    let mut rest = after;
    while let Some(at) = rest.find(['{', '}']) {
        in_query |= rest[..at].contains('?');
        literal.push_str(&rest[..at]);
        let inner = rest[at..].strip_prefix('{').ok_or("has a `}` without a `{`")?;
        let (name, left) = inner.split_once('}').ok_or("has a `{` that is not closed with `}`")?;
        let path = name.strip_prefix("$input.").unwrap_or(name);
        check_path(path).map_err(|_| format!("has a placeholder `{{{}}}` that is no path", short(name)))?;
        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
        pieces.push(if in_query { Piece::Query(path.to_owned()) } else { Piece::Segment(path.to_owned()) });
        rest = left;
    }
    literal.push_str(rest);
    pieces.push(Piece::Literal(literal));
    Ok(pieces)
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("https://a.example/users/{id}", json!({"id": "a b/c?d#e"}), "https://a.example/users/a%20b%2Fc%3Fd%23e")]
    #[case("https://a.example/{id}/x?q={q}", json!({"id": 7, "q": "a&b=c"}), "https://a.example/7/x?q=a%26b%3Dc")]
    #[case("https://a.example?q={$input.a.b}", json!({"a": {"b": "ü"}}), "https://a.example/?q=%C3%BC")]
    #[case("https://a.example/{id}", json!({"id": "@evil.example:1/"}), "https://a.example/%40evil.example%3A1%2F")]
    #[case("https://a.example/{id}", json!({"id": "x\r\nHost: y"}), "https://a.example/x%0D%0AHost%3A%20y")]
    #[case("https://a.example/v{id}.json", json!({"id": "..%2f"}), "https://a.example/v..%252f.json")]
    #[case("https://a.example/{id}", json!({"id": "%2e%2e"}), "https://a.example/%252e%252e")]
    #[case("https://a.example/{id}", json!({"id": "\\..\\x"}), "https://a.example/%5C..%5Cx")]
    fn values_fill_their_component_and_no_more(
        #[case] template: &str,
        #[case] input: Value,
        #[case] url: &str,
    ) {
        assert_eq!(UrlTemplate::parse(template).unwrap().render(&input).unwrap().as_str(), url);
    }

    #[rstest]
    #[case("https://a.example/users/{id}/keys", json!({"id": ".."}))]
    #[case("https://a.example/users/{id}/keys", json!({"id": "."}))]
    #[case("https://a.example/users/.{id}/keys", json!({"id": "."}))]
    #[case("https://a.example/users/{a}{b}", json!({"a": ".", "b": "."}))]
    #[case("https://a.example/users/{id}/keys", json!({"id": ""}))]
    #[case("https://a.example/users/{id}/keys", json!({"id": null}))]
    #[case("https://a.example/users/{id}/keys", json!({"id": ["x"]}))]
    #[case("https://a.example/users/{id}/keys", json!({}))]
    fn values_that_would_lead_elsewhere_are_refused(#[case] template: &str, #[case] input: Value) {
        UrlTemplate::parse(template).unwrap().render(&input).unwrap_err();
    }

    #[rstest]
    #[case("https://{host}/x")]
    #[case("https://a.{tld}/x")]
    #[case("https://a.example:{port}/x")]
    #[case("https://a.example{rest}")]
    #[case("https://{user}@a.example/")]
    #[case("{scheme}://a.example/")]
    #[case("{url}")]
    #[case("$input.url")]
    #[case("//a.example/x")]
    #[case("ftp://a.example/x")]
    #[case("https://a.example/{id")]
    #[case("https://a.example/id}")]
    #[case("https://a.example/{}")]
    #[case("https://a.example/{a b}")]
    #[case("https://a.example/x#{id}")]
    #[case("https://a.example\\{id}")]
    #[case("https://a.example/x\r\ny")]
    #[case("https:///x")]
    fn a_template_that_could_change_the_host_is_refused_at_save(#[case] template: &str) {
        assert!(UrlTemplate::parse(template).is_err(), "{template}");
    }
}
