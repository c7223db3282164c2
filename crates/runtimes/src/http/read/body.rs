//! From bytes to the `body` of an answer.

use encoding_rs::{Encoding, UTF_8};
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use toolgate_domain::{AttachmentKind, ToolError};
use toolgate_engine::NewAttachment;

use super::{html, json as lenient, table};
use crate::http::{
    HttpLimits,
    client::{Failure, Response},
    config::Preview,
    run::Credentials,
};

/// What was read of a response.
#[derive(Debug, PartialEq)]
pub(in crate::http) struct Reading {
    pub(in crate::http) body: Value,
    pub(in crate::http) attachments: Vec<NewAttachment>,
    pub(in crate::http) truncated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Said to be JSON; `true` where nothing else will do.
    Json(bool),
    Text,
    Html,
    Csv(Option<u8>),
    Image,
    Blob,
    /// Nothing was said: JSON, text or bytes, whichever it is.
    Unsaid,
}

/// Reads a body; `needs_json` where a query is to be asked of it.
pub(in crate::http) fn read(
    response: Response,
    preview: Preview,
    needs_json: bool,
    limits: &HttpLimits,
    scrub: &Credentials,
) -> Result<Reading, ToolError> {
    if response.body.is_empty() {
        return Ok(Reading { body: Value::Null, attachments: Vec::new(), truncated: response.truncated });
    }
    let media = media_type(&response);
    let form = match preview {
        Preview::Json => Form::Json(true),
        _ if needs_json => Form::Json(true),
        Preview::Auto => form_of(&media),
        Preview::Text => Form::Text,
        Preview::Html => Form::Html,
        Preview::Csv => Form::Csv(None),
        Preview::Blob => Form::Blob,
    };
    if matches!(form, Form::Image | Form::Blob) {
        return attach(response, form, media);
    }
    if form == Form::Unsaid && std::str::from_utf8(&response.body).is_err() {
        return attach(response, Form::Blob, "application/octet-stream".to_owned());
    }
    let decoded = decode(&response);
    let text = scrub.scrub(&decoded);
    let (body, cut_further) = match form {
        Form::Json(_) | Form::Unsaid if !response.truncated => match lenient::parse(&text) {
            Ok(value) => (value, false),
            Err(error) if form == Form::Json(true) => {
                let error: String = error.chars().take(200).collect();
                return Err(Failure::provider("not_json", format!("the response is no JSON: {error}")).error);
            }
            Err(_) => text_value(&text, limits),
        },
        Form::Json(_) => return Err(too_large(&response)),
        Form::Html => {
            let (readable, cut) = html::readable(&text, limits.max_text_bytes);
            (Value::from(readable), cut)
        }
        Form::Csv(delimiter) => {
            table::parse(&text, delimiter, limits).unwrap_or_else(|_| text_value(&text, limits))
        }
        Form::Text | Form::Unsaid | Form::Image | Form::Blob => text_value(&text, limits),
    };
    Ok(Reading { body, attachments: Vec::new(), truncated: response.truncated || cut_further })
}

/// The beginning of a body that is text, for an error.
pub(in crate::http) fn excerpt(response: &Response, max_bytes: usize) -> String {
    let media = media_type(response);
    if matches!(form_of(&media), Form::Image | Form::Blob) {
        return String::new();
    }
    let text = decode(response);
    let shown = cut(&text, max_bytes);
    shown.chars().filter(|c| !c.is_control() || c.is_whitespace()).collect()
}

/// The longest beginning of at most `max_bytes` that ends between characters.
pub(super) fn cut(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

fn text_value(text: &str, limits: &HttpLimits) -> (Value, bool) {
    let shown = cut(text, limits.max_text_bytes);
    (Value::from(shown), shown.len() < text.len())
}

fn attach(response: Response, form: Form, content_type: String) -> Result<Reading, ToolError> {
    if response.truncated {
        return Err(too_large(&response));
    }
    let kind = if form == Form::Image { AttachmentKind::Image } else { AttachmentKind::Blob };
    let content_type =
        if content_type.is_empty() { "application/octet-stream".to_owned() } else { content_type };
    let body = json!({"attachment": 0, "content_type": content_type, "bytes": response.body.len()});
    let attachments = vec![NewAttachment { kind, content_type, bytes: response.body }];
    Ok(Reading { body, attachments, truncated: false })
}

fn too_large(response: &Response) -> ToolError {
    let message = format!(
        "the body has more than {} bytes, and half of it would be of no use: ask for less, or raise max_response_bytes",
        response.body.len()
    );
    Failure::provider("too_large", message).error
}

/// `type/subtype`, in lower case.
fn media_type(response: &Response) -> String {
    let said = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().chars().take(100).collect()
}

fn form_of(media: &str) -> Form {
    match media {
        "" => Form::Unsaid,
        "application/json" | "text/json" => Form::Json(false),
        json if json.ends_with("+json") => Form::Json(false),
        "text/html" | "application/xhtml+xml" => Form::Html,
        "text/csv" | "application/csv" => Form::Csv(None),
        "text/tab-separated-values" => Form::Csv(Some(b'\t')),
        // A picture that can hold scripts is shown as the text that it is.
        "image/svg+xml" => Form::Text,
        image if image.starts_with("image/") => Form::Image,
        text if text.starts_with("text/") || text.ends_with("+xml") => Form::Text,
        "application/xml"
        | "application/javascript"
        | "application/yaml"
        | "application/x-yaml"
        | "application/x-ndjson"
        | "application/x-www-form-urlencoded"
        | "application/graphql" => Form::Text,
        _ => Form::Blob,
    }
}

fn decode(response: &Response) -> std::borrow::Cow<'_, str> {
    let said = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let charset = said.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let encoding = charset.and_then(|label| Encoding::for_label(label.as_bytes())).unwrap_or(UTF_8);
    encoding.decode(&response.body).0
}
