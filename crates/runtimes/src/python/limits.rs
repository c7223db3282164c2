//! Every bound of a Python run, with its default.

use serde_json::{Map, Value, json};
use toolgate_domain::tool::reject_unknown_keys;

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:expr;)*) => {
        /// The bounds of one run. A tool may ask for stricter ones, never for looser.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct PythonLimits {
            $($(#[doc = $doc])+ pub $name: u64,)*
        }

        impl Default for PythonLimits {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl PythonLimits {
            /// Name, default and meaning of each bound, for the documentation.
            pub const TABLE: &'static [(&'static str, u64, &'static str)] =
                &[$((stringify!($name), $default, concat!($($doc),+)),)*];

            fn get(&mut self, name: &str) -> Option<&mut u64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

limits! {
    /// Bytes of memory that a script may use.
    memory_bytes = 64 * 1024 * 1024;
    /// Milliseconds that a script may compute. Waiting for a tool does not count.
    cpu_ms = 5_000;
    /// Milliseconds between two words of the script, by the clock on the wall. Waiting for a tool does not count.
    wall_ms = 10_000;
    /// Bytes that a script may print.
    max_output_bytes = 1024 * 1024;
    /// Levels of calls inside calls.
    max_recursion = 200;
    /// Calls of tools in one run.
    max_host_calls = 100;
    /// Bytes of a script's value, and of the arguments of one call of a tool.
    max_result_bytes = 2 * 1024 * 1024;
    /// Bytes of a script.
    max_code_bytes = 256 * 1024;
}

impl PythonLimits {
    /// These bounds, with those that a tool asks for in their place.
    pub fn stricter(&self, asked: &Map<String, Value>) -> Result<Self, String> {
        let names: Vec<_> = Self::TABLE.iter().map(|(name, ..)| *name).collect();
        reject_unknown_keys(asked, &names).map_err(|e| format!("limits: {e}"))?;
        let mut limits = self.clone();
        for (name, value) in asked {
            let value = value
                .as_u64()
                .filter(|value| *value > 0)
                .ok_or_else(|| format!("limits.{name} is a whole number above zero"))?;
            if let Some(limit) = limits.get(name) {
                if value > *limit {
                    return Err(format!(
                        "limits.{name} may be at most {limit}: a tool asks for stricter limits only"
                    ));
                }
                *limit = value;
            }
        }
        Ok(limits)
    }

    /// What a worker is told; the rest is the parent's to keep.
    pub(super) fn wire(&self) -> Value {
        json!({
            "memory_bytes": self.memory_bytes,
            "cpu_ms": self.cpu_ms,
            "max_output_bytes": self.max_output_bytes,
            "max_recursion": self.max_recursion,
            "max_host_calls": self.max_host_calls,
            "max_result_bytes": self.max_result_bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: Value) -> Result<PythonLimits, String> {
        PythonLimits::default().stricter(value.as_object().unwrap())
    }

    #[test]
    fn a_tool_may_tighten_its_limits_and_not_loosen_them() {
        assert_eq!(asked(json!({"cpu_ms": 100})).unwrap().cpu_ms, 100);
        assert!(asked(json!({"cpu_ms": 5_001})).unwrap_err().contains("at most 5000"));
        assert!(asked(json!({"cpu_ms": 0})).unwrap_err().contains("above zero"));
        assert!(asked(json!({"cpu_msec": 1})).unwrap_err().contains("did you mean `cpu_ms`?"));
    }
}
