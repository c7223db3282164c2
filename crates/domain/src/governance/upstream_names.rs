//! What a tool of an upstream is called here.

use std::collections::BTreeSet;

use crate::{json::sha256_hex, tool::ToolName};

const MAX_CHARS: usize = 64;
const SUFFIX_CHARS: usize = 8;

/// A legal name for a tool, the same whenever it is asked for: `<prefix>_<tool>` where that is one. Where letters had to be replaced
/// and the result is `taken` by another tool of the server, or too long, a part of the digest of its own name sets it apart.
pub fn imported_name(prefix: &str, tool: &str, taken: &BTreeSet<String>) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let mut name: String = match prefix {
        "" => tool.chars().map(legal).collect(),
        prefix => format!("{prefix}_{tool}").chars().map(legal).collect(),
    };
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name.insert_str(0, "t_");
    }
    if name.len() <= MAX_CHARS && !taken.contains(&name) {
        return name;
    }
    let digest = sha256_hex(tool.as_bytes());
    name.truncate(MAX_CHARS - SUFFIX_CHARS - 1);
    format!("{name}_{}", digest.get(..SUFFIX_CHARS).unwrap_or_default())
}

/// Whether its name says what it is called, without a letter replaced.
pub fn keeps_name(prefix: &str, tool: &str) -> bool {
    let name = imported_name(prefix, tool, &BTreeSet::new());
    let plain = if prefix.is_empty() { tool.to_owned() } else { format!("{prefix}_{tool}") };
    name == plain && name.parse::<ToolName>().is_ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn none() -> BTreeSet<String> {
        BTreeSet::new()
    }

    #[test]
    fn a_tool_keeps_its_name_behind_the_prefix() {
        assert_eq!(imported_name("files", "read", &none()), "files_read");
        assert_eq!(imported_name("", "read", &none()), "read");
        assert!(keeps_name("files", "read") && !keeps_name("files", "read.all"));
    }

    #[test]
    fn what_is_no_letter_becomes_one_and_clashes_are_set_apart() {
        assert_eq!(imported_name("", "read.all", &none()), "read_all");
        assert_eq!(imported_name("", "9lives", &none()), "t_9lives");
        let taken = BTreeSet::from(["read_all".to_owned()]);
        let apart = imported_name("", "read.all", &taken);
        assert!(apart.starts_with("read_all_") && apart.len() == "read_all_".len() + 8, "{apart}");
        assert_ne!(apart, imported_name("", "read all", &taken));
    }

    proptest! {
        #[test]
        fn every_name_is_legal(prefix in "([a-z][a-z0-9_]{0,31})?", tool in any::<String>()) {
            let name = imported_name(&prefix, &tool, &none());
            prop_assert!(name.parse::<ToolName>().is_ok(), "{name}");
            prop_assert_eq!(name.clone(), imported_name(&prefix, &tool, &none()));
            let other = imported_name(&prefix, &tool, &BTreeSet::from([name.clone()]));
            prop_assert!(other != name || name.len() == 64);
            prop_assert!(other.parse::<ToolName>().is_ok());
        }
    }
}
