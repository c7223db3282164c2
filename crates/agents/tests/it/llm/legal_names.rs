//! Names on the wire: legal, unique, and mapped back.

use std::collections::BTreeSet;

use proptest::prelude::*;
use toolgate_agents::llm::{NameRule, Names};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        // Few letters, so that names meet when they are rewritten.
        "[a._ -]{0,4}",
        "[a.]{62,70}",
        any::<String>(),
        "[a-zA-Z][a-zA-Z0-9_-]{0,63}",
        // What a rewritten name may look like.
        "a_?_[0-9]{1,2}",
    ]
}

fn rule() -> impl Strategy<Value = NameRule> {
    prop_oneof![Just(NameRule::Plain), Just(NameRule::Gemini), Just(NameRule::CallId)]
}

proptest! {
    #[test]
    fn names_are_legal_unique_and_map_back(rule in rule(), names in prop::collection::btree_set(name(), 0..40)) {
        let map = Names::new(rule, names.iter().map(String::as_str));
        let mut seen = BTreeSet::new();
        for name in &names {
            let wire = map.wire(name);
            prop_assert!(rule.is_legal(wire), "{name:?} → {wire:?}");
            prop_assert!(seen.insert(wire.to_owned()), "{wire:?} stands for two names");
            prop_assert_eq!(map.original(wire), name);
            if rule.is_legal(name) {
                prop_assert_eq!(wire, name, "a legal name stays what it is");
            }
        }
    }

    #[test]
    fn the_order_of_names_does_not_matter(rule in rule(), names in prop::collection::vec(name(), 0..20)) {
        let forth = Names::new(rule, names.iter().map(String::as_str));
        let back = Names::new(rule, names.iter().rev().map(String::as_str));
        for name in &names {
            prop_assert_eq!(forth.wire(name), back.wire(name));
        }
    }

    #[test]
    fn more_names_rename_nothing(rule in rule(), first in prop::collection::vec(name(), 0..20), more in prop::collection::vec(name(), 0..20)) {
        let before = Names::new(rule, first.iter().map(String::as_str));
        let mut after = before.clone();
        after.add(rule, more.iter().map(String::as_str));
        for name in &first {
            prop_assert_eq!(before.wire(name), after.wire(name));
        }
        for name in &more {
            prop_assert!(rule.is_legal(after.wire(name)));
            prop_assert_eq!(after.original(after.wire(name)), name);
        }
    }
}
