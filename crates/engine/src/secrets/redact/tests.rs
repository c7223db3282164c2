use std::{fmt::Write, sync::Arc};

use data_encoding::{BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, Encoding, HEXLOWER, HEXUPPER};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::json;

use super::*;

fn redactor(secrets: &[(&str, &str)]) -> Redactor {
    let parsed = secrets
        .iter()
        .map(|(name, value)| (name.parse().unwrap(), SecretValue::new((*value).to_owned()).unwrap()));
    Redactor::new(parsed).unwrap()
}

/// What a stream says of a text that arrives character by character.
fn said_by_the_character(redactor: &Arc<Redactor>, text: &str) -> String {
    let mut stream = StreamRedactor::new(Arc::clone(redactor));
    let mut said: String =
        text.chars().map(|c| stream.push(c.encode_utf8(&mut [0; 4])).into_owned()).collect();
    said.push_str(&stream.finish());
    said
}

fn per_char(secret: &str, write: impl Fn(char) -> String) -> String {
    secret.chars().map(write).collect()
}

fn per_byte(secret: &str, write: impl Fn(u8) -> String) -> String {
    secret.bytes().map(write).collect()
}

fn json_units(character: char) -> String {
    let mut units = [0; 2];
    let units = character.encode_utf16(&mut units).iter();
    units.fold(String::new(), |mut text, unit| {
        write!(text, "\\u{unit:04x}").unwrap();
        text
    })
}

/// Each encoding as an ordinary encoder writes it, independent of how they are searched for.
fn forms(secret: &str) -> Vec<String> {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let plain = |byte: u8| char::from(byte).to_string();
    let component =
        per_byte(secret, |byte| if unreserved(byte) { plain(byte) } else { format!("%{byte:02X}") });
    let lower = per_byte(secret, |byte| if unreserved(byte) { plain(byte) } else { format!("%{byte:02x}") });
    let json = serde_json::to_string(secret).unwrap();
    let json = &json[1..json.len() - 1];
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let bytes = secret.as_bytes();
    vec![
        secret.to_owned(),
        HEXLOWER.encode(bytes),
        HEXUPPER.encode(bytes),
        BASE64.encode(bytes),
        BASE64_NOPAD.encode(bytes),
        BASE64URL.encode(bytes),
        BASE64URL_NOPAD.encode(bytes),
        component.replace("%20", "+"),
        component,
        lower,
        per_byte(secret, |byte| format!("%{byte:02X}")),
        per_byte(secret, |byte| format!("%{byte:02x}")),
        json.to_owned(),
        json.replace('/', "\\/"),
        per_char(json, |c| if c.is_ascii() { c.to_string() } else { json_units(c) }),
        per_char(secret, json_units),
        per_char(secret, |c| json_units(c).to_uppercase().replace('U', "u")),
        html.replace('\'', "&#39;"),
        html.replace('\'', "&apos;"),
        html.replace('\'', "&#x27;"),
        per_char(secret, |c| format!("&#{};", u32::from(c))),
        per_char(secret, |c| format!("&#x{:X};", u32::from(c))),
    ]
}

#[test]
fn the_mark_names_the_secret() {
    let redactor = redactor(&[("API_KEY", "s3cr3t-value")]);
    assert_eq!(redactor.redact_text("Bearer s3cr3t-value!"), "Bearer [redacted:API_KEY]!");
}

#[test]
fn without_secrets_the_very_same_text_comes_back() {
    let (none, text) = (Redactor::new([]).unwrap(), String::from("anything % at \\u0061ll"));
    assert!(matches!(none.redact_text(&text), Cow::Borrowed(same) if std::ptr::eq(same, text.as_str())));
    assert!(matches!(StreamRedactor::new(Arc::new(none)).push(&text), Cow::Borrowed(_)));
}

