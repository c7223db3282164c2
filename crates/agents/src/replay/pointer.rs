//! Where two documents part.

use serde::Serialize;
use serde_json::Value;

/// What tells things apart is looked at before what they hold.
const IDENTITIES: [&str; 3] = ["tool", "name", "code"];

/// The first place at which what is now is not what was recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Which part of the run: `turn 2`, `call 3 (search@1.0.0)`, `the end`.
    pub at: String,
    /// A JSON pointer into that part.
    pub path: String,
    /// `null` for what is not there.
    pub recorded: Value,
    pub now: Value,
}

impl Difference {
    pub(super) fn new(at: impl Into<String>, path: &str, recorded: Value, now: Value) -> Self {
        Self { at: at.into(), path: path.to_owned(), recorded, now }
    }

    /// The first difference of two values that stand at `path`.
    pub(super) fn of(at: &str, path: &str, recorded: &Value, now: &Value) -> Option<Self> {
        let mut path = path.to_owned();
        parted(&mut path, recorded, now).map(|(recorded, now)| Self {
            at: at.to_owned(),
            path,
            recorded,
            now,
        })
    }
}

/// Leaves the place in `path`. Both were bounded when they were read, so this ends.
fn parted(path: &mut String, recorded: &Value, now: &Value) -> Option<(Value, Value)> {
    let length = path.len();
    let enter = |path: &mut String, key: &str, a: Option<&Value>, b: Option<&Value>| {
        path.push('/');
        path.push_str(&key.replace('~', "~0").replace('/', "~1"));
        let found = match (a, b) {
            (Some(a), Some(b)) => parted(path, a, b),
            (a, b) => Some((a.cloned().unwrap_or_default(), b.cloned().unwrap_or_default())),
        };
        if found.is_none() {
            path.truncate(length);
        }
        found
    };
    match (recorded, now) {
        (Value::Object(a), Value::Object(b)) => {
            let first = IDENTITIES.iter().filter(|key| a.contains_key(**key)).copied();
            let only_now = b.keys().filter(|key| !a.contains_key(*key));
            let keys = first.chain(a.keys().chain(only_now).map(String::as_str));
            keys.into_iter().find_map(|key| enter(path, key, a.get(key), b.get(key)))
        }
        (Value::Array(a), Value::Array(b)) => (0..a.len().max(b.len()))
            .find_map(|index| enter(path, &index.to_string(), a.get(index), b.get(index))),
        (a, b) => (a != b).then(|| (a.clone(), b.clone())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_place_is_found_wherever_it_is() {
        let at = |a: Value, b: Value| {
            Difference::of("x", "", &a, &b).map(|found| (found.path, found.recorded, found.now))
        };
        assert_eq!(at(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2}]})), None);
        assert_eq!(
            at(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 3}]})),
            Some(("/a/1/b".to_owned(), json!(2), json!(3)))
        );
        assert_eq!(at(json!({"a": 1}), json!({})), Some(("/a".to_owned(), json!(1), json!(null))));
        assert_eq!(at(json!({}), json!({"~/": 1})), Some(("/~0~1".to_owned(), json!(null), json!(1))));
        assert_eq!(at(json!([1]), json!([1, 2])), Some(("/1".to_owned(), json!(null), json!(2))));
        assert_eq!(at(json!(1), json!("1")), Some((String::new(), json!(1), json!("1"))));
    }
}
