//! Names that Toolgate accepts, made from names that people gave to other things.

use std::collections::{HashMap, HashSet};

use semver::Version;
use serde_json::Value;

const MAX_TOOL_NAME: usize = 64;
const MAX_SECRET_NAME: usize = 128;
const MAX_PROPERTY_NAME: usize = 64;

/// Letters, digits, `_` and `-`; everything else becomes one `_`.
fn words(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().take(1_000) {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_end_matches('_').to_owned()
}

/// Names in use; what comes later is numbered.
#[derive(Default)]
pub(super) struct Taken {
    names: HashSet<String>,
    /// How often a name was wanted: a document may want one name thousands of times.
    wanted: HashMap<String, u32>,
}

impl Taken {
    pub(super) fn reserve(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    fn free(&mut self, name: &str, max: usize) -> String {
        let mut free = cut(name, max).to_owned();
        let number = self.wanted.entry(free.clone()).or_insert(1);
        while !self.names.insert(free.clone()) {
            *number += 1;
            let suffix = format!("_{number}");
            free = format!("{}{suffix}", cut(name, max - suffix.len()));
        }
        free
    }

    /// A name for a tool.
    pub(super) fn tool(&mut self, prefix: &str, text: &str) -> String {
        let mut name = words(&format!("{prefix}{text}"));
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert_str(0, if name.is_empty() { "operation" } else { "op_" });
        }
        self.free(&name, MAX_TOOL_NAME)
    }

    /// A name for a parameter; where another one has it, the place it stands in tells them apart.
    pub(super) fn property(&mut self, text: &str, place: &str) -> String {
        let mut name = words(text);
        if name.is_empty() {
            name.push_str("parameter");
        }
        if self.names.contains(cut(&name, MAX_PROPERTY_NAME)) {
            name = format!("{place}_{name}");
        }
        self.free(&name, MAX_PROPERTY_NAME)
    }
}

/// All names here are ASCII.
fn cut(name: &str, max: usize) -> &str {
    &name[..name.floor_char_boundary(max)]
}

/// `SHOP_API_` + `bearerAuth` → `SHOP_API_BEARERAUTH`.
pub(super) fn secret(prefix: &str, scheme: &str, suffix: &str) -> String {
    let fitting = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let mut name: String = format!("{prefix}{}{suffix}", words(scheme)).chars().map(fitting).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert_str(0, "API_");
    }
    cut(&name, MAX_SECRET_NAME).to_owned()
}

/// Two documents often name their schemes the same; their secrets are not.
pub(super) fn secret_prefix(title: &str) -> String {
    let title = words(title);
    if title.is_empty() { "API_".to_owned() } else { format!("{}_", cut(&title, 40)) }
}

/// `v1.2` → 1.2.0, `2024-01-15` → 2024.1.15; what has no numbers in front is 1.0.0.
pub(super) fn version(stated: Option<&Value>) -> Version {
    let text = match stated {
        Some(Value::String(text)) => text.trim().trim_start_matches(['v', 'V']).to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    if text.len() <= 64
        && let Ok(version) = text.parse::<Version>()
    {
        return version;
    }
    let numbers: Vec<u64> =
        text.split(['.', '-']).map_while(|part| part.parse::<u32>().ok().map(u64::from)).take(3).collect();
    let part = |index: usize| numbers.get(index).copied().unwrap_or(0);
    if numbers.is_empty() { Version::new(1, 0, 0) } else { Version::new(part(0), part(1), part(2)) }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;
    use toolgate_domain::ToolName;

    use super::*;

    #[rstest]
    #[case("", "listPets", "listPets")]
    #[case("shop_", "listPets", "shop_listPets")]
    #[case("", "pets.list/all", "pets_list_all")]
    #[case("", "get /pets/{petId}", "get_pets_petId")]
    #[case("", "2fa", "op_2fa")]
    #[case("", "ßü漢", "operation")]
    #[case("", "__x__", "op___x")]
    fn tools_get_valid_names(#[case] prefix: &str, #[case] text: &str, #[case] name: &str) {
        let made = Taken::default().tool(prefix, text);
        assert_eq!(made, name);
        made.parse::<ToolName>().unwrap();
    }

    #[test]
    fn names_that_meet_are_numbered_and_stay_valid() {
        let mut taken = Taken::default();
        let long = "x".repeat(100);
        let made: Vec<_> = (0..12).map(|_| taken.tool("", &long)).collect();
        assert_eq!(made.iter().collect::<HashSet<_>>().len(), 12);
        made.iter().for_each(|name| drop(name.parse::<ToolName>().unwrap()));
        assert!(made[11].ends_with("x_12"), "{}", made[11]);
        assert_eq!(
            (taken.property("id", "path"), taken.property("id", "query")),
            ("id".into(), "query_id".into())
        );
    }

    #[rstest]
    #[case(json!("1.2.3"), "1.2.3")]
    #[case(json!("v2.1"), "2.1.0")]
    #[case(json!("1.0.0-beta.2"), "1.0.0-beta.2")]
    #[case(json!("2024-01-15"), "2024.1.15")]
    #[case(json!(1.1), "1.1.0")]
    #[case(json!("latest"), "1.0.0")]
    #[case(json!(null), "1.0.0")]
    #[case(json!("99999999999999999999.1"), "1.0.0")]
    fn versions_become_semantic(#[case] stated: Value, #[case] version_: &str) {
        assert_eq!(version(Some(&stated)).to_string(), version_);
    }

    #[test]
    fn secrets_are_named_after_the_document_and_the_scheme() {
        assert_eq!(secret(&secret_prefix("Pet Shop!"), "bearer-auth", ""), "PET_SHOP_BEARER_AUTH");
        assert_eq!(secret(&secret_prefix("3D"), "key", ""), "API_3D_KEY");
    }
}