#[test]
fn keys_strings_and_numbers_of_a_value_are_redacted_and_no_member_is_lost() {
    let redactor = redactor(&[("PIN", "4711"), ("TOKEN", "a/b\"c")]);
    let mut value = json!({
        "4711": "a/b\"c",
        "x34373131x": [147_112, 12, null, true, {"deep": "see a%2Fb%22c."}],
        "34373131": 1,
        "NDcxMQ": 2,
    });
    redactor.redact_value(&mut value);
    let text = value.to_string();
    assert!(!text.contains("4711") && !text.contains("34373131") && !text.contains("NDcxMQ"), "{text}");
    assert_eq!(value.as_object().unwrap().len(), 4, "{text}");
    assert_eq!(value["x[redacted:PIN]x"][0], "1[redacted:PIN]2");
    assert_eq!(value["x[redacted:PIN]x"][4]["deep"], "see [redacted:TOKEN].");
    assert_eq!(value["x[redacted:PIN]x"][1], 12);
}

#[rstest]
#[case::one_within_the_other("xx abcdefgh yy", "xx [redacted:LONG] yy")]
#[case::both_ways("abcdef", "[redacted:SHORT]")]
#[case::overlap_leaves_no_remainder("abcdefghij", "[redacted:LONG]")]
#[case::next_to_each_other("abcdefabcdef", "[redacted:SHORT][redacted:SHORT]")]
fn of_overlapping_secrets_the_longest_gives_the_name(#[case] text: &str, #[case] expected: &str) {
    let redactor = redactor(&[("SHORT", "abcdef"), ("LONG", "abcdefgh"), ("TAIL", "ghij")]);
    assert_eq!(redactor.redact_text(text), expected);
}

#[test]
fn a_secret_that_is_part_of_its_own_mark_is_redacted_once() {
    let redactor = redactor(&[("TOKEN", "redacted"), ("OTHER", "TOKEN")]);
    let once = redactor.redact_text("it was redacted with a TOKEN").into_owned();
    assert_eq!(once, "it was [redacted:TOKEN] with a [redacted:OTHER]");
    assert!(matches!(redactor.redact_text(&once), Cow::Borrowed(_)));
}

#[rstest]
#[case::ends_like_a_mark_starts(" a [", "%20a%20 a [", "%20a%20[redacted:S]")]
#[case::starts_like_a_mark_ends("]abc", "]abcabc", "[redacted:S]abc")]
#[case::starts_with_a_whole_mark("[redacted:S]x", "[redacted:S]x", "[redacted:S]")]
#[case::holds_a_whole_mark("x[redacted:S]y", "<x[redacted:S]y>", "<[redacted:S]>")]
fn a_mark_is_a_wall(#[case] secret: &str, #[case] text: &str, #[case] expected: &str) {
    let redactor = Arc::new(redactor(&[("S", secret)]));
    let once = redactor.redact_text(text).into_owned();
    assert_eq!(once, expected);
    assert_eq!(redactor.redact_text(&once), expected);
    assert_eq!(said_by_the_character(&redactor, &once), expected);
}

#[test]
fn a_form_starts_anew_after_a_stray_escape_character() {
    let redactor = redactor(&[("S", "abc/d")]);
    for text in ["\\\\u0061bc\\/d", "%%61bc%2fd", "&&#97;bc/d", "%2%61bc/d"] {
        assert!(redactor.redact_text(text).ends_with("[redacted:S]"), "{text}");
    }
}

#[test]
fn encoders_that_escape_more_or_less_than_others_are_all_caught() {
    let redactor = redactor(&[("S", "p@ss w/rd!é'")]);
    for text in [
        "p@ss+w/rd!%C3%a9'",
        "p%40ss%20w/rd!é%27",
        "p@ss w\\/rd!\\u00E9\\u0027",
        "p@ss w/rd&#33;&#233;&#x27;",
    ] {
        assert_eq!(redactor.redact_text(text), "[redacted:S]", "{text}");
    }
}

