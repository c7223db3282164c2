//! Decimals with a bound on digits and magnitude: `0.1 + 0.2` is `0.3`, and no number can eat the machine.

use std::num::NonZeroU64;

use bigdecimal::{BigDecimal, RoundingMode, ToPrimitive, Zero};
use serde_json::{Number, Value};

/// Numbers from 10^1000 on do not exist here, nor, below one, those nearer to zero than 10^-1000.
pub(super) const MAX_EXPONENT: i64 = 1_000;

/// A number whose magnitude is beyond [`MAX_EXPONENT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfRange;

/// Reads `12`, `0.5`, `.5` or `1e-9`.
pub(super) fn parse(text: &str) -> Option<Result<BigDecimal, OutOfRange>> {
    let value: BigDecimal = text.parse().ok()?;
    Some(in_range(value))
}

/// The double as the shortest decimal that reads back as it: what a person meant who wrote `0.1`.
pub(super) fn from_f64(value: f64) -> Option<BigDecimal> {
    // `{:e}` prints the shortest digits that round-trip, whatever the magnitude.
    if value.is_finite() { format!("{value:e}").parse().ok() } else { None }
}

pub(super) fn in_range(value: BigDecimal) -> Result<BigDecimal, OutOfRange> {
    let fits = value.is_zero() || value.order_of_magnitude().abs() < MAX_EXPONENT;
    if fits { Ok(value) } else { Err(OutOfRange) }
}

/// `value` to `digits` significant digits, half to even.
pub(super) fn round_to(value: &BigDecimal, digits: u64) -> BigDecimal {
    match NonZeroU64::new(digits) {
        Some(digits) if value.digits() > digits.get() => {
            value.with_precision_round(digits, RoundingMode::HalfEven)
        }
        _ => value.clone(),
    }
}

/// The decimal as people write it: no trailing zeros, an exponent only where plain digits would be unreadable.
pub(super) fn text(value: &BigDecimal) -> String {
    const PLAIN: std::ops::RangeInclusive<i64> = -30..=49;
    let value = value.normalized();
    if value.is_zero() {
        return "0".to_owned();
    }
    if PLAIN.contains(&value.order_of_magnitude()) {
        value.to_plain_string()
    } else {
        value.to_scientific_notation()
    }
}

/// The nearest double; infinite beyond their range.
pub(super) fn to_f64(value: &BigDecimal) -> f64 {
    // The standard library rounds a decimal text correctly, to the last bit.
    value.to_scientific_notation().parse().unwrap_or(f64::NAN)
}

/// The nearest JSON number, or `null` where no JSON reader would agree on it.
pub(super) fn json_number(value: &BigDecimal) -> Value {
    const MAX_SAFE: i64 = (1 << 53) - 1;
    if value.is_integer() {
        return match value.to_i64() {
            Some(integer) if integer.abs() <= MAX_SAFE => Value::from(integer),
            _ => Value::Null,
        };
    }
    let double = to_f64(value);
    if double.abs() >= MAX_SAFE as f64 {
        return Value::Null;
    }
    Number::from_f64(double).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case("1.500", "1.5")]
    #[case("100", "100")]
    #[case("0.000", "0")]
    #[case("-0", "0")]
    #[case("1e3", "1000")]
    #[case("1.50e-3", "0.0015")]
    #[case("1e100", "1e100")]
    #[case("-2.5e-100", "-2.5e-100")]
    fn is_written_without_noise(#[case] given: &str, #[case] written: &str) {
        assert_eq!(text(&parse(given).unwrap().unwrap()), written);
    }

    #[test]
    fn magnitude_is_bounded_both_ways() {
        assert_eq!(parse("1e1000"), Some(Err(OutOfRange)));
        assert_eq!(parse("1e-1000"), Some(Err(OutOfRange)));
        assert!(parse("9e999").unwrap().is_ok());
        assert!(parse("1e99999999999999999999").is_none_or(|read| read.is_err()));
    }

    #[test]
    fn integers_that_readers_disagree_on_are_null() {
        assert_eq!(
            json_number(&parse("9007199254740991").unwrap().unwrap()),
            json!(9_007_199_254_740_991_i64)
        );
        assert_eq!(json_number(&parse("9007199254740993").unwrap().unwrap()), Value::Null);
        assert_eq!(json_number(&parse("0.5").unwrap().unwrap()), json!(0.5));
    }

    #[test]
    fn doubles_become_the_decimal_that_was_meant() {
        assert_eq!(text(&from_f64(0.1).unwrap()), "0.1");
        assert_eq!(text(&from_f64(1e21).unwrap()), "1000000000000000000000");
        assert_eq!(from_f64(f64::NAN), None);
    }
}
