//! An unknown key is an error that names the nearest known one.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown key `{key}`{}", .nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
pub struct UnknownKey {
    pub key: String,
    pub nearest: Option<String>,
}

/// Refuses the first key of `fields` that is not in `known`.
pub fn reject_unknown_keys(fields: &Map<String, Value>, known: &[&str]) -> Result<(), UnknownKey> {
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(UnknownKey { key: key.chars().take(80).collect(), nearest: nearest(key, known) }),
    }
}

fn nearest(key: &str, known: &[&str]) -> Option<String> {
    const CLOSE_ENOUGH: f64 = 0.75;
    known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(&key.to_lowercase(), candidate), *candidate))
        .filter(|(score, _)| *score >= CLOSE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_slip_is_answered_with_the_key_that_was_meant() {
        let fields = json!({"egres_class": "none"}).as_object().cloned().unwrap();
        let error = reject_unknown_keys(&fields, &["name", "egress_class"]).unwrap_err();
        assert_eq!(error.to_string(), "unknown key `egres_class`; did you mean `egress_class`?");
    }

    #[test]
    fn a_key_like_nothing_known_gets_no_suggestion() {
        let fields = json!({"zzz": 1}).as_object().cloned().unwrap();
        assert_eq!(reject_unknown_keys(&fields, &["name"]).unwrap_err().to_string(), "unknown key `zzz`");
    }
}
