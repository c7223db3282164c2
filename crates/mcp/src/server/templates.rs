//! Whether an address is one of a template's. What a template's parts stand for is not read: the upstream does that.

/// Parts of a template; one with more matches nothing.
const MAX_PARTS: usize = 64;

/// Expressions stand for anything but `/`; those that may stand for more (`{+path}`, `{/a,b}`, `{?x}` …) for anything.
pub(super) fn matches(template: &str, uri: &str) -> bool {
    let Some(parts) = parts(template) else { return false };
    let text = uri.as_bytes();
    // Where the parts so far may end.
    let mut ends = vec![false; text.len() + 1];
    ends[0] = true;
    for part in parts {
        let mut next = vec![false; text.len() + 1];
        match part {
            Part::Literal(literal) => {
                for at in (0..=text.len()).filter(|at| ends[*at]) {
                    if text[at..].starts_with(literal.as_bytes()) {
                        next[at + literal.len()] = true;
                    }
                }
            }
            Part::Expression { crosses, optional } => {
                let mut reaches = false;
                for at in 0..=text.len() {
                    next[at] = reaches || (optional && ends[at]);
                    if at < text.len() {
                        reaches = (reaches || ends[at]) && (crosses || text[at] != b'/');
                    }
                }
            }
        }
        ends = next;
    }
    ends[text.len()]
}

enum Part<'a> {
    Literal(&'a str),
    Expression { crosses: bool, optional: bool },
}

fn parts(template: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        if parts.len() >= MAX_PARTS {
            return None;
        }
        match rest.split_once('{') {
            None => {
                parts.push(Part::Literal(rest));
                rest = "";
            }
            Some((literal, after)) => {
                if !literal.is_empty() {
                    parts.push(Part::Literal(literal));
                }
                let (expression, after) = after.split_once('}')?;
                let operator = expression.chars().next().filter(|c| !c.is_alphanumeric() && *c != '_');
                let crosses = operator.is_some() || expression.ends_with('*');
                parts.push(Part::Expression { crosses, optional: operator.is_some() });
                rest = after;
            }
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("test://template/{id}/data", "test://template/123/data", true)]
    #[case("test://template/{id}/data", "test://template//data", false)]
    #[case("test://template/{id}/data", "test://template/1/2/data", false)]
    #[case("test://template/{id}/data", "test://template/1/data/more", false)]
    #[case("file:///{+path}", "file:///a/b/c", true)]
    #[case("file:///{path*}", "file:///a/b", true)]
    #[case("db://rows{?from,to}", "db://rows?from=1&to=2", true)]
    #[case("db://rows{?from,to}", "db://rows", true)]
    #[case("a://{x}-{y}", "a://1-2-3", true)]
    #[case("a://{x", "a://x", false)]
    #[case("a://ü/{x}", "a://ü/é", true)]
    fn addresses_of_a_template(#[case] template: &str, #[case] uri: &str, #[case] expected: bool) {
        assert_eq!(matches(template, uri), expected);
    }

    #[test]
    fn a_template_that_would_take_for_ever_is_done_at_once() {
        let hostile = "{+a}".repeat(60) + "!";
        assert!(!matches(&hostile, &"a".repeat(2_000)));
        assert!(!matches(&"{a}".repeat(200), "a"));
    }
}
