//! The operators that can make a value larger, as functions that look first.

use minijinja::{
    Error, ErrorKind,
    value::{Rest, Value, ValueKind},
};

use super::budget::{Budget, check_bytes, is_scalar, refused};

/// Elements of a `range`.
const MAX_RANGE: i64 = 10_000;

pub(super) fn add(budget: &Budget, left: &Value, right: &Value) -> Result<Value, Error> {
    if left.is_number() && right.is_number() {
        return arithmetic(left, right, "+", i128::checked_add, |a, b| a + b);
    }
    let bytes = budget.look(left)? + budget.look(right)?;
    check_bytes(bytes)?;
    match (left.as_str(), right.as_str()) {
        (Some(left), Some(right)) => Ok(Value::from([left, right].concat())),
        _ if is_list(left) && is_list(right) => Ok(left.try_iter()?.chain(right.try_iter()?).collect()),
        _ => Err(mismatch("+", left, right)),
    }
}

pub(super) fn multiply(budget: &Budget, left: &Value, right: &Value) -> Result<Value, Error> {
    if left.is_number() && right.is_number() {
        return arithmetic(left, right, "*", i128::checked_mul, |a, b| a * b);
    }
    let (repeated, times) = if left.is_number() { (right, left) } else { (left, right) };
    let Some(times) = times.as_usize() else {
        return Err(mismatch("*", left, right));
    };
    let bytes = budget.look(repeated)?.saturating_mul(times as u64);
    check_bytes(bytes)?;
    budget.work(bytes)?;
    match repeated.as_str() {
        Some(text) => Ok(Value::from(text.repeat(times))),
        None if is_list(repeated) => {
            let items: Vec<Value> = repeated.try_iter()?.collect();
            Ok(items.iter().cloned().cycle().take(items.len() * times).collect())
        }
        None => Err(mismatch("*", left, right)),
    }
}

pub(super) fn concat(budget: &Budget, left: &Value, right: &Value) -> Result<Value, Error> {
    if left.is_undefined() || right.is_undefined() {
        return Err(Error::from(ErrorKind::UndefinedError));
    }
    check_bytes(budget.look(left)? + budget.look(right)?)?;
    Ok(Value::from(format!("{left}{right}")))
}

pub(super) fn list(budget: &Budget, Rest(items): Rest<Value>) -> Result<Value, Error> {
    budget.settle(Value::from(items))
}

pub(super) fn map(budget: &Budget, Rest(pairs): Rest<Value>) -> Result<Value, Error> {
    budget.settle(Value::from_pairs(pairs.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()))))
}

/// `value[start:stop]`, where a negative end counts from behind.
pub(super) fn slice(budget: &Budget, value: &Value, start: &Value, stop: &Value) -> Result<Value, Error> {
    budget.look(value)?;
    let cut = |length: usize| -> Result<(usize, usize), Error> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let end = |end: &Value, missing: i64| -> Result<i64, Error> {
            if end.is_none() {
                return Ok(missing);
            }
            let end = end.as_i64().ok_or_else(|| refused("the ends of a slice are integers".to_owned()))?;
            Ok(if end < 0 { end.saturating_add(length) } else { end }.clamp(0, length))
        };
        let (start, stop) = (end(start, 0)?, end(stop, length)?);
        let size = |n: i64| usize::try_from(n).unwrap_or(0);
        Ok((size(start), size(stop - start)))
    };
    if let Some(text) = value.as_str() {
        let (start, length) = cut(text.chars().count())?;
        return Ok(Value::from(text.chars().skip(start).take(length).collect::<String>()));
    }
    if !is_list(value) {
        return Err(refused(format!("a {} cannot be sliced", value.kind())));
    }
    let items: Vec<Value> = value.try_iter()?.collect();
    let (start, length) = cut(items.len())?;
    Ok(items.into_iter().skip(start).take(length).collect())
}

pub(super) fn range(first: i64, stop: Option<i64>, step: Option<i64>) -> Result<Value, Error> {
    let (start, stop) = stop.map_or((0, first), |stop| (first, stop));
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(refused("the step of a range is not zero".to_owned()));
    }
    let mut items = Vec::new();
    let mut next = Some(start);
    while let Some(item) = next.filter(|item| if step > 0 { *item < stop } else { *item > stop }) {
        if items.len() as i64 >= MAX_RANGE {
            return Err(refused(format!("a range has at most {MAX_RANGE} elements")));
        }
        items.push(Value::from(item));
        next = item.checked_add(step);
    }
    Ok(Value::from(items))
}

/// Pays for a comparison of two values: both are read as far as they agree.
pub(super) fn pay_comparison(budget: &Budget, left: &Value, right: &Value) -> Result<(), Error> {
    if is_scalar(left) || is_scalar(right) {
        return Ok(());
    }
    if let (Some(left), Some(right)) = (left.as_str(), right.as_str()) {
        return budget.work(left.len().min(right.len()) as u64);
    }
    budget.look(left)?;
    budget.look(right)?;
    Ok(())
}

/// Pays for looking for a value in a text or list. Maps find their keys without looking at all of them.
pub(super) fn pay_search(budget: &Budget, container: &Value) -> Result<(), Error> {
    if container.kind() != ValueKind::Map {
        budget.look(container)?;
    }
    Ok(())
}

fn arithmetic(
    left: &Value,
    right: &Value,
    sign: &str,
    whole: fn(i128, i128) -> Option<i128>,
    real: fn(f64, f64) -> f64,
) -> Result<Value, Error> {
    if left.is_integer() && right.is_integer() {
        let (a, b) = (i128::try_from(left.clone())?, i128::try_from(right.clone())?);
        let result = whole(a, b).ok_or_else(|| refused(format!("{left} {sign} {right} is too large")))?;
        return Ok(i64::try_from(result).map_or_else(|_| Value::from(result), Value::from));
    }
    Ok(Value::from(real(f64::try_from(left.clone())?, f64::try_from(right.clone())?)))
}

fn is_list(value: &Value) -> bool {
    matches!(value.kind(), ValueKind::Seq | ValueKind::Iterable)
}

fn mismatch(sign: &str, left: &Value, right: &Value) -> Error {
    if left.is_undefined() || right.is_undefined() {
        return Error::from(ErrorKind::UndefinedError);
    }
    refused(format!("`{sign}` does not work on {} and {}", left.kind(), right.kind()))
}
