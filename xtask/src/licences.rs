//! What we ship of others: its licences, where it comes from, and what is banned. The rules stand in deny.toml, where `cargo deny` reads
//! them too; here they hold on every machine, and for the sandbox's workers as well. What a rule does not allow is refused.

use std::collections::BTreeSet;

use anyhow::Context;
use serde_json::Value;
use spdx::{Expression, Licensee, ParseMode};

use crate::metadata::metadata;

const RULES: &str = "deny.toml";
const MANIFESTS: &[&str] = &["Cargo.toml", "sandbox/monty/Cargo.toml", "sandbox/cpython/Cargo.toml"];

pub(crate) fn complaints() -> anyhow::Result<Vec<String>> {
    let rules = std::fs::read_to_string(RULES).context(RULES)?;
    let rules: Value = toml::from_str(&rules).context(RULES)?;
    // What several of them are built with is complained of once.
    let mut complaints = BTreeSet::new();
    for &manifest in MANIFESTS {
        let mut arguments = vec!["--all-features", "--manifest-path", manifest];
        for target in texts(&rules["graph"]["targets"]) {
            arguments.extend(["--filter-platform", target]);
        }
        for package in metadata(&arguments)?["packages"].as_array().into_iter().flatten() {
            complaints.extend(objections(&rules, package));
        }
    }
    Ok(complaints.into_iter().collect())
}

fn objections(rules: &Value, package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let mut objections = Vec::new();
    for ban in about(&rules["bans"]["deny"], name) {
        objections.push(format!("is banned: {}", ban["reason"].as_str().unwrap_or("deny.toml says so")));
    }
    match package["source"].as_str() {
        Some(source) if !is_known(rules, source) => {
            objections.push(format!("comes from {source}, which deny.toml does not allow"));
        }
        Some(_) => {}
        None => objections.extend(wildcards(package)),
    }
    objections.extend(licence_objection(rules, package));
    let whose = format!("{name} {}", package["version"].as_str().unwrap_or_default());
    objections.into_iter().map(|objection| format!("{whose} {objection}")).collect()
}

fn is_known(rules: &Value, source: &str) -> bool {
    let (kind, place) = source.split_once('+').unwrap_or_default();
    let known = &rules["sources"][if kind == "git" { "allow-git" } else { "allow-registry" }];
    // A revision follows the place that a repository has.
    texts(known).any(|known| Some(known) == place.split(['?', '#']).next())
}

/// What our own packages take in any version, which says nothing about what they were tried with.
fn wildcards(package: &Value) -> impl Iterator<Item = String> {
    let dependencies = package["dependencies"].as_array().into_iter().flatten();
    dependencies
        .filter(|dependency| dependency["req"] == "*" && dependency["path"].is_null())
        .map(|dependency| format!("takes {} in any version", dependency["name"]))
}

fn licence_objection(rules: &Value, package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let rules = &rules["licenses"];
    let clarified = about(&rules["clarify"], name).find_map(|clarified| clarified["expression"].as_str());
    let Some(written) = clarified.or(package["license"].as_str()) else {
        return Some("does not name its licence; read it, and clarify it in deny.toml".to_owned());
    };
    let Ok(expression) = Expression::parse_mode(written, ParseMode::LAX) else {
        return Some(format!("names its licence `{written}`, which is no expression of SPDX"));
    };
    let exceptions = about(&rules["exceptions"], name).flat_map(|exception| texts(&exception["allow"]));
    let allowed: Vec<Licensee> =
        texts(&rules["allow"]).chain(exceptions).filter_map(|licence| licence.parse().ok()).collect();
    let is_allowed = expression.evaluate(|asked| allowed.iter().any(|licence| licence.satisfies(asked)));
    (!is_allowed).then(|| format!("has the licence `{written}`, which deny.toml does not allow"))
}

/// Those of a list of rules that are about this crate, whatever its version.
fn about<'a>(rules: &'a Value, name: &'a str) -> impl Iterator<Item = &'a Value> {
    let rules = rules.as_array().into_iter().flatten();
    rules.filter(move |rule| [&rule["name"], &rule["crate"]].into_iter().any(|known| known == name))
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> Value {
        let text = r#"
            [licenses]
            allow = ["MIT", "Apache-2.0", "ISC"]
            exceptions = [{ name = "odd", allow = ["Zlib"] }]
            clarify = [{ crate = "unsaid", expression = "MIT AND ISC", license-files = [] }]
            [bans]
            deny = [{ name = "openssl-sys", reason = "TLS is rustls everywhere" }]
            [sources]
            allow-registry = ["https://example.org/index"]
            allow-git = ["https://example.org/fork"]
        "#;
        toml::from_str(text).unwrap()
    }

    fn package(name: &str, patch: Value) -> Value {
        let source = "registry+https://example.org/index";
        let mut package = json!({"name": name, "version": "1.2.3", "license": "MIT", "source": source});
        package.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
        package
    }

    fn is_refused(name: &str, patch: Value) -> bool {
        !objections(&rules(), &package(name, patch)).is_empty()
    }

    #[test]
    fn a_licence_is_allowed_when_we_may_choose_one_that_is() {
        for allowed in ["MIT", "MIT/GPL-3.0", "GPL-3.0-only OR (ISC AND MIT)", "MIT OR Apache-2.0"] {
            assert!(!is_refused("some", json!({"license": allowed})), "{allowed}");
        }
        for refused in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "Apache-2.0 WITH LLVM-exception", "Free"] {
            assert!(is_refused("some", json!({"license": refused})), "{refused}");
        }
    }

    #[test]
    fn an_exception_and_a_clarification_hold_for_the_crate_that_they_name() {
        let zlib = json!({"license": "Zlib AND MIT"});
        assert!(!is_refused("odd", zlib.clone()));
        assert!(is_refused("even", zlib));
        let unsaid = json!({"license": null, "license_file": "LICENSE"});
        assert!(!is_refused("unsaid", unsaid.clone()));
        assert!(is_refused("silent", unsaid));
    }

    #[test]
    fn a_banned_crate_says_why() {
        let objections = objections(&rules(), &package("openssl-sys", json!({})));
        assert_eq!(objections, ["openssl-sys 1.2.3 is banned: TLS is rustls everywhere"]);
    }

    #[test]
    fn code_comes_from_places_that_are_named_and_in_versions_that_are() {
        assert!(!is_refused("some", json!({"source": "git+https://example.org/fork?rev=1#1f2e"})));
        for source in ["git+https://example.org/other#1f2e", "registry+https://example.org/fork", "path"] {
            assert!(is_refused("some", json!({"source": source})), "{source}");
        }
        let own = |dependency: Value| json!({"source": null, "dependencies": [dependency]});
        assert!(is_refused("ours", own(json!({"name": "some", "req": "*", "path": null}))));
        assert!(!is_refused("ours", own(json!({"name": "some", "req": "*", "path": "/work/crates/some"}))));
    }
}
