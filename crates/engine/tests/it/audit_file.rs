//! An export is verified without the server, and nothing in it can be changed unseen.

use toolgate_domain::TenantId;
use toolgate_engine::{Finding, FindingKind, KeySource, PublicKey, Verification, verify_file};

use crate::audit::Story;

pub async fn export(story: &Story) -> String {
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<bytes::Bytes>(1);
    let read = async {
        let mut file = Vec::new();
        while let Some(bytes) = receiver.recv().await {
            file.extend_from_slice(&bytes);
        }
        String::from_utf8(file).unwrap()
    };
    let (written, file) = tokio::join!(story.house.engine.export_audit(TenantId::DEFAULT, sender), read);
    written.unwrap();
    file
}

pub fn verify(file: &[u8], trusted: Option<PublicKey>) -> Verification {
    verify_file(&mut &*file, trusted, &mut |_| ()).unwrap()
}

fn finding(lines: &[&str]) -> Option<Finding> {
    verify(format!("{}\n", lines.join("\n")).as_bytes(), None).finding
}

#[tokio::test]
async fn an_untouched_file_verifies_under_the_key_that_is_trusted() {
    let story = Story::new().await;
    let file = export(&story).await;
    let key = story.house.engine.audit_public_key();
    let found = verify(file.as_bytes(), Some(key));
    assert_eq!((found.ok, found.finding, found.key_source), (true, None, KeySource::Given));
    assert_eq!(found.totals, story.verify().await.totals);
    assert_eq!(
        verify(file.as_bytes(), None).key_source,
        KeySource::File,
        "the answer says whose word it took"
    );
    let other: PublicKey =
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a".parse().unwrap();
    let finding = verify(file.as_bytes(), Some(other)).finding.unwrap();
    assert_eq!((finding.kind, finding.record.as_str()), (FindingKind::BadSignature, "header"));
}

#[tokio::test]
async fn no_byte_changes_unseen() {
    let story = Story::new().await;
    let file = export(&story).await.into_bytes();
    for place in (0..file.len()).step_by(53).chain([file.len() - 1]) {
        let mut changed = file.clone();
        changed[place] = if changed[place] == b'1' { b'2' } else { b'1' };
        assert!(!verify(&changed, None).ok, "byte {place}");
    }
}

#[tokio::test]
async fn no_line_goes_comes_or_moves_unseen() {
    let story = Story::new().await;
    let file = export(&story).await;
    let lines: Vec<_> = file.lines().collect();
    assert_eq!(finding(&lines), None);
    for place in 0..lines.len() {
        let (mut without, mut twice) = (lines.clone(), lines.clone());
        without.remove(place);
        twice.insert(place, lines[place]);
        assert!(finding(&without).is_some(), "without line {place}");
        assert!(finding(&twice).is_some(), "line {place} twice");
        if place > 0 {
            let mut swapped = lines.clone();
            swapped.swap(place, place - 1);
            assert!(finding(&swapped).is_some(), "line {place} before its time");
        }
        let cut = finding(&lines[..place]).unwrap();
        let expected = if place == 0 { FindingKind::Changed } else { FindingKind::Truncated };
        assert_eq!(cut.kind, expected, "cut before line {place}");
    }
}

#[tokio::test]
async fn the_first_line_that_is_not_as_it_was_is_named() {
    use FindingKind::{BadSignature, BrokenLink, Changed, Inserted, Removed};
    let story = Story::new().await;
    let file = export(&story).await;
    let lines: Vec<_> = file.lines().collect();
    let at = |part: &str| lines.iter().position(|line| line.contains(part)).unwrap();
    let call = story.calls[1].to_string();
    let receipt = at(&format!(r#""receipt":{{"id":"{call}"#));
    let (link, head) = (at(r#""type":"link","seq":3"#), at(r#""type":"head","number":1"#));
    let check = |what: &str, kind, record: &str, change: &dyn Fn(&mut Vec<String>)| {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut changed);
        let found = finding(&changed.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        assert_eq!((found.kind, found.record.as_str()), (kind, record), "{what}: {}", found.explanation);
    };
    let replace = |place: usize, from: &'static str, to: &'static str| {
        move |lines: &mut Vec<String>| {
            assert!(lines[place].contains(from), "{}", lines[place]);
            lines[place] = lines[place].replacen(from, to, 1);
        }
    };
    check("output", Changed, &call, &replace(receipt, r#""output":{"#, r#""output":{"a":1,"#));
    check("a space", Changed, &call, &replace(receipt, r#""output":"#, r#""output": "#));
    check("no JSON", Changed, &call, &replace(receipt, "{", ""));
    check("no record", Removed, &call, &|lines| drop(lines.remove(receipt)));
    let other = story.calls[0].to_string();
    let first = at(&format!(r#""receipt":{{"id":"{other}"#));
    check("another record", Inserted, &other, &|lines| lines.insert(receipt, lines[first].clone()));
    check("no link", Removed, "link 3", &|lines| drop(lines.remove(link)));
    check(
        "link's items",
        BrokenLink,
        "link 3",
        &replace(link, r#""kind":"receipt","id":"inv_"#, r#""kind":"event","id":"aud_"#),
    );
    check("link's number", Changed, "link 3", &replace(link, r#""seq":3"#, r#""seq":4"#));
    check("link's spelling", Changed, "link 3", &replace(link, r#""seq":3"#, r#""seq": 3"#));
    check("link twice", Inserted, "link 3", &|lines| lines.insert(link, lines[link].clone()));
    check("no head", Removed, "signed head number 1", &|lines| drop(lines.remove(head)));
    check("head's moment", BadSignature, "head 3", &replace(head, r#""signed_at":"2"#, r#""signed_at":"1"#));
    check("header's moment", Changed, "header", &replace(0, r#""exported_at":"2"#, r#""exported_at":"1"#));
    check("more after the end", Inserted, &format!("line {}", lines.len() + 1), &|lines| {
        lines.push("{}".into())
    });
}

#[tokio::test]
async fn a_file_made_anew_without_the_key_is_found_by_the_signatures() {
    let story = Story::new().await;
    let genuine = export(&story).await;
    story.tamper(|db| {
        let sql = "UPDATE tool_invocations SET output = '{\"got\":\"nothing\"}' WHERE id = ?1";
        db.execute(sql, [story.calls[1].uuid().into_bytes()]).unwrap();
    });
    story.chain_anew().await;
    // A forger has every record and can hash; the signatures are those of the genuine file.
    let forged = export(&story).await;
    let found = verify(forged.as_bytes(), None).finding.unwrap();
    assert_eq!((found.kind, found.record.as_str()), (FindingKind::BadSignature, "head 3"));
    assert_ne!(forged, genuine);

    // One with a key of their own can sign, and only pretend that it is the server's.
    let forger = Story::new().await;
    let (own, trusted) = (forger.house.engine.audit_public_key(), story.house.engine.audit_public_key());
    let signed = export(&forger).await;
    assert!(verify(signed.as_bytes(), None).ok, "whoever trusts the file itself believes it");
    let found = verify(signed.as_bytes(), Some(trusted)).finding.unwrap();
    assert_eq!((found.kind, found.record.as_str()), (FindingKind::BadSignature, "header"));
    let pretended = signed.replace(&own.to_string(), &trusted.to_string());
    let found = verify(pretended.as_bytes(), Some(trusted)).finding.unwrap();
    assert_eq!((found.kind, found.record.as_str()), (FindingKind::BadSignature, "head 3"));
}
