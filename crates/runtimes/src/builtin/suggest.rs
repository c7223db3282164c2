//! An unknown name is answered with the known names nearest to it.

/// How alike two names must be (Jaro-Winkler) to count as a slip of the same one.
const CLOSE_ENOUGH: f64 = 0.8;
const MAX_SUGGESTIONS: usize = 3;
/// The comparison costs the product of both lengths, and more than this says nothing new.
const MAX_COMPARED_CHARS: usize = 32;
/// A slip adds or drops a letter or two; names that differ more in length are not worth comparing.
const MAX_LENGTH_DIFFERENCE: usize = 4;

/// At most three of `known`, the likeliest first.
pub(super) fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given: String = given.chars().take(MAX_COMPARED_CHARS).collect::<String>().to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(given.len()) <= MAX_LENGTH_DIFFERENCE)
        .map(|candidate| (strsim::jaro_winkler(&given, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score >= CLOSE_ENOUGH)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(MAX_SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}

/// `; did you mean …?`, or nothing.
pub(super) fn hint(nearest: &[&str]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", names.join(" or "))
}

/// A name from outside as it may stand in a message: short and on one line.
pub(super) fn shown(text: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 60;
    let mut shown: String =
        text.chars().take(MAX_SHOWN_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(MAX_SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}
