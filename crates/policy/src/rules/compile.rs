//! From a document to a set of rules: all of it, or every reason why not.

use std::{collections::HashSet, thread};

use toolgate_domain::json::{canonical_bytes, sha256_hex};

use super::{
    document::{PolicyDocument, RuleSpec, too_large},
    error::{Flaw, PolicyError, quoted},
    examples::check_examples,
    expression::Expression,
    functions::{Patterns, root},
    limits::{COMPILE_STACK_BYTES, MAX_DOCUMENT_BYTES, MAX_EXAMPLES, MAX_ID_BYTES, MAX_RULES},
    rule::Rule,
    selector::{Selector, ToolPattern},
    set::PolicySet,
};

impl PolicySet {
    /// Compiles a document and runs its examples.
    ///
    /// This happens on a thread of its own, because the parser recurses and nobody knows how much stack the caller has
    /// left. A panic in the parser ends that thread and becomes an error.
    pub fn compile(document: &PolicyDocument) -> Result<Self, Vec<PolicyError>> {
        let failed = |problem: &str| {
            vec![PolicyError::document(problem, "try again, and report the document if it happens twice")]
        };
        thread::scope(|scope| {
            thread::Builder::new()
                .name("policy-compile".to_owned())
                .stack_size(COMPILE_STACK_BYTES)
                .spawn_scoped(scope, || compile(document))
                .map_err(|e| failed(&format!("no thread to compile on: {e}")))?
                .join()
                .unwrap_or_else(|_| Err(failed("the compiler failed inside")))
        })
    }
}

fn compile(document: &PolicyDocument) -> Result<PolicySet, Vec<PolicyError>> {
    let version = version(document).map_err(|e| vec![e])?;
    let mut errors = Vec::new();
    let mut patterns = Patterns::default();
    let mut rules = Vec::with_capacity(document.rules.len());
    let mut seen = HashSet::new();
    for (index, spec) in document.rules.iter().enumerate() {
        if !seen.insert(spec.id.as_str()) {
            let flaw = Flaw::new("another rule has the same id", "give each rule an id of its own");
            errors.push(flaw.at(&spec.id, format!("rules[{index}].id")));
        }
        match rule(spec, &mut patterns) {
            Ok(rule) => rules.push(rule),
            Err(flaws) => errors.extend(
                flaws.into_iter().map(|(key, flaw)| flaw.at(&spec.id, format!("rules[{index}].{key}"))),
            ),
        }
    }
    let root = match root(patterns) {
        Ok(root) if errors.is_empty() => root,
        Ok(_) => return Err(errors),
        Err(flaw) => return Err(vec![PolicyError::document(flaw.problem, flaw.fix)]),
    };
    for (index, (spec, rule)) in document.rules.iter().zip(&rules).enumerate() {
        errors.extend(check_examples(index, spec, rule, &root));
    }
    if errors.is_empty() { Ok(PolicySet::new(rules, root, version)) } else { Err(errors) }
}

/// The document's bounds, and its hash.
fn version(document: &PolicyDocument) -> Result<String, PolicyError> {
    if document.rules.len() > MAX_RULES {
        return Err(PolicyError::document(
            format!("the document has {} rules, and at most {MAX_RULES} are read", document.rules.len()),
            "merge rules that differ only in their tools",
        ));
    }
    let refused = |e: String| PolicyError::document(quoted(&e), "correct the value in the examples");
    let value = serde_json::to_value(document).map_err(|e| refused(e.to_string()))?;
    let bytes = canonical_bytes(&value).map_err(|e| refused(e.to_string()))?;
    if bytes.len() > MAX_DOCUMENT_BYTES { Err(too_large(bytes.len())) } else { Ok(sha256_hex(&bytes)) }
}

fn rule(spec: &RuleSpec, patterns: &mut Patterns) -> Result<Rule, Vec<(&'static str, Flaw)>> {
    let mut flaws = Vec::new();
    let mut note = |key, result: Result<(), Flaw>| flaws.extend(result.err().map(|flaw| (key, flaw)));
    note("id", check_id(&spec.id));
    note("because", check_because(&spec.because));
    note("agents", check_list(spec.agents.as_deref()));
    note("egress", check_list(spec.egress.as_deref()));
    note("tools", check_list(spec.tools.as_deref()));
    note("examples", check_example_count(spec));
    let tools =
        spec.tools.as_ref().map(|all| all.iter().map(|one| ToolPattern::parse(one)).collect()).transpose();
    let when = spec.when.as_ref().map(|source| Expression::compile(source, patterns)).transpose();
    match (tools, when) {
        (Ok(tools), Ok(when)) if flaws.is_empty() => Ok(Rule {
            id: spec.id.clone(),
            selector: Selector { tools, agents: spec.agents.clone(), egress: spec.egress.clone() },
            when,
            verdict: spec.verdict,
            because: spec.because.clone(),
        }),
        (tools, when) => {
            flaws.extend(tools.err().map(|flaw: Flaw| ("tools", flaw)));
            flaws.extend(when.err().map(|flaw| ("when", flaw)));
            Err(flaws)
        }
    }
}

fn check_id(id: &str) -> Result<(), Flaw> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let fits = id.len() <= MAX_ID_BYTES
        && id.starts_with(plain)
        && id.chars().all(|c| plain(c) || matches!(c, '.' | '_' | '-'));
    if fits {
        return Ok(());
    }
    Err(Flaw::new(
        "the id does not have the form [a-z0-9][a-z0-9._-]{0,63}",
        "write an id such as `no-mail-at-night`",
    ))
}

fn check_because(because: &str) -> Result<(), Flaw> {
    if because.trim().is_empty() {
        return Err(Flaw::new(
            "the reason is empty",
            "write a sentence for the person who meets the verdict",
        ));
    }
    Ok(())
}

/// An empty list would select nothing, silently: a rule that never speaks.
fn check_list<T>(list: Option<&[T]>) -> Result<(), Flaw> {
    if list.is_some_and(<[T]>::is_empty) {
        return Err(Flaw::new(
            "the list is empty, so the rule can never match",
            "leave the key out to mean all",
        ));
    }
    Ok(())
}

fn check_example_count(spec: &RuleSpec) -> Result<(), Flaw> {
    let (matching, no_match) = (spec.examples.matching.len(), spec.examples.no_match.len());
    if matching == 0 || no_match == 0 {
        return Err(Flaw::new(
            format!("the rule has {matching} `match` and {no_match} `no_match` examples"),
            "give at least one of each: a call that the rule must match, and one that it must not",
        ));
    }
    if matching + no_match > MAX_EXAMPLES {
        return Err(Flaw::new(
            format!("the rule has more than {MAX_EXAMPLES} examples"),
            "keep the telling ones",
        ));
    }
    Ok(())
}
