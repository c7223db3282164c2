//! What a cell of text most likely is.

use serde_json::Value;

/// Digits that every double keeps.
const MAX_LOSSLESS_DIGITS: usize = 15;

/// `null`, a boolean or a number where the text is one and loses nothing by it; the text otherwise.
pub(super) fn infer(text: &str) -> Value {
    match text {
        "" => Value::Null,
        "true" | "TRUE" | "True" => Value::Bool(true),
        "false" | "FALSE" | "False" => Value::Bool(false),
        _ => number(text).unwrap_or_else(|| Value::from(text)),
    }
}

/// A number in JSON's own spelling: `007`, `+1` and `1,5` are codes, phone numbers and texts.
fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (digits, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let spelt = all_digits(whole) && fraction.is_none_or(all_digits) && exponent.is_none_or(all_digits);
    let padded = whole.len() > 1 && whole.starts_with('0');
    if !spelt || padded || mantissa.len() > MAX_LOSSLESS_DIGITS + 1 {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return text.parse::<i64>().ok().filter(|_| whole.len() <= MAX_LOSSLESS_DIGITS).map(Value::from);
    }
    let double: f64 = text.parse().ok()?;
    serde_json::Number::from_f64(double).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("", Value::Null)]
    #[case("true", json!(true))]
    #[case("False", json!(false))]
    #[case("0", json!(0))]
    #[case("-12", json!(-12))]
    #[case("1.50", json!(1.5))]
    #[case("1e3", json!(1000.0))]
    #[case("6.02E+23", json!(6.02e23))]
    #[case("007", json!("007"))]
    #[case("+1", json!("+1"))]
    #[case("1,5", json!("1,5"))]
    #[case(".5", json!(".5"))]
    #[case("5.", json!("5."))]
    #[case("-", json!("-"))]
    #[case("1e999", json!("1e999"))]
    #[case("NaN", json!("NaN"))]
    #[case("inf", json!("inf"))]
    #[case(" 1", json!(" 1"))]
    #[case("9007199254740993", json!("9007199254740993"))]
    #[case("3.14159265358979323846", json!("3.14159265358979323846"))]
    #[case("2026-01-01", json!("2026-01-01"))]
    fn inference_loses_nothing(#[case] text: &str, #[case] value: Value) {
        assert_eq!(infer(text), value);
    }
}
