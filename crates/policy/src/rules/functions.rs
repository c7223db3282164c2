//! The functions that the language has besides CEL's own: joining that stays small, and patterns that are compiled once.
//!
//! `cel` is built without its `regex` and `chrono` features: its `matches` compiles the pattern on every call and takes
//! patterns out of the input, and time enters a judgement only as the variable `time`.

use std::sync::Arc;

use cel::{
    Context, Env, ExecutionError, FunctionContext, Value,
    common::{
        types::{CelInt, CelString},
        value::Val,
    },
};
use regex::{Regex, RegexBuilder};

use super::{
    error::{Flaw, quoted},
    limits::{MAX_JOINED_BYTES, MAX_PATTERN_BYTES, MAX_PATTERN_MEMORY_BYTES, MAX_PATTERNS},
};

/// `+`, as the compiler rewrites it. Authors cannot write names with `@`.
pub(super) const ADD: &str = "@add";
/// `text.matches('pattern')`, as the compiler rewrites it: the pattern is a number.
pub(super) const MATCHES: &str = "@matches";
#[cfg(test)]
pub(super) const PANICS: &str = "panics";

/// The environment that parses expressions and evaluates them.
pub(super) fn environment() -> Env {
    Env::stdlib().with_optional_support(false)
}

/// The context that all judgements of a set share.
pub(super) fn root(patterns: Patterns) -> Result<Context<'static, 'static>, Flaw> {
    let mut root = Context::with_env(Arc::new(environment()));
    let taken =
        |e: cel::DeclarationError| Flaw::new(e.to_string(), "report this: the language is inconsistent");
    root.add_function(ADD, |call: &FunctionContext<'_, '_>| match call.args.as_slice() {
        [left, right] => add(left.as_ref(), right.as_ref()),
        other => Err(ExecutionError::invalid_argument_count(2, other.len())),
    })
    .map_err(taken)?;
    root.add_function(MATCHES, move |call: &FunctionContext<'_, '_>| patterns.matches(call))
        .map_err(taken)?;
    #[cfg(test)]
    root.add_function(PANICS, || -> bool { panic!("as the test wants") }).map_err(taken)?;
    Ok(root)
}

/// Numbers, and texts up to a bound. Without the bound a few doublings would fill the memory.
fn add(left: &dyn Val, right: &dyn Val) -> Result<Value, ExecutionError> {
    let refused = |why: &str| Err(ExecutionError::function_error("+", why));
    if let (Some(left), Some(right)) = (left.downcast_ref::<CelString>(), right.downcast_ref::<CelString>()) {
        if left.inner().len() + right.inner().len() > MAX_JOINED_BYTES {
            return refused("the joined text is too long");
        }
        return Ok(Value::String(Arc::new([left.inner(), right.inner()].concat())));
    }
    if left.as_iterable().is_some() || right.as_iterable().is_some() {
        return refused("only numbers and texts can be added");
    }
    match left.as_adder() {
        Some(adder) => Value::try_from(adder.add(right)?.as_ref()),
        None => refused("only numbers and texts can be added"),
    }
}

/// The regular expressions of a document. They run in linear time: the engine does not backtrack.
#[derive(Default)]
pub(super) struct Patterns(Vec<Regex>);

impl Patterns {
    pub fn add(&mut self, pattern: &str) -> Result<i64, Flaw> {
        let simplify = "write a shorter pattern, or use startsWith, endsWith or contains";
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(Flaw::new(format!("a pattern has more than {MAX_PATTERN_BYTES} bytes"), simplify));
        }
        if self.0.len() >= MAX_PATTERNS {
            return Err(Flaw::new(format!("the document has more than {MAX_PATTERNS} patterns"), simplify));
        }
        let compiled = RegexBuilder::new(pattern)
            .size_limit(MAX_PATTERN_MEMORY_BYTES)
            .dfa_size_limit(MAX_PATTERN_MEMORY_BYTES)
            .build()
            .map_err(|e| {
                Flaw::new(format!("the pattern is refused: {}", quoted(&e.to_string())), simplify)
            })?;
        self.0.push(compiled);
        Ok((self.0.len() - 1) as i64)
    }

    fn matches(&self, call: &FunctionContext<'_, '_>) -> Result<bool, ExecutionError> {
        let [text, index] = call.args.as_slice() else {
            return Err(ExecutionError::invalid_argument_count(2, call.args.len()));
        };
        let text = text
            .downcast_ref::<CelString>()
            .ok_or_else(|| ExecutionError::function_error("matches", "only a text can match a pattern"))?;
        index
            .downcast_ref::<CelInt>()
            .and_then(|index| self.0.get(usize::try_from(*index.inner()).ok()?))
            .map(|pattern| pattern.is_match(text.inner()))
            .ok_or_else(|| ExecutionError::function_error("matches", "the pattern is unknown"))
    }
}
