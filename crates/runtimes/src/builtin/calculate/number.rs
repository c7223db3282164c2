//! A decimal that knows how many of its digits can be trusted.

use bigdecimal::{BigDecimal, One, RoundingMode, ToPrimitive, Zero};

use crate::builtin::decimal::{self, OutOfRange};

/// Digits of the working precision; a number that never needed more is exact.
pub(super) const EXACT: u64 = 50;
/// Digits that are left once a result had to be rounded.
pub(super) const ROUNDED: u64 = 34;
/// Digits that survive a function computed in double precision.
pub(super) const DOUBLE: u64 = 15;

#[derive(Clone, Debug)]
pub(super) struct Number {
    value: BigDecimal,
    digits: u64,
}

impl Number {
    /// `value`, computed from numbers of `digits` digits.
    pub(super) fn new(value: BigDecimal, digits: u64) -> Result<Self, OutOfRange> {
        let value = decimal::in_range(value)?;
        let rounded = decimal::round_to(&value, EXACT);
        let digits = if rounded == value { digits } else { digits.min(ROUNDED) };
        Ok(Self { value: rounded, digits })
    }

    /// A double that a function answered; infinite and undefined ones are out of range.
    pub(super) fn from_double(value: f64) -> Result<Self, OutOfRange> {
        Self::new(decimal::from_f64(value).ok_or(OutOfRange)?, DOUBLE)
    }

    pub(super) fn is_exact(&self) -> bool {
        self.digits == EXACT
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    /// The value to the digits that can be trusted, so that `1/3*3` is 1.
    pub(super) fn settled(&self) -> BigDecimal {
        decimal::round_to(&self.value, self.digits)
    }

    pub(super) fn to_f64(&self) -> f64 {
        decimal::to_f64(&self.value)
    }

    pub(super) fn negated(self) -> Self {
        Self { value: -self.value, ..self }
    }

    pub(super) fn add(&self, other: &Self) -> Result<Self, OutOfRange> {
        Self::new(&self.value + &other.value, self.digits.min(other.digits))
    }

    pub(super) fn subtract(&self, other: &Self) -> Result<Self, OutOfRange> {
        Self::new(&self.value - &other.value, self.digits.min(other.digits))
    }

    pub(super) fn multiply(&self, other: &Self) -> Result<Self, OutOfRange> {
        Self::new(&self.value * &other.value, self.digits.min(other.digits))
    }

    /// `None` where `other` is zero.
    pub(super) fn divide(&self, other: &Self) -> Option<Result<Self, OutOfRange>> {
        if other.is_zero() {
            return None;
        }
        let quotient = decimal::round_to(&(&self.value / &other.value), EXACT);
        let digits = self.digits.min(other.digits);
        let digits = if &quotient * &other.value == self.value { digits } else { digits.min(ROUNDED) };
        Some(Self::new(quotient, digits))
    }

    /// The remainder, with the sign of `self`; `None` where `other` is zero.
    pub(super) fn remainder(&self, other: &Self) -> Option<Result<Self, OutOfRange>> {
        if other.is_zero() {
            return None;
        }
        Some(Self::new(&self.value % &other.value, self.digits.min(other.digits)))
    }

    /// `self` to a whole power, by squaring: at most two multiplications per bit of the exponent.
    pub(super) fn whole_power(&self, exponent: i64) -> Option<Result<Self, OutOfRange>> {
        let one = Self { value: BigDecimal::one(), digits: self.digits };
        if exponent < 0 && self.is_zero() {
            return None;
        }
        let power = self.power_of(exponent.unsigned_abs(), &one);
        Some(match power {
            Ok(power) if exponent < 0 => power.reciprocal(&one),
            // What grows beyond the range has a reciprocal that is too small for it.
            other => other,
        })
    }

    fn power_of(&self, exponent: u64, one: &Self) -> Result<Self, OutOfRange> {
        let mut result = one.clone();
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = result.multiply(&result)?;
            if exponent >> bit & 1 == 1 {
                result = result.multiply(self)?;
            }
        }
        Ok(result)
    }

    fn reciprocal(&self, one: &Self) -> Result<Self, OutOfRange> {
        one.divide(self).unwrap_or(Err(OutOfRange))
    }

    /// `None` below zero.
    pub(super) fn square_root(&self) -> Option<Result<Self, OutOfRange>> {
        let root = decimal::round_to(&self.value.sqrt()?, EXACT);
        let digits = if &root * &root == self.value { self.digits } else { self.digits.min(ROUNDED) };
        Some(Self::new(root, digits))
    }

    pub(super) fn absolute(&self) -> Self {
        Self { value: self.value.abs(), digits: self.digits }
    }

    /// To `places` decimal places.
    pub(super) fn rounded(&self, places: i64, mode: RoundingMode) -> Self {
        Self { value: self.settled().with_scale_round(places, mode), digits: self.digits }
    }

    /// The number as an integer, where it is one.
    pub(super) fn as_integer(&self) -> Option<i64> {
        let settled = self.settled();
        if settled.is_integer() { settled.to_i64() } else { None }
    }
}