#[test]
fn a_long_secret_is_compared_to_its_end_and_not_only_at_its_start() {
    let secret = "0123456789abcdef".repeat(4_096);
    let redactor = redactor(&[("BIG", &secret)]);
    assert_eq!(redactor.redact_text(&format!("<{secret}>")), "<[redacted:BIG]>");
    let almost = format!("<{}>", &secret[..secret.len() - 1]);
    assert!(matches!(redactor.redact_text(&almost), Cow::Borrowed(_)));
}

#[test]
fn more_secrets_than_a_run_can_have_are_refused() {
    let many = |count| {
        let secret = |n| (format!("n{n}").parse().unwrap(), SecretValue::new(format!("value-{n}")).unwrap());
        Redactor::new((0..count).map(secret))
    };
    assert!(many(256).is_ok());
    assert!(many(257).unwrap_err().to_string().contains("at most 256"));
}

#[test]
fn debug_shows_names_and_no_values() {
    let redactor = redactor(&[("API_KEY", "s3cr3t-value")]);
    assert_eq!(format!("{redactor:?}"), "[API_KEY]");
    let mut stream = StreamRedactor::new(Arc::new(redactor));
    assert_eq!(stream.push("s3cr3t-val"), "");
    let shown = format!("{stream:?}");
    assert!(shown.contains("API_KEY") && !shown.contains("s3cr3t"), "{shown}");
}

#[test]
fn a_stream_holds_the_longest_form_back_to_its_last_character() {
    let secret = "\u{1f600}".repeat(4);
    let mut stream = StreamRedactor::new(Arc::new(redactor(&[("S", &secret)])));
    let form = per_char(&secret, json_units);
    for character in form.chars() {
        assert_eq!(stream.push(character.encode_utf8(&mut [0; 4])), "");
    }
    assert_eq!(stream.finish(), "[redacted:S]");
}

fn secret() -> impl Strategy<Value = String> {
    let any_text = prop::collection::vec(any::<char>(), 4..40).prop_map(String::from_iter);
    prop_oneof!["\\PC{4,40}", "[ -~]{4,40}", "[ab%+&;\\\\/\"' \n]{4,12}", any_text]
}

fn surroundings() -> impl Strategy<Value = String> {
    prop_oneof!["\\PC{0,20}", "[ -~]{0,20}", "[ab%+&;\\\\/u0-9]{0,20}"]
}

