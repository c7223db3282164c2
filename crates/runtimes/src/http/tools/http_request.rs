//! `http_request`: any request, asked of a person first.

use bytes::Bytes;
use reqwest::{
    Method,
    header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HeaderMap, HeaderValue},
};
use serde_json::{Map, Value, json};
use toolgate_domain::{EgressClass, ToolError, ToolSpec, tool::Risk};
use url::Position;

use super::spec::Definition;
use crate::http::{
    HttpLimits,
    client::{Failure, Outgoing},
    config::{Plan, check_name, check_value, parse, scalar_text},
    wall::Wall,
};

const DESCRIPTION: &str = "Sends one HTTP request to a public address and answers with status, some headers and the \
body: JSON as JSON, HTML as readable text, CSV as a table, images and other files as attachments. Use it for an API \
that no other tool covers. Because a request of any method can be sent, a person is asked first, every time; where a \
tool for the job exists, use that one. It cannot reach private networks, and it carries no credentials: for a host that \
wants some, register an HTTP tool with a secret. A status of 400 or above is an error that tells the status.";

pub(in crate::http) struct HttpRequest;

impl HttpRequest {
    pub(in crate::http) const NAME: &'static str = "http_request";

    pub(in crate::http) fn spec() -> ToolSpec {
        Definition {
            name: Self::NAME,
            category: "api",
            icon: "globe",
            description: DESCRIPTION,
            input_schema: json!({
                "type": "object",
                "properties": {
                    "method": {
                        "type": "string", "enum": ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"],
                        "description": "The method."
                    },
                    "url": {
                        "type": "string", "minLength": 8, "maxLength": 8192, "pattern": "^https?://",
                        "description": "The whole address, with http:// or https://, without user name and password."
                    },
                    "headers": {
                        "type": "object", "maxProperties": 50,
                        "additionalProperties": {"type": "string", "maxLength": 8192},
                        "description": "Headers to send. Authorization and Cookie are refused: what is sent here is on record."
                    },
                    "query": {
                        "type": "object", "maxProperties": 100,
                        "additionalProperties": {"type": ["string", "number", "boolean"]},
                        "description": "Parameters that are added to the address."
                    },
                    "body": {
                        "description": "What to send: a text goes as it is, anything else as JSON."
                    }
                },
                "required": ["method", "url"],
                "additionalProperties": false
            }),
            output_schema: json!({
                "type": "object",
                "properties": {
                    "status": {"type": "integer", "description": "The status of the response."},
                    "headers": {"type": "object", "description": "Headers that tell about the content."},
                    "url": {"type": "string", "description": "Where the response came from, without its query."},
                    "body": {"description": "The body, read by its content type."},
                    "truncated": {"type": "boolean", "description": "Whether there was more of it."}
                },
                "required": ["status", "headers", "url", "body"],
                "additionalProperties": false
            }),
            egress_class: EgressClass::Write,
            risk: Risk::High,
            secrets: &[],
            output_sections: Vec::new(),
            refused: ("Not an address of the web", json!({"method": "GET", "url": "ftp://files.example.com/x"})),
        }
        .into_spec()
    }

    /// The plan and the request of an input.
    pub(in crate::http) fn plan(
        input: &Value,
        limits: &HttpLimits,
        wall: &Wall,
    ) -> Result<(Plan, Outgoing), ToolError> {
        let text = input["url"].as_str().unwrap_or_default();
        let mut url = wall.screen(text).map_err(|refusal| Failure::from(refusal).error)?;
        url.set_fragment(None);
        let config = Map::from_iter([
            ("method".to_owned(), input["method"].clone()),
            ("url".to_owned(), Value::from(&url[..Position::BeforePath])),
        ]);
        let plan = parse(&config, limits, wall).map_err(ToolError::validation)?;
        for (name, value) in input["query"].as_object().into_iter().flatten() {
            url.query_pairs_mut().append_pair(name, &scalar_text(name, Some(value))?);
        }
        let mut headers = headers(input["headers"].as_object())?;
        let body = body(input.get("body"), &plan.method, &mut headers)?;
        if body.as_ref().is_some_and(|body| body.len() > limits.max_request_bytes) {
            let message = format!("the request has more than {} bytes", limits.max_request_bytes);
            return Err(ToolError::validation(message));
        }
        let request = Outgoing { method: plan.method.clone(), url, headers, body };
        Ok((plan, request))
    }
}

fn headers(given: Option<&Map<String, Value>>) -> Result<HeaderMap, ToolError> {
    let mut headers = HeaderMap::new();
    for (name, value) in given.into_iter().flatten() {
        let name = check_name(name).map_err(ToolError::validation)?;
        if [AUTHORIZATION, COOKIE].contains(&name) {
            let message = format!(
                "the header `{name}` would be on record: register an HTTP tool with a secret instead"
            );
            return Err(ToolError::validation(message));
        }
        let text = scalar_text(name.as_str(), Some(value))?;
        headers.append(name.clone(), check_value(&name, &text).map_err(ToolError::validation)?);
    }
    Ok(headers)
}

fn body(given: Option<&Value>, method: &Method, headers: &mut HeaderMap) -> Result<Option<Bytes>, ToolError> {
    let (bytes, kind) = match given {
        None | Some(Value::Null) => return Ok(None),
        Some(_) if [Method::GET, Method::HEAD].contains(method) => {
            return Err(ToolError::validation(format!("a body does not go with {method}")));
        }
        Some(Value::String(text)) => (text.clone(), "text/plain; charset=utf-8"),
        Some(value) => (value.to_string(), "application/json"),
    };
    headers.entry(CONTENT_TYPE).or_insert(HeaderValue::from_static(kind));
    Ok(Some(bytes.into()))
}
