//! Patterns that mean the same everywhere. Clients compile them as ECMAScript with the `u` flag, or in Python; one that does
//! not compile there makes a client lose the whole list, not the pattern alone.

/// Longer ones are left out.
const MAX_CHARS: usize = 1_000;

/// Whether the expression keeps to what ECMAScript (with `u`), Python and Rust read alike.
pub(super) fn is_portable(pattern: &str) -> bool {
    let chars: Vec<char> = pattern.chars().take(MAX_CHARS + 1).collect();
    if chars.len() > MAX_CHARS {
        return false;
    }
    let mut at = 0;
    let mut depth = 0_usize;
    // Whether a quantifier may stand here.
    let mut is_atom = false;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '\\' => match escape(&chars, at) {
                Some(next) => {
                    // A boundary is no atom.
                    is_atom = !matches!(chars.get(at), Some('b' | 'B'));
                    at = next;
                }
                None => return false,
            },
            '[' => match class(&chars, at) {
                Some(next) => (at, is_atom) = (next, true),
                None => return false,
            },
            '(' => {
                depth += 1;
                is_atom = false;
                if chars.get(at) == Some(&'?') {
                    // Lookarounds are not in Rust's engine; names and flags are spelt differently.
                    if chars.get(at + 1) != Some(&':') {
                        return false;
                    }
                    at += 2;
                }
            }
            ')' => match depth.checked_sub(1) {
                Some(left) => (depth, is_atom) = (left, true),
                None => return false,
            },
            '*' | '+' | '?' | '{' => {
                if !is_atom {
                    return false;
                }
                if c == '{' {
                    match repetition(&chars, at) {
                        Some(next) => at = next,
                        None => return false,
                    }
                }
                // Lazy is the same for whether it matches; possessive is Python's alone.
                if chars.get(at) == Some(&'?') {
                    at += 1;
                }
                is_atom = false;
            }
            '}' | ']' => return false,
            '|' | '^' | '$' => is_atom = false,
            _ => is_atom = true,
        }
    }
    depth == 0
}

/// What may follow a backslash; where it ends.
fn escape(chars: &[char], at: usize) -> Option<usize> {
    match chars.get(at)? {
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B' | 'n' | 'r' | 't' | 'f' | 'v' => Some(at + 1),
        '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' | '/' => {
            Some(at + 1)
        }
        'x' => hexadecimal(chars, at + 1, 2),
        'u' => hexadecimal(chars, at + 1, 4),
        _ => None,
    }
}

fn hexadecimal(chars: &[char], at: usize, count: usize) -> Option<usize> {
    let digits = chars.get(at..at + count)?;
    digits.iter().all(char::is_ascii_hexdigit).then_some(at + count)
}

/// The inside of `[…]`; where it ends.
fn class(chars: &[char], mut at: usize) -> Option<usize> {
    if chars.get(at) == Some(&'^') {
        at += 1;
    }
    let begin = at;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            // An empty class means three different things.
            ']' => return (at - 1 > begin).then_some(at),
            '\\' if chars.get(at) == Some(&'-') => at += 1,
            '\\' if matches!(chars.get(at), Some('b' | 'B')) => return None,
            '\\' => at = escape(chars, at)?,
            // Sets inside sets, and operations on them, are not everywhere.
            '[' => return None,
            '&' | '~' | '|' if chars.get(at) == Some(&c) => return None,
            '-' if chars.get(at) == Some(&'-') => return None,
            // A range that ends in a class of characters is an error in one and a minus in another.
            '-' if at - 1 > begin
                && matches!(
                    (chars.get(at), chars.get(at + 1)),
                    (Some('\\'), Some('d' | 'w' | 's' | 'D' | 'W' | 'S'))
                ) =>
            {
                return None;
            }
            _ => {}
        }
        // `\w-x`: a minus after a class of characters, unless it ends the set.
        let after_class = matches!(chars.get(at.wrapping_sub(1)), Some('d' | 'w' | 's' | 'D' | 'W' | 'S'))
            && chars.get(at.wrapping_sub(2)) == Some(&'\\');
        if after_class && chars.get(at) == Some(&'-') && chars.get(at + 1) != Some(&']') {
            return None;
        }
    }
    None
}

/// `{2}`, `{2,}`, `{2,5}`; where it ends.
fn repetition(chars: &[char], at: usize) -> Option<usize> {
    let length = chars.get(at..)?.iter().position(|c| *c == '}')?;
    let text: String = chars[at..at + length].iter().collect();
    let (low, high) = text.split_once(',').unwrap_or((&text, ""));
    let low: u32 = low.parse().ok()?;
    let is_sound = high.is_empty() || high.parse::<u32>().is_ok_and(|high| low <= high);
    is_sound.then_some(at + length + 1)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_portable;

    #[rstest]
    #[case("^[a-z][a-z0-9_-]{0,31}$")]
    #[case(r"^\d{4}-\d{2}$")]
    #[case("^(?:a|b)+?$")]
    #[case(r"^[\w.-]+@[\w-]+$")]
    #[case(r"\u00e9\x41\/")]
    #[case("")]
    #[case("é+")]
    fn these_mean_the_same_everywhere(#[case] pattern: &str) {
        assert!(is_portable(pattern));
    }

    #[rstest]
    #[case::flags("(?i)abc")]
    #[case::named("(?P<year>x)")]
    #[case::lookahead("(?=x)")]
    #[case::anchor(r"\Aabc\z")]
    #[case::property(r"\p{L}+")]
    #[case::needless_escape(r"a\-b")]
    #[case::posix("[[:alpha:]]")]
    #[case::set_operation("[a-z&&b]")]
    #[case::brace("a{")]
    #[case::lone("a}")]
    #[case::bracket("a]")]
    #[case::empty_class("[]a]")]
    #[case::nothing_to_repeat("*a")]
    #[case::possessive("a++")]
    #[case::open("(a")]
    #[case::closed("a)")]
    #[case::backwards("a{5,2}")]
    #[case::range_to_class(r"[a-\d]")]
    #[case::range_from_class(r"[\w-x]")]
    fn these_do_not(#[case] pattern: &str) {
        assert!(!is_portable(pattern));
    }
}