/// A text with secrets in many forms in it, whole and in pieces, and where it is cut.
fn pieces(secret: &str) -> impl Strategy<Value = Vec<String>> + use<> {
    let whole = prop::sample::select(forms(secret));
    let part = (whole.clone(), any::<prop::sample::Index>()).prop_map(|(form, at)| {
        let end = form.floor_char_boundary(at.index(form.len()));
        form[..end].to_owned()
    });
    let mark =
        prop::sample::select(vec!["[redacted:S]".to_owned(), "[redac".to_owned(), "ted:S]".to_owned()]);
    prop::collection::vec(prop_oneof![whole, part, mark, surroundings()], 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_form_of_a_secret_survives_in_any_surroundings(
        secret in secret(), before in surroundings(), after in surroundings(),
    ) {
        let redactor = redactor(&[("S", &secret)]);
        for form in forms(&secret) {
            let text = format!("{before}{form}{after}");
            let redacted = redactor.redact_text(&text);
            prop_assert!(redacted.contains("[redacted:S]"), "{form:?} stayed in {redacted:?}");
            for rest in redacted.split("[redacted:S]") {
                for form in forms(&secret) {
                    prop_assert!(!rest.contains(&form), "{form:?} stayed in {redacted:?}");
                }
            }
        }
    }

    #[test]
    fn within_longer_base64_exactly_the_characters_that_carry_the_secret_go(
        secret in "[ -~]{4,40}",
        before in prop::collection::vec(128_u8.., 0..7),
        after in prop::collection::vec(128_u8.., 0..7),
        encoding in prop::sample::select(vec![BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD]),
    ) {
        let encoding: Encoding = encoding;
        let encoded = encoding.encode(&[&before, secret.as_bytes(), &after].concat());
        let start = 8 * before.len() / 6;
        let end = (8 * (before.len() + secret.len())).div_ceil(6);
        let expected = format!("{}[redacted:S]{}", &encoded[..start], &encoded[end..]);
        let redactor = redactor(&[("S", &secret)]);
        prop_assert_eq!(redactor.redact_text(&encoded), expected);
    }

    #[test]
    fn redacting_twice_is_redacting_once(
        (secret, pieces) in secret().prop_flat_map(|secret| (Just(secret.clone()), pieces(&secret))),
    ) {
        let redactor = redactor(&[("S", &secret)]);
        let once = redactor.redact_text(&pieces.concat()).into_owned();
        prop_assert_eq!(redactor.redact_text(&once), once.as_str());
    }

    #[test]
    fn a_text_without_the_secret_is_untouched(secret in "[xyzé]{4,40}", text in "[a-wA-W0-9 %&#;+/\\\\\\[\\]:]{0,200}") {
        let redactor = redactor(&[("S", &secret)]);
        prop_assert!(matches!(redactor.redact_text(&text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn a_stream_says_the_same_wherever_it_is_cut(
        (secret, pieces) in secret().prop_flat_map(|secret| (Just(secret.clone()), pieces(&secret))),
        other in "[ab/%]{4,6}",
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let redactor = Arc::new(redactor(&[("S", &secret), ("OTHER", &other)]));
        let text = pieces.concat();
        let mut cuts: Vec<_> =
            cuts.iter().map(|cut| text.floor_char_boundary(cut.index(text.len() + 1))).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();

        let mut stream = StreamRedactor::new(Arc::clone(&redactor));
        let mut said = String::new();
        for cut in cuts.windows(2) {
            said.push_str(&stream.push(&text[cut[0]..cut[1]]));
        }
        said.push_str(&stream.finish());
        prop_assert_eq!(said, redactor.redact_text(&text));
    }

    #[test]
    fn a_stream_of_single_characters_of_a_small_alphabet_says_the_same(text in "[ab]{0,300}", secret in "[ab]{4,9}") {
        let redactor = Arc::new(redactor(&[("S", &secret), ("OTHER", "abab")]));
        prop_assert_eq!(said_by_the_character(&redactor, &text), redactor.redact_text(&text));
    }
}

#[test]
fn of_a_secret_that_is_a_document_the_secret_members_are_redacted_too() {
    let kept = json!({
        "client": {"id": "toolgate-client", "secret": "c1ient-s3cret", "issuer": "https://id.example"},
        "tokens": {"token_response": {"access_token": "acc3ss-t0ken", "refresh_token": "r3fresh-t0ken", "token_type": "bearer"}},
        "pending": [{"pkce_verifier": "v3rifier-text"}],
    });
    let redactor = redactor(&[("MCP_X_OAUTH", &kept.to_string())]);
    let said = "Bearer acc3ss-t0ken, r3fresh-t0ken, c1ient-s3cret, v3rifier-text; toolgate-client at https://id.example";
    let mark = "[redacted:MCP_X_OAUTH]";
    let expected = format!("Bearer {mark}, {mark}, {mark}, {mark}; toolgate-client at https://id.example");
    assert_eq!(redactor.redact_text(said), expected);
    assert_eq!(redactor.redact_text(&kept.to_string()), mark, "the whole is one secret");
    for encoded in forms("acc3ss-t0ken") {
        assert!(redactor.redact_text(&encoded).contains(mark), "{encoded}");
    }
}

#[test]
fn what_only_looks_like_a_document_is_redacted_as_a_whole_alone() {
    for value in ["{not json, token: hunter2hunter2}", r#"["a-token-in-a-list"]"#, r#"{"token": "short"}"#] {
        let redactor = redactor(&[("NAME", value)]);
        assert_eq!(redactor.redact_text(value), "[redacted:NAME]");
        assert_eq!(redactor.redact_text("hunter2hunter2 a-token-in-a-list short").len(), 38);
    }
}
