//! Every bound of a Python run.

use serde_json::{Map, Value, json};
use toolgate_domain::{Limits, tool::reject_unknown_keys};

macro_rules! limits {
    ($($name:ident = $limit:ident;)*) => {
        /// The bounds of one run. A tool may ask for stricter ones, never for looser.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct PythonLimits {
            $(pub $name: u64,)*
        }

        impl PythonLimits {
            const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// As the operator set them.
            pub fn of(limits: &Limits) -> Self {
                Self { $($name: limits.$limit,)* }
            }

            fn get(&mut self, name: &str) -> Option<&mut u64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

// What each means stands beside its default, in `Limits`.
limits! {
    memory_bytes = python_memory_bytes;
    cpu_ms = python_cpu_ms;
    wall_ms = python_wall_ms;
    max_output_bytes = python_output_bytes;
    max_recursion = python_recursion;
    max_host_calls = python_host_calls;
    max_result_bytes = python_result_bytes;
    max_code_bytes = python_code_bytes;
}

impl Default for PythonLimits {
    fn default() -> Self {
        Self::of(&Limits::default())
    }
}

impl PythonLimits {
    /// These bounds, with those that a tool asks for in their place.
    pub fn stricter(&self, asked: &Map<String, Value>) -> Result<Self, String> {
        reject_unknown_keys(asked, Self::NAMES).map_err(|e| format!("limits: {e}"))?;
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

    /// These bounds, for a run that its call gives this much time. The sandbox stops the script a little earlier: it can say where
    /// the script was.
    pub(super) fn within(&self, timeout_ms: u64) -> Self {
        const LAST_WORD_MS: u64 = 200;
        let timeout_ms = timeout_ms.max(1);
        let last_word_ms = LAST_WORD_MS.min(timeout_ms / 4);
        let wall_ms = self.wall_ms.min(timeout_ms - last_word_ms);
        // Earlier still: a worker that is past its wall clock is killed, and cannot say anything.
        Self { cpu_ms: self.cpu_ms.min(timeout_ms - 2 * last_word_ms), wall_ms, ..self.clone() }
    }

    /// What every worker is told; the rest is the parent's to keep.
    pub(super) fn wire(&self) -> Value {
        json!({
            "memory_bytes": self.memory_bytes,
            "cpu_ms": self.cpu_ms,
            "wall_ms": self.wall_ms,
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
