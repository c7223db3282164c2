//! Names that a provider accepts, mapped back to ours.

use std::collections::BTreeMap;

/// What a provider accepts as a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRule {
    /// `^[a-zA-Z0-9_-]{1,64}$`: functions of OpenAI, tools of Anthropic.
    Plain,
    /// `^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`: functions of Gemini.
    Gemini,
    /// `^[a-zA-Z0-9_-]{1,40}$`: ids of calls; the shortest of all providers.
    CallId,
}

impl NameRule {
    fn max_chars(self) -> usize {
        match self {
            Self::Plain | Self::Gemini => 64,
            Self::CallId => 40,
        }
    }

    fn takes(self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || (self == Self::Gemini && byte == b'.')
    }

    fn begins(self, byte: u8) -> bool {
        match self {
            Self::Gemini => byte.is_ascii_alphabetic() || byte == b'_',
            Self::Plain | Self::CallId => self.takes(byte),
        }
    }

    pub fn is_legal(self, name: &str) -> bool {
        name.bytes().next().is_some_and(|first| self.begins(first))
            && name.len() <= self.max_chars()
            && name.bytes().all(|byte| self.takes(byte))
    }

    /// The nearest legal name; several names may share it.
    fn nearest(self, name: &str) -> String {
        let takes = |c: char| u8::try_from(c).is_ok_and(|byte| self.takes(byte));
        let mut legal: String = name.chars().map(|c| if takes(c) { c } else { '_' }).collect();
        if !legal.bytes().next().is_some_and(|first| self.begins(first)) {
            legal.insert(0, '_');
        }
        // Every character is one byte by now.
        legal.truncate(self.max_chars());
        legal
    }
}

/// A one-to-one map between names and their legal forms. A legal name stays what it is.
#[derive(Clone, Debug, Default)]
pub struct Names {
    to_wire: BTreeMap<String, String>,
    from_wire: BTreeMap<String, String>,
}

impl Names {
    /// The map does not depend on the order of the names.
    pub fn new<'a>(rule: NameRule, names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut made = Self::default();
        made.add(rule, names);
        made
    }

    /// More names; those that are mapped already stay as they are.
    pub fn add<'a>(&mut self, rule: NameRule, names: impl IntoIterator<Item = &'a str>) {
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        names.dedup();
        // Legal names come first, so that no rewritten one takes the place of one that is right as it stands.
        let (legal, illegal): (Vec<&str>, Vec<&str>) =
            names.into_iter().partition(|name| rule.is_legal(name));
        for name in legal.into_iter().chain(illegal) {
            if !self.to_wire.contains_key(name) {
                let wire = self.free(rule, name);
                self.from_wire.insert(wire.clone(), name.to_owned());
                self.to_wire.insert(name.to_owned(), wire);
            }
        }
    }

    fn free(&self, rule: NameRule, name: &str) -> String {
        let nearest = if rule.is_legal(name) { name.to_owned() } else { rule.nearest(name) };
        if !self.from_wire.contains_key(&nearest) {
            return nearest;
        }
        let mut number: u64 = 2;
        // Ends: there are finitely many names, and each number makes another one.
        loop {
            let suffix = format!("_{number}");
            let mut wire = nearest.clone();
            wire.truncate(rule.max_chars() - suffix.len());
            wire.push_str(&suffix);
            if !self.from_wire.contains_key(&wire) {
                return wire;
            }
            number += 1;
        }
    }

    /// The name for the provider.
    pub fn wire<'a>(&'a self, name: &'a str) -> &'a str {
        self.to_wire.get(name).map_or(name, String::as_str)
    }

    /// Our name. One that the model made up stays as it is.
    pub fn original<'a>(&'a self, wire: &'a str) -> &'a str {
        self.from_wire.get(wire).map_or(wire, String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(NameRule::Plain, "getWeather", "getWeather")]
    #[case(NameRule::Plain, "crm.find", "crm_find")]
    #[case(NameRule::Gemini, "crm.find", "crm.find")]
    #[case(NameRule::Plain, "2fa", "2fa")]
    #[case(NameRule::Gemini, "2fa", "_2fa")]
    #[case(NameRule::Plain, "wetter für morgen", "wetter_f_r_morgen")]
    #[case(NameRule::Plain, "", "_")]
    fn a_name_becomes_the_nearest_legal_one(#[case] rule: NameRule, #[case] name: &str, #[case] wire: &str) {
        let names = Names::new(rule, [name]);
        assert_eq!(names.wire(name), wire);
        assert_eq!(names.original(wire), name);
    }

    #[test]
    fn a_rewritten_name_never_takes_that_of_another() {
        let names = Names::new(NameRule::Plain, ["a.b", "a_b", "a b"]);
        assert_eq!((names.wire("a_b"), names.wire("a b"), names.wire("a.b")), ("a_b", "a_b_2", "a_b_3"));
    }

    #[test]
    fn long_names_that_differ_at_the_end_stay_apart() {
        let (one, two) = ("x".repeat(80) + "1", "x".repeat(80) + "2");
        let names = Names::new(NameRule::Plain, [one.as_str(), two.as_str()]);
        assert_eq!(names.wire(&one), "x".repeat(64));
        assert_eq!(names.wire(&two), "x".repeat(62) + "_2");
        assert_eq!(names.original(names.wire(&two)), two);
    }

    proptest::proptest! {
        /// So no two tools become one on the way to a provider.
        #[test]
        fn the_name_of_a_tool_is_legal_everywhere(name in "[a-zA-Z][a-zA-Z0-9_-]{0,63}") {
            let tool: toolgate_domain::ToolName = name.parse().unwrap();
            assert!(NameRule::Plain.is_legal(tool.as_str()) && NameRule::Gemini.is_legal(tool.as_str()));
        }
    }
}
