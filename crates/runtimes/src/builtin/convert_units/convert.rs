//! One exact fraction from unit to unit; at most one division, at the end.

use bigdecimal::{BigDecimal, One, Signed, Zero};

use super::{catalog::Named, table::Scale};
use crate::builtin::decimal;

/// Digits of a result that does not end by itself.
const ROUNDED_DIGITS: u64 = 20;
/// Digits up to which a result that ends counts as exact.
const EXACT_DIGITS: u64 = 40;

pub(super) struct Converted {
    pub(super) value: BigDecimal,
    pub(super) exact: bool,
}

/// A value over a divisor that is never zero.
struct Fraction {
    over: BigDecimal,
    under: BigDecimal,
}

pub(super) fn convert(value: &BigDecimal, from: Named, to: Named) -> Result<Converted, String> {
    if from.unit.dimension != to.unit.dimension {
        return Err(format!(
            "{} measures {}, {} measures {}: they do not convert into each other",
            from.canonical_name(),
            from.unit.dimension,
            to.canonical_name(),
            to.unit.dimension
        ));
    }
    let base = to_base(value, from)?;
    if from.unit.dimension == "temperature" && base.over.is_negative() {
        return Err("the temperature is below absolute zero".to_owned());
    }
    let (quotient, offset) = from_base(&base, to)?;
    let ends = decimal::round_to(&(&quotient.over / &quotient.under), EXACT_DIGITS);
    let rational = [from, to].iter().all(|named| !matches!(named.unit.scale, Scale::Rounded(_)));
    let is_same = from.canonical_name() == to.canonical_name();
    let exact = (rational || is_same) && &ends * &quotient.under == quotient.over;
    let shifted = ends - offset;
    let value = if exact { shifted } else { decimal::round_to(&shifted, ROUNDED_DIGITS) };
    let value = decimal::in_range(value).map_err(|_| "the result is out of range".to_owned())?;
    Ok(Converted { value, exact })
}

fn to_base(value: &BigDecimal, named: Named) -> Result<Fraction, String> {
    let prefix = number(named.prefix_factor())?;
    match named.unit.scale {
        Scale::Linear(factor) | Scale::Rounded(factor) => {
            let factor = fraction(factor)?;
            Ok(Fraction { over: value * prefix * factor.over, under: factor.under })
        }
        Scale::Affine { offset, factor } => {
            let factor = fraction(factor)?;
            Ok(Fraction { over: (value + number(offset)?) * factor.over, under: factor.under })
        }
        Scale::Inverse(factor) => {
            if value.is_zero() {
                return Err(format!("zero {} has no counterpart in other units", named.canonical_name()));
            }
            Ok(Fraction { over: number(factor)?, under: value.clone() })
        }
    }
}

/// The value in `named` as a fraction, and what is to be taken off it.
fn from_base(base: &Fraction, named: Named) -> Result<(Fraction, BigDecimal), String> {
    let prefix = number(named.prefix_factor())?;
    match named.unit.scale {
        Scale::Linear(factor) | Scale::Rounded(factor) => {
            let factor = fraction(factor)?;
            let fraction =
                Fraction { over: &base.over * factor.under, under: &base.under * prefix * factor.over };
            Ok((fraction, BigDecimal::zero()))
        }
        Scale::Affine { offset, factor } => {
            let factor = fraction(factor)?;
            let fraction = Fraction { over: &base.over * factor.under, under: &base.under * factor.over };
            Ok((fraction, number(offset)?))
        }
        Scale::Inverse(factor) => {
            if base.over.is_zero() {
                return Err(format!("zero has no counterpart in {}", named.canonical_name()));
            }
            Ok((
                Fraction { over: &base.under * number(factor)?, under: base.over.clone() },
                BigDecimal::zero(),
            ))
        }
    }
}

/// `a` or `a/b`, as the table writes factors.
fn fraction(text: &str) -> Result<Fraction, String> {
    match text.split_once('/') {
        Some((over, under)) => Ok(Fraction { over: number(over)?, under: number(under)? }),
        None => Ok(Fraction { over: number(text)?, under: BigDecimal::one() }),
    }
}

fn number(text: &str) -> Result<BigDecimal, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::convert_units::table::UNITS;

    #[test]
    fn every_factor_in_the_table_is_a_number_other_than_zero() {
        for unit in UNITS {
            let factor = match unit.scale {
                Scale::Linear(factor) | Scale::Rounded(factor) | Scale::Inverse(factor) => factor,
                Scale::Affine { offset, factor } => {
                    number(offset).unwrap();
                    factor
                }
            };
            let factor = fraction(factor).unwrap();
            assert!(!factor.over.is_zero() && !factor.under.is_zero(), "{:?}", unit.names);
        }
    }
}
