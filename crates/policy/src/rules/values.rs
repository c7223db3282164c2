//! JSON as CEL sees it. Texts are borrowed and never copied.

use std::collections::HashMap;

use cel::common::{
    types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString},
    value::Val,
};
use serde_json::{Number, Value};

use super::limits::{MAX_INPUT_DEPTH, MAX_INPUT_VALUES};

pub(super) type Boxed<'a> = Box<dyn Val + 'a>;

/// An input in CEL's terms, and how much there is of it.
pub(super) struct Converted<'a> {
    pub value: Boxed<'a>,
    pub bytes: u64,
}

pub(super) fn convert(input: &Value) -> Result<Converted<'_>, String> {
    let mut count = Count { values: 0, bytes: 0 };
    let value = count.convert(input, MAX_INPUT_DEPTH)?;
    Ok(Converted { value, bytes: count.bytes })
}

struct Count {
    values: usize,
    bytes: u64,
}

impl Count {
    fn convert<'a>(&mut self, value: &'a Value, depth_left: usize) -> Result<Boxed<'a>, String> {
        // What a value weighs besides its text: passing over a million zeros is work too.
        const VALUE_BYTES: u64 = 16;
        self.values += 1;
        self.bytes += VALUE_BYTES;
        if self.values > MAX_INPUT_VALUES {
            return Err(format!("the input holds more than {MAX_INPUT_VALUES} values"));
        }
        let deeper = || {
            depth_left
                .checked_sub(1)
                .ok_or_else(|| format!("the input nests deeper than {MAX_INPUT_DEPTH} levels"))
        };
        Ok(match value {
            Value::Null => Box::new(CelNull),
            Value::Bool(bool) => Box::new(CelBool::from(*bool)),
            Value::Number(number) => self::number(number),
            Value::String(text) => {
                self.bytes += text.len() as u64;
                self::text(text)
            }
            Value::Array(items) => {
                let left = deeper()?;
                list(items.iter().map(|item| self.convert(item, left)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => {
                let left = deeper()?;
                let mut map = HashMap::with_capacity(fields.len());
                for (key, field) in fields {
                    self.bytes += key.len() as u64;
                    map.insert(CelMapKey::from(key.as_str()), self.convert(field, left)?);
                }
                Box::new(CelMap::from(map))
            }
        })
    }
}

/// Integers are signed, as authors write them: `1` in CEL is an int, and an int does not add to an unsigned one. What
/// does not fit is a double; the door lets no such integer in.
fn number<'a>(number: &Number) -> Boxed<'a> {
    match number.as_i64() {
        Some(int) => Box::new(CelInt::from(int)),
        None => Box::new(CelDouble::from(number.as_f64().unwrap_or(f64::NAN))),
    }
}

pub(super) fn text(text: &str) -> Boxed<'_> {
    Box::new(CelString::from(text))
}

pub(super) fn int<'a>(value: impl Into<i64>) -> Boxed<'a> {
    Box::new(CelInt::from(value.into()))
}

pub(super) fn list(items: Vec<Boxed<'_>>) -> Boxed<'_> {
    Box::new(CelList::from(items))
}

pub(super) fn map<'a, const N: usize>(fields: [(&'static str, Boxed<'a>); N]) -> Boxed<'a> {
    let fields: HashMap<CelMapKey<'a>, Boxed<'a>> =
        fields.into_iter().map(|(key, value)| (CelMapKey::from(key), value)).collect();
    Box::new(CelMap::from(fields))
}
