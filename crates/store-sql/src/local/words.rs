//! What counts as a word, in tools and in queries: `sendMail`, `send_mail` and `send-mail` are the words *send* and *mail*, and
//! *sendmail* as well.

use toolgate_store::Words;

/// Characters of a query that are read; who searches with more means something else.
const MAX_QUERY_CHARS: usize = 2_000;
/// Words of a query that are searched for.
const MAX_QUERY_WORDS: usize = 32;
/// Characters of one word.
const MAX_WORD_CHARS: usize = 64;
/// What English puts after a word, the longest first. A search finds beginnings of words, so what is left need not be one.
const ENDINGS: [&str; 6] = ["ings", "ing", "ies", "ed", "es", "s"];
/// A word that is shorter without its ending stays as it is.
const MIN_STEM_CHARS: usize = 3;

/// Words of questions that say nothing about tools.
const SAYS_NOTHING: [&str; 24] = [
    "a", "an", "and", "any", "are", "can", "do", "for", "from", "how", "i", "in", "is", "it", "me", "my",
    "of", "on", "or", "that", "the", "to", "tool", "with",
];

/// A text as its words, in small letters, for the index.
pub(super) fn split(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + text.len() / 4);
    for parts in text.split_whitespace().map(parts) {
        if parts.len() > 1 {
            words.extend([parts.concat().as_str(), " "]);
        }
        parts.iter().for_each(|part| words.extend([part.as_str(), " "]));
    }
    words
}

/// A query in the language of the index; nothing when it has no words. Whatever it holds, only letters and digits of it get there.
pub(super) fn query(text: &str, words: Words) -> Option<String> {
    let end = text.char_indices().nth(MAX_QUERY_CHARS).map_or(text.len(), |(end, _)| end);
    let mut room = MAX_QUERY_WORDS;
    let mut wanted: Vec<String> = Vec::new();
    let chunks = || text[..end].split_whitespace().map(parts);
    let says_nothing = |parts: &[String]| {
        words == Words::Any && parts.iter().all(|part| SAYS_NOTHING.contains(&part.as_str()))
    };
    let only_such = chunks().all(|parts| says_nothing(&parts));
    for mut parts in chunks().filter(|parts| only_such || !says_nothing(parts)) {
        parts.truncate(room);
        room -= parts.len();
        if !parts.is_empty() {
            wanted.push(one(&parts, words));
        }
    }
    wanted.dedup();
    let between = match words {
        Words::All => " AND ",
        Words::Any => " OR ",
    };
    (!wanted.is_empty()).then(|| wanted.join(between))
}

/// One word of a query: its parts, or all of them written together.
fn one(parts: &[String], words: Words) -> String {
    let begins = |part: &String| match stem(part).filter(|_| words == Words::Any) {
        None => format!("\"{part}\" *"),
        Some(stem) => format!("(\"{part}\" * OR \"{stem}\" *)"),
    };
    match (parts, words) {
        ([part], _) => begins(part),
        (_, Words::Any) => {
            parts.iter().chain([&cut(&parts.concat())]).map(begins).collect::<Vec<_>>().join(" OR ")
        }
        (_, Words::All) => {
            let each = parts.iter().map(begins).collect::<Vec<_>>().join(" AND ");
            format!("({} OR ({each}))", begins(&cut(&parts.concat())))
        }
    }
}

fn stem(word: &str) -> Option<&str> {
    let stem = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending))?;
    (stem.chars().count() >= MIN_STEM_CHARS).then_some(stem)
}

fn cut(word: &str) -> String {
    word.chars().take(MAX_WORD_CHARS).collect()
}

/// The parts of what stands between two spaces: they end where letters and digits end, and where a capital begins another word.
fn parts(chunk: &str) -> Vec<String> {
    let small = |part: &[char]| part.iter().take(MAX_WORD_CHARS).collect::<String>().to_lowercase();
    let mut parts = Vec::new();
    for piece in chunk.split(|c: char| !c.is_alphanumeric()) {
        let chars: Vec<char> = piece.chars().collect();
        let mut begin = 0;
        for at in 1..chars.len() {
            let after_small = !chars[at - 1].is_uppercase() && chars[at].is_uppercase();
            let last_capital = chars[at - 1].is_uppercase()
                && chars[at].is_uppercase()
                && chars.get(at + 1).is_some_and(|next| next.is_lowercase());
            if after_small || last_capital {
                parts.push(small(&chars[begin..at]));
                begin = at;
            }
        }
        parts.push(small(&chars[begin..]));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("send_mail", "sendmail send mail ")]
    #[case("getHTTPStatus now", "gethttpstatus get http status now ")]
    #[case("base64", "base64 ")]
    #[case("an e-mail, please!", "an email e mail please ")]
    #[case("Größe 🦀", "größe ")]
    fn names_fall_apart_where_their_authors_joined_them(#[case] text: &str, #[case] words: &str) {
        assert_eq!(split(text), words);
    }

    #[rstest]
    #[case("mails", Words::All, "\"mails\" *")]
    #[case("mails", Words::Any, "(\"mails\" * OR \"mail\" *)")]
    #[case("send_mail to", Words::All, "(\"sendmail\" * OR (\"send\" * AND \"mail\" *)) AND \"to\" *")]
    #[case(
        "a\" OR name:* NEAR(b)",
        Words::All,
        "\"a\" * AND \"or\" * AND \"name\" * AND (\"nearb\" * OR (\"near\" * AND \"b\" *))"
    )]
    fn a_query_is_words_and_nothing_else(#[case] text: &str, #[case] words: Words, #[case] wanted: &str) {
        assert_eq!(query(text, words).as_deref(), Some(wanted));
    }

    #[test]
    fn a_query_without_words_asks_for_nothing() {
        assert_eq!(query(" \"*\" 🦀 ()-:^ ", Words::Any), None);
    }
}
