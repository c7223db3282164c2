//! Takes the values of a run's secrets out of everything the run says.
//!
//! Found are: the value itself; hex; base64 in both alphabets, padded or not, alone or inside longer encoded data; and
//! any percent-encoded, JSON-escaped or HTML-escaped writing of it. Not found are: a value that is cut short, spread
//! over several JSON strings, broken by line ends, or encoded twice or in any other way. Redaction catches accidents;
//! a tool that wants to give a secret away cannot be stopped by it.
//!
//! Of a value that is a JSON object, the members that are secrets by their name are found too: a token in a kept login.

mod cluster;
mod escapes;
mod needles;
mod parts;
mod stream;

use std::{borrow::Cow, fmt};

use aho_corasick::AhoCorasick;
use serde_json::{Map, Value};

pub use self::stream::StreamRedactor;
use self::{
    cluster::{Clusters, Span},
    needles::Needle,
};
use super::{SecretName, SecretValue};

const MAX_SECRETS: usize = 256;
/// The automaton knows the start of each form, the rest is compared: its size does not grow with that of the values.
const ANCHOR_BYTES: usize = 64;

#[derive(Debug, thiserror::Error)]
#[error("a run can use at most {MAX_SECRETS} secrets: split the tool")]
pub struct RedactorError;

struct Secret {
    name: SecretName,
    value: SecretValue,
}

/// Of a run without secrets it is empty, and costs nothing.
#[derive(Default)]
pub struct Redactor {
    secrets: Vec<Secret>,
    /// Each with the secret it is a form of; `None` is a mark that is there already.
    needles: Vec<(Needle, Option<usize>)>,
    automaton: Option<AhoCorasick>,
    /// Nothing that is looked at together is longer: a match, and a mark that starts within it.
    max_reach_bytes: usize,
    /// A secret may stand in a JSON number.
    numeric: bool,
}

impl Redactor {
    pub fn new(secrets: impl IntoIterator<Item = (SecretName, SecretValue)>) -> Result<Self, RedactorError> {
        let mut secrets: Vec<_> =
            secrets.into_iter().take(MAX_SECRETS + 1).map(|(name, value)| Secret { name, value }).collect();
        if secrets.is_empty() {
            return Ok(Self::default());
        }
        if secrets.len() > MAX_SECRETS {
            return Err(RedactorError);
        }
        let of = |secret: &Secret| {
            let name = secret.name.clone();
            parts::of_value(secret.value.expose())
                .into_iter()
                .map(move |value| Secret { name: name.clone(), value })
        };
        let parts: Vec<_> = secrets.iter().flat_map(of).collect();
        secrets.extend(parts);
        let mut needles = Vec::new();
        for (index, secret) in secrets.iter().enumerate() {
            let forms = Needle::of_value(secret.value.expose());
            needles.extend(forms.into_iter().map(|needle| (needle, Some(index))));
            needles.push((Needle::whole(mark(&secret.name)), None));
        }
        let anchors = needles.iter().map(|(needle, _)| needle.anchor(ANCHOR_BYTES));
        let automaton = AhoCorasick::new(anchors).map_err(|_| RedactorError)?;
        let escaped = secrets.iter().map(|secret| escapes::max_len(secret.value.expose()));
        let longest = needles.iter().map(|(needle, _)| needle.len()).chain(escaped).max();
        let longest_mark = secrets.iter().map(|secret| mark(&secret.name).len()).max();
        let max_reach_bytes = longest.unwrap_or_default() + longest_mark.unwrap_or_default();
        let numeric = secrets.iter().any(|secret| {
            secret.value.expose().bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        });
        Ok(Self { secrets, needles, automaton: Some(automaton), max_reach_bytes, numeric })
    }

    pub fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Borrowed where there was nothing to redact.
    pub fn redact_text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let spans = self.find(text.as_bytes(), text.len());
        if spans.iter().all(|span| span.secret.is_none()) {
            return Cow::Borrowed(text);
        }
        let mut redacted = String::with_capacity(text.len());
        Clusters::default().write(self, text, spans, text.len(), &mut redacted);
        if redacted == text { Cow::Borrowed(text) } else { Cow::Owned(redacted) }
    }

    /// Every string, every key, and every number that a secret could stand in. The recursion is as deep as the value,
    /// whose depth was bounded when it was read.
    pub fn redact_value(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                if self.numeric
                    && let Cow::Owned(redacted) = self.redact_text(&number.to_string())
                {
                    *value = Value::String(redacted);
                }
            }
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact_text(text) {
                    *text = redacted;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_value(item)),
            Value::Object(members) => self.redact_members(members),
        }
    }

    fn redact_members(&self, members: &mut Map<String, Value>) {
        members.values_mut().for_each(|value| self.redact_value(value));
        if !members.keys().any(|key| matches!(self.redact_text(key), Cow::Owned(_))) {
            return;
        }
        for (key, value) in std::mem::take(members) {
            let redacted = self.redact_text(&key).into_owned();
            let mut unique = redacted.clone();
            // Two forms of one secret become one mark; neither member is lost.
            let mut number = 2_usize;
            while members.contains_key(&unique) {
                unique = format!("{redacted}#{number}");
                number += 1;
            }
            members.insert(unique, value);
        }
    }

    /// All matches that start before `limit`, in order; a mark comes before what it may contain.
    fn find(&self, text: &[u8], limit: usize) -> Vec<Span> {
        let Some(automaton) = &self.automaton else {
            return Vec::new();
        };
        let mut spans = Vec::new();
        for found in automaton.find_overlapping_iter(text) {
            if let Some((needle, secret)) = self.needles.get(found.pattern().as_usize())
                && let Some((start, end)) = needle.span_at(text, found.start())
            {
                spans.push(Span { start, end, secret: *secret });
            }
        }
        if escapes::possible(text) {
            for start in 0..limit {
                for (index, secret) in self.secrets.iter().enumerate() {
                    if let Some(len) = escapes::match_at(&text[start..], secret.value.expose()) {
                        spans.push(Span { start, end: start + len, secret: Some(index) });
                    }
                }
            }
        }
        spans.sort_unstable_by_key(|span| (span.start, span.secret, span.end));
        cluster::without_those_cut_by_a_mark(&mut spans);
        spans.retain(|span| span.start < limit);
        spans
    }

    fn mark_of(&self, secret: usize) -> String {
        self.secrets.get(secret).map(|secret| mark(&secret.name)).unwrap_or_default()
    }
}

fn mark(name: &SecretName) -> String {
    redaction_mark(name.as_str())
}

/// What stands in the place of a secret.
pub(crate) fn redaction_mark(name: &str) -> String {
    format!("[redacted:{name}]")
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.secrets.iter().map(|secret| &secret.name)).finish()
    }
}

#[cfg(test)]
mod tests;
