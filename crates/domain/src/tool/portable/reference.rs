//! Where a local reference leads.

use std::borrow::Cow;

use serde_json::Value;

/// The schema that a reference names, where it is inside this document.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let fragment = reference.strip_prefix('#')?;
    let fragment = decoded(fragment)?;
    if fragment.is_empty() || fragment.starts_with('/') {
        return root.pointer(&fragment).filter(|found| found.is_object() || found.is_boolean());
    }
    // An anchor: only where definitions are kept, which is where anchors are.
    ["$defs", "definitions"]
        .iter()
        .filter_map(|key| root.get(*key).and_then(Value::as_object))
        .flat_map(|kept| kept.values())
        .find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(&*fragment))
}

/// `%25` and the like; `None` when it is not text.
fn decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok())?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pointers_and_anchors_are_followed_inside_the_document() {
        let root = json!({"$defs": {"a b": {"type": "string"}, "x": {"$anchor": "here", "type": "null"}}});
        assert_eq!(target(&root, "#"), Some(&root));
        assert_eq!(target(&root, "#/$defs/a%20b").unwrap()["type"], "string");
        assert_eq!(target(&root, "#here").unwrap()["type"], "null");
        for nowhere in ["#/$defs/none", "#gone", "https://example.com/x", "other.json#/a", "#/%zz", "#/%2"] {
            assert_eq!(target(&root, nowhere), None, "{nowhere}");
        }
    }
}
