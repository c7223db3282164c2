//! Links that a page may show: the one check of every field that holds one.

/// Characters of a refused link that its error quotes.
const QUOTED_CHARS: usize = 40;

/// Refuses a link that is not an absolute address of the web. A browser runs `javascript:` where somebody follows it, and `data:` brings
/// a page of its own.
pub fn check_web_link(field: &str, link: &str) -> Result<(), String> {
    // A browser drops blanks and line ends before it reads the scheme: with them, it would read another address than this check.
    let is_plain = !link.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\');
    if is_plain
        && host_and_path(link).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
    {
        return Ok(());
    }
    let quoted: String =
        link.chars().take(QUOTED_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    Err(format!(
        "{field} is no link to a website: `{quoted}`; give an address that begins with https:// or http://, or null for none"
    ))
}

/// What follows the scheme; nothing where the scheme is another.
fn host_and_path(link: &str) -> Option<&str> {
    let (scheme, rest) = link.split_once("://")?;
    ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::check_web_link;

    #[rstest]
    #[case::https("https://pictures.example/ada.png")]
    #[case::http("http://pictures.example")]
    #[case::any_case("HTTPS://pictures.example/ada.png?size=2#top")]
    #[case::with_a_port("http://localhost:8080/ada.png")]
    fn a_link_to_a_website_is_kept(#[case] link: &str) {
        assert_eq!(check_web_link("avatar_url", link), Ok(()));
    }

    #[rstest]
    #[case::script("javascript:alert(1)")]
    #[case::script_as_an_address("javascript://pictures.example/%0aalert(1)")]
    #[case::script_in_any_case("JaVaScRiPt:alert(1)")]
    #[case::a_page_of_its_own("data:text/html,<script>alert(1)</script>")]
    #[case::a_picture_of_its_own("data:image/png;base64,AAAA")]
    #[case::a_file("file:///etc/passwd")]
    #[case::memory("blob:https://pictures.example/1")]
    #[case::mail("mailto:ada@example.org")]
    #[case::a_path("/ada.png")]
    #[case::the_scheme_of_the_page("//pictures.example/ada.png")]
    #[case::no_host("https:///ada.png")]
    #[case::nothing_after_the_scheme("https://")]
    #[case::a_blank_before(" https://pictures.example")]
    #[case::a_line_end_within("java\nscript:https://pictures.example")]
    #[case::slashes_that_lean("https:\\\\pictures.example")]
    #[case::empty("")]
    fn any_other_link_is_refused_by_the_name_of_its_field(#[case] link: &str) {
        let refused = check_web_link("avatar_url", link).unwrap_err();
        assert!(refused.starts_with("avatar_url is no link") && refused.contains("https://"), "{refused}");
        assert!(!refused.contains('\n'), "{refused:?}");
    }
}
