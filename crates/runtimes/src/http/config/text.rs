//! Texts with the caller's values in them: `$input.path` as a whole, `{$input.path}` within.

use serde_json::Value;
use toolgate_domain::ToolError;

const INPUT: &str = "$input";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Reference(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::http) struct TextTemplate {
    pieces: Vec<Piece>,
    /// The text is one reference and nothing else: left out where the caller left it out.
    whole: bool,
}

impl TextTemplate {
    pub(in crate::http) fn parse(text: &str) -> Result<Self, String> {
        if let Some(path) = reference(text) {
            return Ok(Self { pieces: vec![Piece::Reference(path?)], whole: true });
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find("{$input") {
            pieces.push(Piece::Literal(rest[..at].to_owned()));
            let (inner, after) =
                rest[at + 1..].split_once('}').ok_or("has a `{$input` that is not closed with `}`")?;
            let path = reference(inner).ok_or("has a reference that is not `{$input.path}`")??;
            pieces.push(Piece::Reference(path));
            rest = after;
        }
        pieces.push(Piece::Literal(rest.to_owned()));
        Ok(Self { pieces, whole: false })
    }

    /// The literal text, where there is no reference in it.
    pub(in crate::http) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// What the reference holds, where the text is nothing but one.
    pub(in crate::http) fn value<'a>(&self, input: &'a Value) -> Option<Option<&'a Value>> {
        match self.pieces.as_slice() {
            [Piece::Reference(path)] if self.whole => Some(lookup(input, path)),
            _ => None,
        }
    }

    /// The text with the caller's values; `None` when it is one reference to nothing.
    pub(in crate::http) fn render(
        &self,
        input: &Value,
        escape: impl Fn(&str) -> String,
    ) -> Result<Option<String>, ToolError> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Literal(literal) => text.push_str(literal),
                Piece::Reference(path) => match lookup(input, path) {
                    None | Some(Value::Null) if self.whole => return Ok(None),
                    found => text.push_str(&escape(&scalar_text(path, found)?)),
                },
            }
        }
        Ok(Some(text))
    }
}

/// The path of `$input` (empty) or `$input.path`; `None` when the text is no reference.
fn reference(text: &str) -> Option<Result<String, String>> {
    let path = text.strip_prefix(INPUT)?;
    if path.is_empty() {
        return Some(Ok(String::new()));
    }
    let path = path.strip_prefix('.')?;
    Some(check_path(path).map(|()| path.to_owned()))
}

/// A path is words with dots between them.
pub(super) fn check_path(path: &str) -> Result<(), String> {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    if path.split('.').all(is_word) {
        Ok(())
    } else {
        Err("has a reference with a path that is no path".to_owned())
    }
}

pub(super) fn lookup<'a>(input: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return Some(input);
    }
    path.split('.').try_fold(input, |value, key| match value {
        Value::Array(items) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
        other => other.get(key),
    })
}

/// A value as it stands in a text.
pub(in crate::http) fn scalar_text(path: &str, value: Option<&Value>) -> Result<String, ToolError> {
    match value {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        Some(Value::Bool(flag)) => Ok(flag.to_string()),
        None | Some(Value::Null) => {
            Err(ToolError::validation(format!("the request needs `{path}`, which the input leaves out")))
        }
        Some(Value::Array(_) | Value::Object(_)) => {
            Err(ToolError::validation(format!("`{path}` stands in a text and is not one value")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn render(text: &str) -> Result<Option<String>, ToolError> {
        let input = json!({"a": {"b": "x"}, "n": 1, "list": [7], "none": null});
        TextTemplate::parse(text).unwrap().render(&input, str::to_owned)
    }

    #[test]
    fn references_stand_alone_or_within() {
        assert_eq!(render("$input.a.b").unwrap().as_deref(), Some("x"));
        assert_eq!(
            render("id-{$input.n}-{$input.a.b}-{$input.list.0}").unwrap().as_deref(),
            Some("id-1-x-7")
        );
        assert_eq!(render("query { name }").unwrap().as_deref(), Some("query { name }"));
        assert_eq!(render("$input.gone").unwrap(), None);
        assert_eq!(render("$input.none").unwrap(), None);
    }

    #[test]
    fn what_is_missing_within_or_is_no_text_is_refused() {
        assert!(render("x {$input.gone}").unwrap_err().message.contains("`gone`"));
        assert!(render("x {$input.a}").unwrap_err().message.contains("`a`"));
        assert!(TextTemplate::parse("x {$input.a").is_err());
        assert!(TextTemplate::parse("x {$input.a b}").is_err());
        assert!(TextTemplate::parse("$input..a").is_err());
    }
}
