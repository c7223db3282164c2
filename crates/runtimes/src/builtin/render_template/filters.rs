//! The filters that a template may use. Those whose cost grows with their input pay for it.

use std::sync::Arc;

use minijinja::{
    Environment, Error, State, filters,
    value::{Rest, Value, ValueOrKwargs},
};

use super::{budget::Budget, growing, predicates};

pub(super) fn register(env: &mut Environment<'_>, budget: &Arc<Budget>) {
    free_filters(env);
    for (name, filter) in paid_filters() {
        let budget = Arc::clone(budget);
        env.add_filter(name, move |state: &mut State, args: Rest<ValueOrKwargs>| {
            pay_and_call(&budget, &filter, state, &args.into_values())
        });
    }
    growing::register(env, budget);
    predicates::register(env, budget);
}

/// Filters that take the same time whatever they are given, and answer with no more than a part of it.
fn free_filters(env: &mut Environment<'_>) {
    env.add_filter("length", filters::length);
    env.add_filter("count", filters::length);
    env.add_filter("first", filters::first);
    env.add_filter("default", filters::default);
    env.add_filter("d", filters::default);
    env.add_filter("abs", filters::abs);
    env.add_filter("round", filters::round);
    env.add_filter("bool", filters::bool);
}

/// Filters whose result is at most a few times as large as their input.
fn paid_filters() -> Vec<(&'static str, Value)> {
    vec![
        ("capitalize", Value::from_function(filters::capitalize)),
        ("dictsort", Value::from_function(filters::dictsort)),
        ("e", Value::from_function(filters::escape)),
        ("escape", Value::from_function(filters::escape)),
        ("float", Value::from_function(filters::float)),
        ("groupby", Value::from_function(filters::groupby)),
        ("int", Value::from_function(filters::int)),
        ("items", Value::from_function(filters::items)),
        ("last", Value::from_function(filters::last)),
        ("lines", Value::from_function(filters::lines)),
        ("list", Value::from_function(filters::list)),
        ("lower", Value::from_function(filters::lower)),
        ("max", Value::from_function(filters::max)),
        ("min", Value::from_function(filters::min)),
        ("reject", Value::from_function(filters::reject)),
        ("rejectattr", Value::from_function(filters::rejectattr)),
        ("reverse", Value::from_function(filters::reverse)),
        ("safe", Value::from_function(filters::safe)),
        ("select", Value::from_function(filters::select)),
        ("selectattr", Value::from_function(filters::selectattr)),
        ("sort", Value::from_function(filters::sort)),
        ("split", Value::from_function(filters::split)),
        ("string", Value::from_function(filters::string)),
        ("title", Value::from_function(filters::title)),
        ("trim", Value::from_function(filters::trim)),
        ("unique", Value::from_function(filters::unique)),
        ("upper", Value::from_function(filters::upper)),
    ]
}

/// Calls a filter that reads all of its arguments, and pays for what goes in and comes out.
pub(super) fn pay_and_call(
    budget: &Budget,
    filter: &Value,
    state: &mut State,
    args: &[Value],
) -> Result<Value, Error> {
    /// Sorting reads its input several times over.
    const PASSES: u64 = 4;
    let mut bytes = 0;
    for arg in args {
        bytes += budget.look(arg)?;
    }
    budget.work(bytes.saturating_mul(PASSES))?;
    budget.settle(filter.call(state, args)?)
}
