//! Filters whose result can be far larger than their input: its size is known before it is made.

use std::sync::Arc;

use minijinja::{
    Environment, Error, ErrorKind, State, filters,
    value::{Kwargs, Rest, Value, ValueOrKwargs},
};

use super::{
    budget::{Budget, check_bytes, refused},
    filters::pay_and_call,
    operators,
};

pub(super) fn register(env: &mut Environment<'_>, budget: &Arc<Budget>) {
    let account = Arc::clone(budget);
    env.add_filter("join", move |items: &Value, glue: Option<&str>, options: Kwargs| {
        join(&account, items, glue.unwrap_or_default(), &options)
    });

    let account = Arc::clone(budget);
    env.add_filter("sum", move |items: &Value, options: Kwargs| sum(&account, items, &options));

    let account = Arc::clone(budget);
    env.add_filter("replace", move |text: &Value, from: &str, to: &str| {
        check_bytes(account.look(text)?)?;
        let text = text.to_string();
        let found = text.matches(from).count() as u64;
        let bytes = text.len() as u64 + found.saturating_mul(to.len() as u64);
        check_bytes(bytes)?;
        account.work(bytes)?;
        Ok::<_, Error>(text.replace(from, to))
    });

    let account = Arc::clone(budget);
    let inner = Value::from_function(filters::map);
    env.add_filter("map", move |state: &mut State, args: Rest<ValueOrKwargs>| {
        match args.into_values().as_slice() {
            args @ [_, options] if options.is_kwargs() => pay_and_call(&account, &inner, state, args),
            _ => Err(refused("`map` takes attribute='…'".to_owned())),
        }
    });

    let account = Arc::clone(budget);
    let inner = Value::from_function(filters::indent);
    env.add_filter("indent", move |state: &mut State, text: Value, width: usize| {
        if width > 100 {
            return Err(refused("`indent` takes a width of at most 100".to_owned()));
        }
        pay_and_call(&account, &inner, state, &[text, Value::from(width)])
    });

    let account = Arc::clone(budget);
    let inner = Value::from_function(filters::tojson);
    env.add_filter(
        "tojson",
        move |state: &mut State, value: Value, indent: Option<usize>, options: Kwargs| {
            let indent = match indent {
                Some(indent) => Some(indent),
                None => options.get("indent")?,
            };
            options.assert_all_used()?;
            match indent {
                None => pay_and_call(&account, &inner, state, &[value]),
                Some(indent @ 0..=8) => pay_and_call(&account, &inner, state, &[value, Value::from(indent)]),
                Some(_) => Err(refused("`tojson` takes an indentation of at most 8".to_owned())),
            }
        },
    );

    let account = Arc::clone(budget);
    let inner = Value::from_function(filters::format);
    env.add_filter("format", move |state: &mut State, args: Rest<ValueOrKwargs>| {
        let args = args.into_values();
        let places = format_places(args.first().and_then(Value::as_str).unwrap_or_default())?;
        let mut largest = 0;
        for arg in &args {
            largest = account.look(arg)?.max(largest);
        }
        check_bytes(largest.saturating_mul(places + 1))?;
        pay_and_call(&account, &inner, state, &args)
    });
}

/// The items, or the attribute of each that the options ask for.
fn items_or_attributes(items: &Value, options: &Kwargs) -> Result<Vec<Value>, Error> {
    let attribute: Option<&str> = options.get("attribute")?;
    options.assert_all_used()?;
    let chosen = items.try_iter()?.map(|item| match attribute {
        Some(name) => item.get_attr(name),
        None => Ok(item),
    });
    chosen
        .map(|item| match item {
            Ok(item) if item.is_undefined() => Err(Error::from(ErrorKind::UndefinedError)),
            other => other,
        })
        .collect()
}

fn join(budget: &Budget, items: &Value, glue: &str, options: &Kwargs) -> Result<String, Error> {
    budget.look(items)?;
    let mut text = String::new();
    for (index, item) in items_or_attributes(items, options)?.iter().enumerate() {
        if index > 0 {
            text.push_str(glue);
        }
        match item.as_str() {
            Some(item) => text.push_str(item),
            None => text.push_str(&item.to_string()),
        }
        check_bytes(text.len() as u64)?;
    }
    budget.work(text.len() as u64)?;
    Ok(text)
}

fn sum(budget: &Budget, items: &Value, options: &Kwargs) -> Result<Value, Error> {
    budget.look(items)?;
    items_or_attributes(items, options)?.iter().try_fold(Value::from(0), |sum, item| {
        if !item.is_number() {
            return Err(refused(format!("`sum` adds numbers, not a {}", item.kind())));
        }
        operators::add(budget, &sum, item)
    })
}

/// How many values a format string takes in. A width is a request for that many bytes, so it has three digits at most.
fn format_places(format: &str) -> Result<u64, Error> {
    let mut places = 0;
    let mut digits = 0;
    for byte in format.bytes() {
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        match byte {
            b'%' | b'{' => places += 1,
            b'*' => return Err(refused("`format` takes no `*`".to_owned())),
            _ if digits > 3 => {
                return Err(refused("`format` takes widths of at most three digits".to_owned()));
            }
            _ => {}
        }
    }
    Ok(places)
}
