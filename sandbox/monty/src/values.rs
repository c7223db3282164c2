//! Python values become JSON on their way out: bounded in depth, in bytes, and in what they may be.
//!
//! A value may share its parts (`a = [a0, a0]`, `b = [a, a]`, …), so a small one can write out as an enormous one:
//! the budget counts what is written, and the walk stops with it.

use monty_types::{
    ObjectRef,
    unstable::{MontyNode, child, node},
};
use serde_json::{Map, Number, Value};

/// Levels of nesting in a value that leaves. The door allows 64, and wraps what we say.
const MAX_DEPTH: usize = 60;
/// The largest integer that every JSON reader agrees on (2^53 - 1).
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

pub(crate) struct Export {
    left_bytes: usize,
    max_bytes: usize,
}

impl Export {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { left_bytes: max_bytes, max_bytes }
    }

    /// The message says why the value cannot leave.
    pub(crate) fn value(&mut self, value: ObjectRef<'_>) -> Result<Value, String> {
        self.walk(value, 0)
    }

    pub(crate) fn key(&mut self, key: ObjectRef<'_>) -> Result<String, String> {
        let text = match node(key) {
            MontyNode::String(text) => text.clone(),
            MontyNode::Int(number) => number.to_string(),
            MontyNode::Bool(flag) => flag.to_string(),
            MontyNode::None => "null".to_owned(),
            _ => return Err(format!("a dict with a key of type {} has no JSON form", key.type_name())),
        };
        self.charge(encoded_len(&text) + 1)?;
        Ok(text)
    }

    fn charge(&mut self, bytes: usize) -> Result<(), String> {
        self.left_bytes = self
            .left_bytes
            .checked_sub(bytes)
            .ok_or_else(|| format!("the value is larger than {} bytes", self.max_bytes))?;
        Ok(())
    }

    fn walk(&mut self, value: ObjectRef<'_>, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("the value nests deeper than {MAX_DEPTH} levels"));
        }
        // Every value costs at least its comma, so that empty lists are not free.
        self.charge(2)?;
        match node(value) {
            MontyNode::None => Ok(Value::Null),
            MontyNode::Bool(flag) => Ok(Value::Bool(*flag)),
            MontyNode::Int(number) if number.unsigned_abs() <= MAX_SAFE_INTEGER => {
                self.charge(number.checked_ilog10().unwrap_or(0) as usize)?;
                Ok(Value::from(*number))
            }
            MontyNode::Int(_) | MontyNode::BigInt(_) => {
                Err("an integer beyond 2^53-1 has no JSON form that all readers agree on; return str(n)"
                    .to_owned())
            }
            MontyNode::Float(number) => {
                self.charge(24)?;
                let number = Number::from_f64(*number).ok_or("NaN and infinity have no JSON form")?;
                Ok(Value::Number(number))
            }
            MontyNode::String(text) => {
                self.charge(encoded_len(text))?;
                Ok(Value::String(text.clone()))
            }
            MontyNode::List(ids)
            | MontyNode::Tuple(ids)
            | MontyNode::Set(ids)
            | MontyNode::FrozenSet(ids) => {
                ids.iter().map(|id| self.walk(child(value, *id), depth + 1)).collect()
            }
            MontyNode::NamedTuple { values, .. } => {
                values.iter().map(|id| self.walk(child(value, *id), depth + 1)).collect()
            }
            MontyNode::Dict(pairs) => {
                let mut fields = Map::new();
                for (key, field) in pairs {
                    let key = self.key(child(value, *key))?;
                    let field = self.walk(child(value, *field), depth + 1)?;
                    fields.insert(key, field);
                }
                Ok(Value::Object(fields))
            }
            MontyNode::Cycle(_) => Err("a value that contains itself has no JSON form".to_owned()),
            _ => Err(format!(
                "a value of type {} has no JSON form; make it a string, number, list or dict first",
                value.type_name()
            )),
        }
    }
}

/// The bytes of a string in JSON, with its quotes and escapes.
fn encoded_len(text: &str) -> usize {
    let escapes: usize = text
        .bytes()
        .map(|byte| match byte {
            b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
            0..=31 => 5,
            _ => 0,
        })
        .sum();
    text.len() + escapes + 2
}
