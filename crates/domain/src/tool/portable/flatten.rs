//! Alternatives of objects as one object, where no alternatives may stand.

use serde_json::{Map, Value};

use super::{
    Role, conjoin,
    keyword::{Fields, list},
    words::{remark, shortened},
};

/// Alternatives that are told in words.
const MAX_TOLD: usize = 8;

/// One object with the properties of all. What every alternative requires is required; which belong together is said in words.
pub(super) fn into_one(mut base: Fields, branches: Vec<Fields>, role: Role) -> Fields {
    let branches: Vec<Fields> = branches.into_iter().map(|branch| without_unions(branch, role)).collect();
    let remarks = told(&branches, &base);
    let required = required_by_all(&branches);
    let is_closed_by_all =
        branches.iter().all(|branch| others(branch).is_some_and(|others| *others == false));
    let has_patterns = branches.iter().any(|branch| branch.contains_key("patternProperties"));

    let mut names: Vec<String> = Vec::new();
    for name in branches.iter().filter_map(properties).flat_map(Map::keys) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let mut kept = base.remove("properties").and_then(into_fields).unwrap_or_default();
    let was_named = !kept.is_empty();
    for name in names {
        let found: Vec<Fields> = branches
            .iter()
            .filter_map(|branch| properties(branch)?.get(&name)?.as_object().cloned())
            .collect();
        // An alternative that does not name the property takes any value for it, unless it is closed.
        let is_known_to_all = branches.iter().all(|branch| {
            properties(branch).is_some_and(|own| own.contains_key(&name))
                || others(branch).is_some_and(|others| *others == false)
        });
        match kept.remove(&name).and_then(into_fields) {
            Some(own) if is_known_to_all => {
                kept.insert(name, conjoin::both(own, conjoin::either(found)).into());
            }
            Some(own) => drop(kept.insert(name, own.into())),
            None if is_known_to_all || role == Role::Input => {
                kept.insert(name, conjoin::either(found).into());
            }
            // An output is validated by clients: it may be of any kind.
            None => drop(kept.insert(name, Map::new().into())),
        }
    }
    let mut needed: Vec<Value> = list(&base, "required").to_vec();
    for name in required {
        if !needed.contains(&name) {
            needed.push(name);
        }
    }
    match others(&base) {
        // Said of a base that named nothing.
        Some(Value::Bool(true)) if !was_named && !kept.is_empty() => {
            base.remove("additionalProperties");
            if is_closed_by_all && !has_patterns {
                base.insert("additionalProperties".into(), false.into());
            }
        }
        None if is_closed_by_all && !has_patterns => {
            base.insert("additionalProperties".into(), false.into());
        }
        // A schema for the rest would now be asked of fewer properties: they have schemas of their own.
        _ => {}
    }
    if !kept.is_empty() {
        base.insert("properties".into(), kept.into());
    }
    if !needed.is_empty() {
        base.insert("required".into(), needed.into());
    }
    base.entry("type").or_insert_with(|| "object".into());
    remark(&mut base, &remarks);
    base
}

/// An alternative with those inside it.
fn without_unions(mut branch: Fields, role: Role) -> Fields {
    match branch.remove("anyOf") {
        Some(Value::Array(inner)) => {
            into_one(branch, inner.into_iter().filter_map(into_fields).collect(), role)
        }
        _ => branch,
    }
}

fn required_by_all(branches: &[Fields]) -> Vec<Value> {
    let Some((first, rest)) = branches.split_first() else { return Vec::new() };
    let by_rest = |name: &&Value| rest.iter().all(|branch| list(branch, "required").contains(name));
    list(first, "required").iter().filter(by_rest).cloned().collect()
}

/// Which properties belong together.
fn told(branches: &[Fields], base: &Fields) -> Vec<String> {
    let of = |branch: &Fields| {
        let constant = |name: &str| -> Option<String> {
            let values = properties(branch)?.get(name)?.get("enum")?.as_array()?;
            (values.len() == 1).then(|| format!("{name} = {}", values[0]))
        };
        let needed = list(branch, "required").iter().filter_map(Value::as_str);
        let own = |name: &&str| {
            !list(base, "required").iter().any(|known| known == name) || constant(name).is_some()
        };
        let mut names: Vec<String> =
            needed.filter(own).map(|name| constant(name).unwrap_or_else(|| name.to_owned())).collect();
        let optional = properties(branch).into_iter().flat_map(Map::keys);
        let optional = optional.filter(|name| !list(branch, "required").iter().any(|known| known == *name));
        let optional: Vec<&str> = optional.map(String::as_str).collect();
        if !optional.is_empty() {
            names.push(format!("optionally {}", optional.join(", ")));
        }
        names.join(", ")
    };
    let mut said: Vec<String> = branches.iter().map(of).filter(|one| !one.is_empty()).collect();
    said.dedup();
    if said.len() < 2 {
        return Vec::new();
    }
    let more = said.len().saturating_sub(MAX_TOLD);
    let mut listed: Vec<String> =
        said.iter().take(MAX_TOLD).map(|one| format!("({})", shortened(one, 100))).collect();
    if more > 0 {
        listed.push(format!("{more} more"));
    }
    vec![format!("Give one of these together: {}.", listed.join(" or "))]
}

fn properties(fields: &Fields) -> Option<&Fields> {
    fields.get("properties").and_then(Value::as_object)
}

fn others(fields: &Fields) -> Option<&Value> {
    fields.get("additionalProperties")
}

fn into_fields(value: Value) -> Option<Fields> {
    match value {
        Value::Object(fields) => Some(fields),
        _ => None,
    }
}
