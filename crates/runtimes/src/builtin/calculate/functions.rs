//! The functions and constants that an expression may name.

use bigdecimal::{BigDecimal, RoundingMode, Signed};

use super::number::{DOUBLE, Number, ROUNDED};
use crate::builtin::{decimal, suggest};

/// Names of functions, for suggestions.
const FUNCTIONS: [&str; 14] =
    ["sqrt", "abs", "min", "max", "round", "floor", "ceil", "ln", "log10", "exp", "sin", "cos", "tan", "pow"];
const CONSTANTS: [&str; 2] = ["pi", "e"];
const PI: &str = "3.1415926535897932384626433832795028841971693993751";
const E: &str = "2.7182818284590452353602874713526624977572470936999";
/// Beyond this a double no longer knows where in the circle it is.
const MAX_ANGLE: f64 = 1e15;

pub(super) fn constant(name: &str) -> Result<Number, String> {
    let digits = match name {
        "pi" => PI,
        "e" => E,
        _ => {
            let known = CONSTANTS.into_iter().chain(FUNCTIONS);
            let hint = suggest::hint(&suggest::nearest(name, known));
            return Err(format!("unknown name `{}`{hint}", suggest::shown(name)));
        }
    };
    let value: BigDecimal = digits.parse().map_err(|_| format!("`{name}` has no value"))?;
    Number::new(value, ROUNDED).map_err(|_| format!("`{name}` has no value"))
}

/// Calls a function; the error does not repeat the function's place, which the caller knows.
pub(super) fn call(name: &str, arguments: &[Number]) -> Result<Number, String> {
    let range = |_| "the result is out of range".to_owned();
    match (name, arguments) {
        ("sqrt", [x]) => {
            x.square_root().ok_or("the square root of a negative number is undefined")?.map_err(range)
        }
        ("abs", [x]) => Ok(x.absolute()),
        ("min", [first, rest @ ..]) => {
            Ok(rest.iter().fold(first, |least, x| if less(x, least) { x } else { least }).clone())
        }
        ("max", [first, rest @ ..]) => {
            Ok(rest.iter().fold(first, |most, x| if less(most, x) { x } else { most }).clone())
        }
        ("round", [x]) => Ok(x.rounded(0, RoundingMode::HalfUp)),
        ("round", [x, places]) => match places.as_integer() {
            Some(places @ -30..=50) => Ok(x.rounded(places, RoundingMode::HalfUp)),
            _ => Err("the second argument of `round` is a whole number of places, -30 to 50".to_owned()),
        },
        ("floor", [x]) => Ok(x.rounded(0, RoundingMode::Floor)),
        ("ceil", [x]) => Ok(x.rounded(0, RoundingMode::Ceiling)),
        ("pow", [x, y]) => power(x, y),
        ("exp", [x]) => Number::from_double(x.to_f64().exp()).map_err(range),
        ("ln", [x]) => logarithm(x, f64::ln, std::f64::consts::LN_10),
        ("log10", [x]) => logarithm(x, f64::log10, 1.0),
        ("sin", [x]) => circular(x, f64::sin),
        ("cos", [x]) => circular(x, f64::cos),
        ("tan", [x]) => circular(x, f64::tan),
        ("sqrt" | "abs" | "floor" | "ceil" | "exp" | "ln" | "log10" | "sin" | "cos" | "tan", _) => {
            Err(format!("`{name}` takes one argument, not {}", arguments.len()))
        }
        ("pow", _) => Err(format!("`pow` takes two arguments, not {}", arguments.len())),
        ("round", _) => Err(format!("`round` takes one or two arguments, not {}", arguments.len())),
        ("min" | "max", _) => Err(format!("`{name}` takes at least one argument")),
        _ => {
            let hint = suggest::hint(&suggest::nearest(name, FUNCTIONS));
            Err(format!("unknown function `{}`{hint}", suggest::shown(name)))
        }
    }
}

/// Whole powers are exact; others go through doubles, square roots excepted.
pub(super) fn power(base: &Number, exponent: &Number) -> Result<Number, String> {
    let range = |_| "the power is out of range".to_owned();
    if let Some(whole) = exponent.as_integer() {
        return base.whole_power(whole).ok_or("zero to a negative power is undefined")?.map_err(range);
    }
    if base.is_zero() {
        return if exponent.to_f64() > 0.0 {
            Ok(base.clone())
        } else {
            Err("zero to a negative power is undefined".to_owned())
        };
    }
    if base.to_f64() < 0.0 {
        return Err("a negative number to a fractional power is undefined".to_owned());
    }
    if decimal::text(&exponent.settled()) == "0.5" {
        return base.square_root().ok_or("the root is undefined")?.map_err(range);
    }
    Number::from_double(base.to_f64().powf(exponent.to_f64())).map_err(range)
}

fn less(a: &Number, b: &Number) -> bool {
    a.settled() < b.settled()
}

/// `of(x)`, for magnitudes beyond those of doubles too: `of(m · 10^k) = of(m) + k · of(10)`.
fn logarithm(x: &Number, of: fn(f64) -> f64, of_ten: f64) -> Result<Number, String> {
    let value = x.settled();
    if !value.is_positive() {
        return Err("the logarithm of zero or less is undefined".to_owned());
    }
    let double = x.to_f64();
    let answer = if double.is_normal() {
        of(double)
    } else {
        let exponent = value.order_of_magnitude();
        let (digits, scale) = value.into_bigint_and_scale();
        of(decimal::to_f64(&BigDecimal::new(digits, scale + exponent))) + exponent as f64 * of_ten
    };
    Number::from_double(answer).map_err(|_| "the logarithm is out of range".to_owned())
}

/// A function of an angle in radians. Doubles miss the zeros of these functions by about 1e-16: such a rest is zero.
fn circular(x: &Number, of: fn(f64) -> f64) -> Result<Number, String> {
    let angle = x.to_f64();
    if angle.abs() > MAX_ANGLE {
        return Err("the angle is too large to be placed on the circle".to_owned());
    }
    let answer = of(angle);
    if answer.abs() > MAX_ANGLE {
        return Err("the tangent is undefined at this angle".to_owned());
    }
    let places = i64::try_from(DOUBLE).unwrap_or_default();
    Number::from_double(answer)
        .map(|n| n.rounded(places, RoundingMode::HalfEven))
        .map_err(|_| "the result is out of range".to_owned())
}
