//! From a tree to a number. The tree's depth was bounded when it was parsed.

use super::{
    functions,
    number::{EXACT, Number},
    syntax::{Expr, Kind, Operator},
};
use crate::builtin::decimal::{self, MAX_EXPONENT, OutOfRange};

/// The value of an expression; the error says what is wrong, and at which character.
pub(super) fn evaluate(expr: &Expr) -> Result<Number, String> {
    // `1+1+1+…` leans to the left as deep as it is long: that side is walked, only the other one recurses.
    let mut spine = Vec::new();
    let mut leftmost = expr;
    while let Kind::Binary(operator, left, right) = &leftmost.kind {
        spine.push((*operator, leftmost, right));
        leftmost = left;
    }
    let mut value = operand(leftmost)?;
    for (operator, expr, right) in spine.into_iter().rev() {
        value = binary(operator, &value, &evaluate(right)?, expr, right)?;
    }
    Ok(value)
}

fn operand(expr: &Expr) -> Result<Number, String> {
    match &expr.kind {
        Kind::Number(text) => {
            let value = decimal::parse(text).unwrap_or(Err(OutOfRange));
            value.and_then(|value| Number::new(value, EXACT)).map_err(|e| out_of_range(e, expr))
        }
        Kind::Constant(name) => functions::constant(name).map_err(|e| placed(e, expr)),
        Kind::Negate(inner) => evaluate(inner).map(Number::negated),
        Kind::Call(name, arguments) => {
            let arguments = arguments.iter().map(evaluate).collect::<Result<Vec<_>, _>>()?;
            functions::call(name, &arguments).map_err(|e| placed(e, expr))
        }
        Kind::Binary(..) => evaluate(expr),
    }
}

fn binary(operator: Operator, a: &Number, b: &Number, expr: &Expr, right: &Expr) -> Result<Number, String> {
    let by_zero = || placed("division by zero".to_owned(), right);
    match operator {
        Operator::Add => a.add(b).map_err(|e| out_of_range(e, expr)),
        Operator::Subtract => a.subtract(b).map_err(|e| out_of_range(e, expr)),
        Operator::Multiply => a.multiply(b).map_err(|e| out_of_range(e, expr)),
        Operator::Divide => a.divide(b).ok_or_else(by_zero)?.map_err(|e| out_of_range(e, expr)),
        Operator::Remainder => a.remainder(b).ok_or_else(by_zero)?.map_err(|e| out_of_range(e, expr)),
        Operator::Power => functions::power(a, b).map_err(|e| placed(e, expr)),
    }
}

fn placed(message: String, expr: &Expr) -> String {
    format!("{message} (at character {})", expr.at)
}

fn out_of_range(_: OutOfRange, expr: &Expr) -> String {
    placed(
        format!("the result is out of range: numbers reach from 10^-{MAX_EXPONENT} to 10^{MAX_EXPONENT}"),
        expr,
    )
}
