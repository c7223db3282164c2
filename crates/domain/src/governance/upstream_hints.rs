//! The class that an operator gives a tool of an upstream, against what the upstream itself says of the tool.

use super::{ChangeKind, Severity, UpstreamChange};
use crate::tool::{Annotations, EgressClass};

/// Whether a class promises less than the hints admit: the tool says that it destroys, or that it does not only read, and the class does
/// not let it write. A tool without hints says nothing.
pub fn is_below_hints(class: EgressClass, hints: Annotations) -> bool {
    class < EgressClass::Write
        && (hints.destructive_hint == Some(true) || hints.read_only_hint == Some(false))
}

/// The same as a person is told before they agree.
pub fn below_hints(class: EgressClass, hints: Annotations) -> Option<UpstreamChange> {
    let says = if hints.destructive_hint == Some(true) {
        "it says of itself that it destroys"
    } else {
        "it says of itself that it does not only read"
    };
    is_below_hints(class, hints).then(|| UpstreamChange {
        severity: Severity::Danger,
        kind: ChangeKind::ClassBelowHints,
        message: format!(
            "{says}, and its class here is {}: no person would be asked about its calls",
            class.as_str()
        ),
        at: None,
        diff: None,
        breaking: false,
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    #[rstest]
    #[case::destroys(EgressClass::ReadOnly, json!({"destructiveHint": true}), true)]
    #[case::destroys_and_reads(EgressClass::ReadOnly, json!({"destructiveHint": true, "readOnlyHint": true}), true)]
    #[case::does_not_only_read(EgressClass::None, json!({"readOnlyHint": false, "destructiveHint": false}), true)]
    #[case::may_write(EgressClass::Write, json!({"destructiveHint": true, "readOnlyHint": false}), false)]
    #[case::reads(EgressClass::ReadOnly, json!({"readOnlyHint": true}), false)]
    #[case::says_nothing(EgressClass::ReadOnly, json!({}), false)]
    fn a_class_is_held_against_the_hints(
        #[case] class: EgressClass,
        #[case] hints: Value,
        #[case] below: bool,
    ) {
        let hints: Annotations = serde_json::from_value(hints).unwrap();
        assert_eq!(is_below_hints(class, hints), below);
        assert_eq!(below_hints(class, hints).is_some(), below);
    }
}
