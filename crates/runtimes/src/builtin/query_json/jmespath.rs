//! JMESPath, by the crate of that name, which has no budget either: `[@,@]|[@,@]|…` doubles with every step. How far
//! a query can multiply its data is bounded from its syntax tree before it runs.

use jmespath::{Rcvar, Runtime, Variable, ast::Ast};
use serde_json::Value;
use toolgate_domain::json::JsonSize;

/// Steps within each other; the parser, the interpreter and the tree recurse once for each.
const MAX_NESTING: usize = 60;
/// Values that a query may make.
const MAX_VALUES: u64 = 3_000_000;
/// Beyond this the library's arithmetic on slices could overflow.
const MAX_STEP: u32 = 1_000_000;

/// Whether the query is one that could be run.
pub(super) fn check(query: &str) -> Result<(), String> {
    if nesting(query) > MAX_NESTING {
        return Err(too_nested());
    }
    let mut runtime = Runtime::new();
    runtime.register_builtin_functions();
    let expression = runtime.compile(query).map_err(|error| not_jmespath(&error))?;
    growth(expression.as_ast()).map(drop)
}

fn too_nested() -> String {
    format!("the query nests or chains more than {MAX_NESTING} steps")
}

fn not_jmespath(error: &impl ToString) -> String {
    format!("the query is not JMESPath: {}", line(error))
}

/// What the query makes of the data. `size` is the size of the data.
pub(super) fn query(data: &Value, size: JsonSize, query: &str) -> Result<Value, String> {
    if nesting(query) > MAX_NESTING {
        return Err(too_nested());
    }
    let mut runtime = Runtime::new();
    runtime.register_builtin_functions();
    let expression = runtime.compile(query).map_err(|error| not_jmespath(&error))?;
    let growth = growth(expression.as_ast())?;
    if growth.saturating_mul(size.nodes + size.text_bytes / 8) > MAX_VALUES {
        return Err(
            "the query could make too much out of data of this size: use fewer lists, or a smaller part \
                    of the data"
                .to_owned(),
        );
    }
    let data = Variable::try_from(data).map_err(|error| line(&error))?;
    let found =
        expression.search(Rcvar::new(data)).map_err(|error| format!("the query failed: {}", line(&error)))?;
    serde_json::to_value(&*found).map_err(|_| "the query gives no JSON value".to_owned())
}

/// The first line of a message; the rest draws the query again.
fn line(error: &impl ToString) -> String {
    error.to_string().lines().next().unwrap_or_default().chars().take(300).collect()
}

/// How many steps the query chains and nests at most: `a.b[c.d]` is four deep, and a comma begins anew.
fn nesting(query: &str) -> usize {
    let mut deepest = 0;
    let mut chains = vec![0_usize];
    let mut quote = None;
    let mut chars = query.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '[' | '(' | '{') => {
                chains.iter_mut().last().into_iter().for_each(|chain| *chain += 1);
                chains.push(0);
            }
            (None, ']' | ')' | '}') if chains.len() > 1 => {
                chains.pop();
            }
            (None, ',') => chains.iter_mut().last().into_iter().for_each(|chain| *chain = 0),
            (None, '.' | '|' | '&' | '!' | '<' | '>' | '=' | '*') => {
                chains.iter_mut().last().into_iter().for_each(|chain| *chain += 1);
            }
            (None, _) => {}
        }
        deepest = deepest.max(chains.iter().sum());
    }
    deepest
}

