//! HTML as text that can be read. One pass without a tree: what a hostile page costs is its length, and no more.

/// Elements whose content is not for reading.
const SILENT: [&str; 8] = ["script", "style", "noscript", "template", "svg", "head", "iframe", "object"];
/// Elements that begin and end a line.
const BLOCKS: [&str; 33] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
    "title",
];

/// The text of a page, at most `max_bytes` of it, and whether there was more.
pub(super) fn readable(html: &str, max_bytes: usize) -> (String, bool) {
    let mut page = Page { text: String::new(), blank: true, breaks: 0 };
    let mut rest = html;
    while !rest.is_empty() {
        if page.text.len() > max_bytes {
            return (super::body::cut(&page.text, max_bytes).to_owned(), true);
        }
        let at = rest.find('<').unwrap_or(rest.len());
        page.push(&rest[..at]);
        rest = &rest[at..];
        if rest.is_empty() {
            break;
        }
        rest = match tag(rest) {
            None => {
                page.push("<");
                &rest[1..]
            }
            Some((name, closing, after)) => {
                if SILENT.contains(&name.as_str()) && !closing {
                    skip(after, &name)
                } else {
                    page.tag(&name, closing);
                    after
                }
            }
        };
    }
    let text = page.text.trim().to_owned();
    let truncated = text.len() > max_bytes;
    (super::body::cut(&text, max_bytes).to_owned(), truncated)
}

/// Name, whether it closes, and what follows; `None` when the `<` is only a character.
fn tag(text: &str) -> Option<(String, bool, &str)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        return Some((String::new(), false, comment.split_once("-->").map_or("", |(_, after)| after)));
    }
    let inner = text.strip_prefix('<')?;
    let (closing, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!' || c == '?') {
        return None;
    }
    let name: String = inner.chars().take_while(char::is_ascii_alphanumeric).take(20).collect();
    let mut quote = None;
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') => return Some((name.to_ascii_lowercase(), closing, &inner[at + 1..])),
            (None, _) => {}
        }
    }
    // A tag that never ends: what is left is not for reading.
    Some((name.to_ascii_lowercase(), closing, ""))
}

/// What follows the element's end.
fn skip<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at + 2..];
        let ends = rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
        if ends {
            return rest.split_once('>').map_or("", |(_, after)| after);
        }
    }
    ""
}

struct Page {
    text: String,
    /// Whether the last character was a space, or none.
    blank: bool,
    /// Line breaks that end the text.
    breaks: u8,
}

impl Page {
    fn push(&mut self, raw: &str) {
        for c in html_escape::decode_html_entities(raw).chars() {
            if c.is_whitespace() {
                if !self.blank {
                    self.text.push(' ');
                    self.blank = true;
                }
            } else if !c.is_control() {
                self.text.push(c);
                self.blank = false;
                self.breaks = 0;
            }
        }
    }

    fn tag(&mut self, name: &str, closing: bool) {
        if matches!(name, "td" | "th") && closing {
            return self.push("\u{20}|\u{20}");
        }
        if !BLOCKS.contains(&name) {
            return;
        }
        let wanted =
            if matches!(name, "p" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "table") { 2 } else { 1 };
        self.line(wanted);
        if closing {
            return;
        }
        match name {
            "li" => self.mark("- "),
            "h1" => self.mark("# "),
            "h2" => self.mark("## "),
            "h3" | "h4" | "h5" | "h6" => self.mark("### "),
            _ => {}
        }
    }

    fn line(&mut self, wanted: u8) {
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        while !self.text.is_empty() && self.breaks < wanted {
            self.text.push('\n');
            self.breaks += 1;
        }
        self.blank = true;
    }

    fn mark(&mut self, mark: &str) {
        self.text.push_str(mark);
        self.blank = true;
        self.breaks = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_reads_like_text() {
        let html = "<!doctype html><html><head><title>no</title><style>p{}</style></head><body><h1>Hello &amp; \
            welcome</h1>\n<p>A  <b>bold</b>\nword.<p>Two<br>lines <!-- <p>hidden</p> --><script>if (a < b) x('</p>')\
            </script><ul><li>one</li><li>two &lt;3</li></ul><table><tr><td>a</td><td>b</td></tr></table>";
        let (text, truncated) = readable(html, 10_000);
        assert_eq!(text, "# Hello & welcome\n\nA bold word.\n\nTwo\nlines\n- one\n- two <3\n\na | b |");
        assert!(!truncated);
    }

    #[test]
    fn hostile_pages_cost_their_length() {
        for unit in ["<", "<p", "<script>", "</", "<!--", "<a href='", "<li>", "&#x41;", "<style></style"] {
            let began = Instant::now();
            let (text, _) = readable(&unit.repeat(200_000 / unit.len()), 10_000);
            assert!(text.len() <= 10_000);
            assert!(began.elapsed() < Duration::from_secs(5), "{unit}: {:?}", began.elapsed());
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(html in "(<|>|/|!|-|p|script|\"|'|&|;|#|é| |\n){0,200}", max in 0_usize..50) {
            prop_assert!(readable(&html, max).0.len() <= max);
        }
    }
}
