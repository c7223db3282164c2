//! From template and values to text.

use std::sync::Arc;

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, escape_formatter,
    machinery::{self, CodeGenerator},
    syntax::SyntaxConfig,
    value::{Rest, Value},
};

use super::{
    budget::Budget,
    expressions::{ADD, CONCAT, LIST, MAP, MULTIPLY, SLICE},
    filters, guard, operators,
    statements::statement,
};

/// Instructions that a rendering may run.
const FUEL: u64 = 500_000;

/// Whether it is a template at all; the message says what is wrong with it, and on which line.
pub(crate) fn check(template: &str) -> Result<(), String> {
    guard::check(template)?;
    let tree = machinery::parse(template, "template", SyntaxConfig::default())
        .map_err(|error| described(&error, template))?;
    statement(&tree).map(drop)
}

/// Renders `template`; the error says what is wrong, and on which line.
pub(super) fn render(template: &str, values: Value) -> Result<String, String> {
    guard::check(template)?;
    let explain = |error: Error| described(&error, template);
    let tree = machinery::parse(template, "template", SyntaxConfig::default()).map_err(explain)?;
    let tree = statement(&tree)?;
    let mut generator = CodeGenerator::new("template", template);
    generator.compile_stmt(&tree);
    let (instructions, blocks) = generator.finish();
    let env = environment();
    let mut text = String::new();
    let mut output = machinery::make_string_output(&mut text);
    machinery::eval(&env, &instructions, values, &blocks, &mut output, AutoEscape::None).map_err(explain)?;
    Ok(text)
}

fn environment<'s>() -> Environment<'s> {
    let budget = Arc::new(Budget::default());
    let mut env = Environment::empty();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_fuel(Some(FUEL));
    env.set_recursion_limit(32);
    // Errors then name what is undefined.
    env.set_debug(true);
    filters::register(&mut env, &budget);
    env.add_function("range", operators::range);
    let account = Arc::clone(&budget);
    env.add_function(ADD, move |a: &Value, b: &Value| operators::add(&account, a, b));
    let account = Arc::clone(&budget);
    env.add_function(MULTIPLY, move |a: &Value, b: &Value| operators::multiply(&account, a, b));
    let account = Arc::clone(&budget);
    env.add_function(CONCAT, move |a: &Value, b: &Value| operators::concat(&account, a, b));
    let account = Arc::clone(&budget);
    env.add_function(LIST, move |items: Rest<Value>| operators::list(&account, items));
    let account = Arc::clone(&budget);
    env.add_function(MAP, move |pairs: Rest<Value>| operators::map(&account, pairs));
    let account = Arc::clone(&budget);
    env.add_function(SLICE, move |value: &Value, start: &Value, stop: &Value| {
        operators::slice(&account, value, start, stop)
    });
    env.set_formatter(move |out, state, value| {
        let mut text = String::new();
        escape_formatter(&mut machinery::make_string_output(&mut text), state, value)?;
        budget.emit(text.len())?;
        out.write_str(&text).map_err(Error::from)
    });
    env
}

/// An error as people need it: where, what, and the part of the template that is meant.
pub(super) fn described(error: &Error, template: &str) -> String {
    let line = error.line().unwrap_or(1);
    let what = match error.kind() {
        ErrorKind::OutOfFuel => "the template runs for too long".to_owned(),
        ErrorKind::UndefinedError => "something is used that is not defined".to_owned(),
        kind => error.detail().map_or_else(|| kind.to_string(), str::to_owned),
    };
    let part = error
        .range()
        .and_then(|range| template.get(range))
        .map(|part| part.trim().chars().take(80).collect::<String>());
    let what: String = what.chars().take(300).collect();
    match part {
        Some(part) if !part.is_empty() => format!("line {line}: {what}: `{part}`"),
        _ => format!("line {line}: {what}"),
    }
}
