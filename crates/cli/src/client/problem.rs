//! Problem documents become failures that say what to do next.

use serde_json::Value;

use super::{Client, KeySource};
use crate::exit::{Exit, Failure};

/// The failure that a bad answer stands for.
pub(crate) fn failure_of(client: &Client, status: u16, body: Value) -> Failure {
    let exit = Exit::of_status(status);
    let (Some(code), Some(detail)) = (body["code"].as_str(), body["detail"].as_str()) else {
        return Failure::new(exit, format!("{} answered {status}, and not as Toolgate does", client.base()))
            .hint("is --url the address of a Toolgate server?");
    };
    let mut message = format!("{detail} ({code})");
    for more in complaints(&body).skip(1) {
        message.push_str(&format!("\n  {more}"));
    }
    let hint = hint(client, code, &body);
    let failure = Failure::new(exit, message).document(body);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// What is wrong with an input, place by place.
pub(crate) fn complaints(envelope: &Value) -> impl Iterator<Item = String> {
    let errors = envelope["error"]["details"]["errors"].as_array();
    errors.into_iter().flatten().filter_map(|error| {
        let (path, message) = (error["path"].as_str()?, error["message"].as_str()?);
        Some(if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") })
    })
}

fn hint(client: &Client, code: &str, body: &Value) -> Option<String> {
    Some(match code {
        "UNAUTHENTICATED" => match client.key_source() {
            KeySource::Given => {
                "the key came from --key or TOOLGATE_KEY; an admin makes a new one with `toolgate key create`"
                    .to_owned()
            }
            KeySource::File(path) => {
                format!("the key came from {}; is that the data directory of this server?", path.display())
            }
            KeySource::Nowhere(looked) => {
                let looked = looked.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
                format!(
                    "no key was found{looked}: give --key or TOOLGATE_KEY, or --data-dir with the server's data directory"
                )
            }
        },
        "FORBIDDEN" => "an admin makes a key that may with `toolgate key create NAME --scope …`".to_owned(),
        "OVERLOADED" | "UNAVAILABLE" | "RATE_LIMIT" | "REQUEST_TIMEOUT" => {
            match body["retry_after_s"].as_u64() {
                Some(seconds) => format!("try again in {seconds} s"),
                None => "try again in a moment".to_owned(),
            }
        }
        "NOT_FOUND"
            if body["detail"].as_str().is_some_and(|detail| detail.starts_with("there is no tool")) =>
        {
            "`toolgate tool list` shows what there is".to_owned()
        }
        _ => return None,
    })
}

pub(crate) fn unreachable(client: &Client, why: &str) -> Failure {
    Failure::new(Exit::Unreachable, format!("{} cannot be reached: {why}", client.base()))
        .hint("start a server with `toolgate serve`, or say where it is with --url")
}

/// The innermost reason: the outer ones only repeat the address.
pub(crate) fn root(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}
