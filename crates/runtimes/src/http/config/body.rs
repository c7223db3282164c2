//! The body of a request: JSON with references, a text, or a form.

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;
use toolgate_domain::ToolError;
use url::form_urlencoded;

use super::{fields::Fields, text::TextTemplate};
use crate::binding::bind;

#[derive(Clone, Debug)]
pub(in crate::http) enum BodyTemplate {
    /// Values are bound into a tree, so no text of theirs can become structure.
    Json(Value),
    Text {
        template: TextTemplate,
        escape: Escape,
    },
    Form(Vec<(String, TextTemplate)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Escape {
    None,
    Xml,
}

pub(super) fn parse(fields: &Fields<'_>, content_type: Option<&str>) -> Result<Option<BodyTemplate>, String> {
    let form = pairs(fields, "form")?;
    match (fields.get("body"), form) {
        (Some(_), Some(_)) => Err(fields.bad("form", "and `body` exclude each other")),
        (None, None) => Ok(None),
        (None, Some(form)) => Ok(Some(BodyTemplate::Form(form))),
        (Some(Value::String(text)), None) if !text.starts_with("$input") => {
            let template = TextTemplate::parse(text).map_err(|e| fields.bad("body", e))?;
            text_body(fields, template, content_type).map(Some)
        }
        (Some(value), None) => Ok(Some(BodyTemplate::Json(value.clone()))),
    }
}

/// Values in a text could break out of formats that have a structure; those get a template that knows it.
fn text_body(
    fields: &Fields<'_>,
    template: TextTemplate,
    content_type: Option<&str>,
) -> Result<BodyTemplate, String> {
    let kind = content_type.unwrap_or("text/plain").to_ascii_lowercase();
    let has_references = template.literal().is_none();
    if has_references && kind.contains("json") {
        return Err(
            fields.bad("body", "is a text: for JSON write an object, whose values cannot break out of it")
        );
    }
    if has_references && kind.contains("x-www-form-urlencoded") {
        return Err(fields.bad("body", "is a text: for a form use `form`"));
    }
    let escape = if kind.contains("xml") || kind.contains("html") { Escape::Xml } else { Escape::None };
    Ok(BodyTemplate::Text { template, escape })
}

/// An object of texts with references.
pub(super) fn pairs(fields: &Fields<'_>, key: &str) -> Result<Option<Vec<(String, TextTemplate)>>, String> {
    const MAX_PAIRS: usize = 100;
    let Some(object) = fields.object(key)? else { return Ok(None) };
    if object.len() > MAX_PAIRS {
        return Err(fields.bad(key, format!("has more than {MAX_PAIRS} keys")));
    }
    let pair = |(name, value): (&String, &Value)| {
        let at = format!("{key}.{}", name.chars().take(60).collect::<String>());
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => return Err(fields.bad(&at, "is a text, a number, or true or false")),
        };
        TextTemplate::parse(&text).map(|template| (name.clone(), template)).map_err(|e| fields.bad(&at, e))
    };
    object.iter().map(pair).collect::<Result<_, _>>().map(Some)
}

impl BodyTemplate {
    /// The bytes, and a content type where the tool sets none; nothing where the whole body is what the caller left out.
    pub(in crate::http) fn render(
        &self,
        input: &Value,
        headers: &mut HeaderMap,
    ) -> Result<Option<Bytes>, ToolError> {
        let (bytes, kind) = match self {
            Self::Json(Value::String(text)) if is_left_out(text, input) => return Ok(None),
            Self::Json(template) => (bind(template, &[("input", input)]).to_string(), "application/json"),
            Self::Text { template, escape } => {
                let escaped = |text: &str| match escape {
                    Escape::None => text.to_owned(),
                    Escape::Xml => html_escape::encode_quoted_attribute(text).into_owned(),
                };
                (template.render(input, escaped)?.unwrap_or_default(), "text/plain; charset=utf-8")
            }
            Self::Form(pairs) => (render_form(pairs, input)?, "application/x-www-form-urlencoded"),
        };
        headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(kind));
        Ok(Some(bytes.into()))
    }
}

fn is_left_out(text: &str, input: &Value) -> bool {
    TextTemplate::parse(text).is_ok_and(|template| matches!(template.value(input), Some(None)))
}

fn render_form(pairs: &[(String, TextTemplate)], input: &Value) -> Result<String, ToolError> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, template) in pairs {
        for value in values(template, input)? {
            form.append_pair(name, &value);
        }
    }
    Ok(form.finish())
}

/// A list gives one value for each of its members; what the caller left out gives none.
pub(in crate::http) fn values(template: &TextTemplate, input: &Value) -> Result<Vec<String>, ToolError> {
    if let Some(Some(Value::Array(items))) = template.value(input) {
        return items.iter().map(|item| super::scalar_text("a member of a list", Some(item))).collect();
    }
    Ok(template.render(input, str::to_owned)?.into_iter().collect())
}
