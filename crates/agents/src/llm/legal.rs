//! The names and ids of one request, in the provider's spelling and back.

use std::collections::BTreeSet;

use super::{ChatRequest, Message, NameRule, Names};

/// Made once per request. The tools come first, so that a longer history never renames them: prompts stay cached.
#[derive(Clone, Debug)]
pub(super) struct Legal {
    pub(super) names: Names,
    pub(super) ids: Names,
    known_ids: BTreeSet<String>,
}

impl Legal {
    pub(super) fn of(rule: NameRule, request: &ChatRequest) -> Self {
        let mut names = Names::new(rule, request.tools.iter().map(|tool| tool.name.as_str()));
        let mut known_ids = BTreeSet::new();
        for message in &request.messages {
            match message {
                Message::User(_) => {}
                Message::Assistant { tool_calls, .. } => {
                    for call in tool_calls {
                        names.add(rule, [call.name.as_str()]);
                        known_ids.insert(call.id.clone());
                    }
                }
                Message::Tool { id, name, .. } => {
                    names.add(rule, [name.as_str()]);
                    known_ids.insert(id.clone());
                }
            }
        }
        let ids = Names::new(NameRule::CallId, known_ids.iter().map(String::as_str));
        Self { names, ids, known_ids }
    }

    /// Hands out ids for the calls of an answer. Each reader of the answer makes its own and gets the same ids.
    pub(super) fn new_ids(&self) -> NewIds {
        NewIds { taken: self.known_ids.clone() }
    }
}

/// Ids that are unique in the conversation, whatever the provider says.
pub(super) struct NewIds {
    taken: BTreeSet<String>,
}

impl NewIds {
    pub(super) fn claim(&mut self, id: &str) -> String {
        let base = if id.is_empty() { "call" } else { id };
        let mut claimed = id.to_owned();
        let mut number = if id.is_empty() { self.taken.len() } else { 1 };
        // Ends: every number makes another id, and finitely many are taken.
        while claimed.is_empty() || self.taken.contains(&claimed) {
            number += 1;
            claimed = format!("{base}_{number}");
        }
        self.taken.insert(claimed.clone());
        claimed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_in_the_conversation() {
        let request = ChatRequest {
            messages: vec![Message::Tool {
                id: "a".into(),
                name: "t".into(),
                content: String::new(),
                is_error: false,
            }],
            ..ChatRequest::default()
        };
        let mut ids = Legal::of(NameRule::Plain, &request).new_ids();
        let claimed: Vec<String> = ["a", "b", "b", "", ""].into_iter().map(|id| ids.claim(id)).collect();
        assert_eq!(claimed, ["a_2", "b", "b_2", "call_5", "call_6"]);
    }
}
