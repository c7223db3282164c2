//! From plan and input to a request, without anything secret.

use reqwest::header::HeaderMap;
use serde_json::Value;
use toolgate_domain::ToolError;
use url::Url;

use crate::http::{
    HttpLimits,
    client::Outgoing,
    config::{Plan, check_value, values},
};

pub(super) fn build(plan: &Plan, input: &Value, limits: &HttpLimits) -> Result<Outgoing, ToolError> {
    let mut url = plan.url.render(input)?;
    for (name, template) in &plan.query {
        for value in values(template, input)? {
            url.query_pairs_mut().append_pair(name, &value);
        }
    }
    let mut headers = HeaderMap::new();
    for (name, template) in &plan.headers {
        if let Some(text) = template.render(input, str::to_owned)? {
            headers.append(name, check_value(name, &text).map_err(ToolError::validation)?);
        }
    }
    let body = match &plan.body {
        Some(body) => body.render(input, &mut headers)?,
        None => None,
    };
    if body.as_ref().is_some_and(|body| body.len() > limits.max_request_bytes) {
        let message = format!("the request has more than {} bytes", limits.max_request_bytes);
        return Err(ToolError::validation(message));
    }
    Ok(Outgoing { method: plan.method.clone(), url, headers, body })
}

/// Sets a parameter of the query, in place of any of that name.
pub(super) fn set_parameter(url: &mut Url, name: &str, value: &str) {
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(key, _)| key != name)
        .map(|(key, value)| (key.into(), value.into()))
        .collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
}
