//! A rule's condition, compiled and ready to be asked.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cel::{Context, ExecutionError, Value, common::types::CelBool, parser};

use super::{
    error::{Flaw, quoted},
    functions::Patterns,
    meter::Cost,
    parse::parse,
    restrict::{Known, restrict},
    scope::{OUT_OF_WORK, Scope},
};

pub(super) struct Expression {
    tree: parser::Expression,
    cost: Cost,
    /// Whether it looks at the input or at the time.
    pub varies: bool,
}

impl Expression {
    pub fn compile(source: &str, patterns: &mut Patterns) -> Result<Self, Flaw> {
        let mut tree = parse(source)?;
        let Known { cost, varies } = restrict(&mut tree, patterns)?;
        Ok(Self { tree, cost, varies })
    }

    /// True, false, or why there is no answer. A panic in the evaluator is one more reason for no answer.
    pub fn holds(&self, root: &Context<'static, 'static>, scope: &Scope<'_>) -> Result<bool, String> {
        scope.admit(self.cost)?;
        // Nothing that outlives the call is left half done: the scope's values are set once or not at all.
        let answer = catch_unwind(AssertUnwindSafe(|| self.evaluate(root, scope)))
            .unwrap_or_else(|_| Err("evaluating its condition failed inside".to_owned()));
        // `||` and `&&` can swallow an error; running out of work is not theirs to swallow.
        if scope.meter.is_empty() { Err(OUT_OF_WORK.to_owned()) } else { answer }
    }

    fn evaluate<'v>(&self, root: &Context<'v, 'v>, scope: &'v Scope<'_>) -> Result<bool, String> {
        let mut context = root.new_inner_scope();
        context.set_variable_resolver(scope);
        let value = Value::resolve_val(&self.tree, &context).map_err(|e| describe(&e))?;
        match value.downcast_ref::<CelBool>() {
            Some(answer) => Ok(*answer.inner()),
            None => Err(format!(
                "its condition yields a value of type {} and not a bool",
                value.get_type().name()
            )),
        }
    }
}

/// The reason without the values: evidence is stored and shown, and the input may hold what nobody should read there.
fn describe(error: &ExecutionError) -> String {
    match error {
        ExecutionError::NoSuchKey(key) => {
            format!("there is no key `{}`; test for it with has(…)", quoted(key))
        }
        ExecutionError::UndeclaredReference(name) => format!("there is no `{}`", quoted(name)),
        ExecutionError::NoSuchOverload(overload) => quoted(&overload.to_string()),
        ExecutionError::FunctionError { function, message } => quoted(&format!("{function}: {message}")),
        ExecutionError::DivisionByZero(_) | ExecutionError::RemainderByZero(_) => {
            "it divides by zero".to_owned()
        }
        ExecutionError::Overflow(..) => "a number grows beyond 64 bits".to_owned(),
        ExecutionError::IndexOutOfBounds(_) => "an index is outside of its list".to_owned(),
        ExecutionError::ValuesNotComparable(..) | ExecutionError::UnsupportedBinaryOperator(..) => {
            "two values of different types meet in one operation".to_owned()
        }
        _ => "a value has the wrong type".to_owned(),
    }
}