/// How many times larger than its input the result of `ast` can be.
fn growth(ast: &Ast) -> Result<u64, String> {
    match ast {
        Ast::Field { .. } | Ast::Index { .. } | Ast::Identity { .. } => Ok(1),
        Ast::Slice { step, .. } if step.unsigned_abs() > MAX_STEP => {
            Err(format!("the step {step} of a slice is too large"))
        }
        Ast::Slice { .. } => Ok(1),
        Ast::Literal { value, .. } => Ok(literal_size(value)),
        Ast::Not { node, .. } | Ast::Flatten { node, .. } | Ast::ObjectValues { node, .. } => growth(node),
        Ast::Expref { .. } => {
            Err("an expression with `&` is an argument of a function, not a value".to_owned())
        }
        Ast::Subexpr { lhs, rhs, .. } | Ast::Projection { lhs, rhs, .. } => {
            Ok(growth(lhs)?.saturating_mul(growth(rhs)?))
        }
        Ast::And { lhs, rhs, .. } | Ast::Or { lhs, rhs, .. } | Ast::Comparison { lhs, rhs, .. } => {
            Ok(growth(lhs)?.saturating_add(growth(rhs)?))
        }
        Ast::Condition { predicate, then, .. } => Ok(growth(predicate)?.saturating_add(growth(then)?)),
        Ast::MultiList { elements, .. } => {
            elements.iter().try_fold(1_u64, |sum, element| Ok(sum.saturating_add(growth(element)?)))
        }
        Ast::MultiHash { elements, .. } => {
            elements.iter().try_fold(1_u64, |sum, pair| Ok(sum.saturating_add(growth(&pair.value)?)))
        }
        Ast::Function { name, args, .. } => match (name.as_str(), args.as_slice()) {
            // The glue stands between all elements, so that a long one from the data would square it.
            ("join", [Ast::Literal { value, .. }, list]) => {
                Ok(literal_size(value).saturating_mul(growth(list)?))
            }
            ("join", _) => Err("the glue of join is a text in quotes".to_owned()),
            // Every character may need an escape of six.
            ("to_string", [value]) => Ok(growth(value)?.saturating_mul(6)),
            // `map(&each, list)`: what an expression makes, it makes of every element.
            _ => {
                let (mut values, mut each) = (1_u64, 1_u64);
                for arg in args {
                    match arg {
                        Ast::Expref { ast, .. } => each = each.saturating_mul(growth(ast)?),
                        value => values = values.saturating_add(growth(value)?),
                    }
                }
                Ok(values.saturating_mul(each))
            }
        },
    }
}

fn literal_size(value: &Variable) -> u64 {
    1 + value.to_string().len() as u64
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn run(text: &str) -> Result<Value, String> {
        let data =
            json!({"people": [{"name": "Ann", "age": 30}, {"name": "Bob", "age": 20}], "n": [3, 1, 2]});
        query(&data, JsonSize::of(&data), text)
    }

    #[rstest]
    #[case("people[?age > `25`].name", json!(["Ann"]))]
    #[case("people[].{n: name, a: age} | [0]", json!({"n": "Ann", "a": 30}))]
    #[case("sort(n)", json!([1, 2, 3]))]
    #[case("max_by(people, &age).name", json!("Ann"))]
    #[case("join(', ', people[].name)", json!("Ann, Bob"))]
    #[case("length(people)", json!(2))]
    #[case("n[::-1]", json!([2, 1, 3]))]
    #[case("nothing.here", Value::Null)]
    fn answers(#[case] text: &str, #[case] expected: Value) {
        assert_eq!(run(text).unwrap(), expected);
    }

    #[rstest]
    #[case::syntax("people[", "not JMESPath")]
    #[case::function("nope(@)", "the query failed")]
    #[case::type_error("sum(people)", "the query failed")]
    #[case::expression("&name", "not a value")]
    #[case::hidden_expression("[&name]", "not a value")]
    #[case::doubling("[@,@][]|".repeat(20) + "@", "too much")]
    #[case::nesting("[".repeat(300), "nests or chains")]
    #[case::chain("a.".repeat(300) + "a", "nests or chains")]
    #[case::glue("join(people[0].name, n[].to_string(@))", "glue of join")]
    #[case::step("n[1::2147483647]", "step")]
    #[case::escapes("to_string(".repeat(20) + "@" + &")".repeat(20), "too much")]
    fn refuses(#[case] text: impl Into<String>, #[case] says: &str) {
        let message = run(&text.into()).unwrap_err();
        assert!(message.contains(says), "{message}");
    }

    #[rstest]
    #[case("!", "@", "")]
    #[case("(", "@", ")")]
    #[case("[", "@", "]")]
    #[case("", "a", ".a")]
    #[case("", "@", "|@")]
    #[case("", "@", "||@")]
    #[case("abs(", "@", ")")]
    #[case("", "@", "[0]")]
    #[case("", "@", "[*]")]
    #[case("", "@", "[?@]")]
    #[case("a[?", "@", "]")]
    #[case("{a:", "@", "}")]
    fn the_deepest_queries_that_are_let_through_fit_the_stack(
        #[case] open: &str,
        #[case] inner: &str,
        #[case] close: &str,
    ) {
        for levels in [10, 50, 99, 100, 199, 200] {
            let _ = run(&format!("{}{inner}{}", open.repeat(levels), close.repeat(levels)));
        }
    }
}
