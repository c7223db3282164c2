//! Whoever has the database in their hands can change it, around every trigger. Verification says what they changed first.

use std::time::Duration;

use rstest::rstest;
use rusqlite::Connection;
use serde_json::json;
use toolgate_domain::{
    AuditEvent, InvocationId, TenantId,
    audit::{GENESIS, Item, Receipt, link_hash, read_items},
};
use toolgate_engine::{FindingKind, KeySource, Verification};
use toolgate_store::{AuditFilter, Head};

use crate::{
    audit_file::{export, verify},
    common::{House, caller},
};

/// A chain of five links: a tool (link 1), three calls (2 to 4) and a key (5), signed after links 3 and 5.
pub struct Story {
    pub house: House,
    pub calls: Vec<InvocationId>,
    /// Newest first.
    pub events: Vec<AuditEvent>,
}

impl Story {
    pub async fn new() -> Self {
        let house = House::new().await;
        house.tool("echo", "echo", json!({})).await;
        let mut calls = Vec::new();
        for n in 0..3 {
            calls.push(house.done("echo", json!({"n": n, "x": 0.1 + 0.2})).await.invocation_id);
            if n == 1 {
                house.engine.sign_heads().await.unwrap();
            }
        }
        let scopes = [toolgate_domain::Scope::ToolsRead];
        house.engine.keys().create(&caller(), "ci", &scopes, None).await.unwrap();
        house.engine.sign_heads().await.unwrap();
        let filter = AuditFilter { limit: 10, ..AuditFilter::default() };
        let events = house.stores.audit.events(TenantId::DEFAULT, &filter).await.unwrap();
        Self { house, calls, events }
    }

    pub async fn verify(&self) -> Verification {
        self.house.engine.verify_audit(TenantId::DEFAULT).await.unwrap()
    }

    /// Changes the database as somebody with the file could: triggers off, change, triggers on.
    pub fn tamper(&self, change: impl FnOnce(&Connection)) {
        let db = Connection::open(self.house.directory.path().join("t.db")).unwrap();
        db.busy_timeout(Duration::from_secs(10)).unwrap();
        let triggers: Vec<(String, String)> = db
            .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        triggers.iter().for_each(|(name, _)| db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
        change(&db);
        triggers.iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
    }

    fn execute(&self, sql: &str) {
        let sql = sql.replace("CALL", &format!("x'{}'", self.calls[1].uuid().simple()));
        let sql = sql.replace("EVENT", &format!("x'{}'", self.events[0].id.uuid().simple()));
        self.tamper(|db| assert!(db.execute(&sql, []).unwrap() > 0, "{sql} changes something"));
    }

    /// Makes every hash right again after a record was changed: all that can be done without the key.
    pub async fn chain_anew(&self) {
        let row = self.house.row(self.calls[1]).await;
        self.chain_with(Receipt::of(&row).item()).await;
    }

    /// The chain, with this item in the place of the one of the same record.
    async fn chain_with(&self, forged: Item) {
        let (mut head, mut links) = (Head { seq: 0, hash: GENESIS }, Vec::new());
        for link in self.house.stores.audit.links(TenantId::DEFAULT, 0, 100).await.unwrap() {
            let items = read_items(&link.items).unwrap();
            let items = items.into_iter().map(|item| if item.id == forged.id { forged } else { item });
            let items: Vec<u8> = items.flat_map(Item::to_bytes).collect();
            head = Head { seq: link.seq, hash: link_hash(&head.hash, link.seq, &items) };
            links.push((head, items));
        }
        self.tamper(|db| {
            for (link, items) in &links {
                let sql = "UPDATE audit_chain SET hash = ?1, items = ?2 WHERE seq = ?3";
                db.execute(sql, (link.hash, items, link.seq.cast_signed())).unwrap();
            }
            db.execute("UPDATE audit_heads SET hash = ?1", [head.hash]).unwrap();
        });
    }
}

#[tokio::test]
async fn what_nobody_touched_verifies() {
    let story = Story::new().await;
    let found = story.verify().await;
    assert_eq!((found.ok, found.finding), (true, None));
    let totals = found.totals;
    assert_eq!((totals.links, totals.receipts, totals.events, totals.signed_heads), (5, 3, 2, 2));
    assert_eq!(found.key_source, KeySource::Server);
    assert_eq!(found.public_key, Some(story.house.engine.audit_public_key().to_string()));
}

#[rstest]
#[case::output(
    "UPDATE tool_invocations SET output = '{\"got\":\"nothing\"}' WHERE id = CALL",
    FindingKind::Changed,
    "call"
)]
#[case::decision(
    "UPDATE tool_invocations SET caller = 'somebody else' WHERE id = CALL",
    FindingKind::Changed,
    "call"
)]
#[case::not_over(
    "UPDATE tool_invocations SET status = 'running' WHERE id = CALL",
    FindingKind::Changed,
    "call"
)]
#[case::attempt("UPDATE tool_invocations SET attempt = 7 WHERE id = CALL", FindingKind::Changed, "call")]
#[case::process(
    "UPDATE tool_invocations SET node_id = x'0000000000000000000000000000000a' WHERE id = CALL",
    FindingKind::Changed,
    "call"
)]
#[case::place("UPDATE tool_invocations SET seq = -1 WHERE id = CALL", FindingKind::Changed, "call")]
#[case::senseless("UPDATE tool_invocations SET output = '{' WHERE id = CALL", FindingKind::Changed, "call")]
#[case::deleted("DELETE FROM tool_invocations WHERE id = CALL", FindingKind::Removed, "call")]
#[case::event("UPDATE audit_events SET actor = 'usr_other' WHERE id = EVENT", FindingKind::Changed, "event")]
#[case::deleted_event("DELETE FROM audit_events WHERE id = EVENT", FindingKind::Removed, "event")]
#[case::middle_link("DELETE FROM audit_chain WHERE seq = 3", FindingKind::Removed, "link 3")]
#[case::last_links("DELETE FROM audit_chain WHERE seq > 3", FindingKind::Truncated, "link 4")]
#[case::items("UPDATE audit_chain SET items = x'' WHERE seq = 3", FindingKind::BrokenLink, "link 3")]
#[case::hash("UPDATE audit_chain SET hash = zeroblob(32) WHERE seq = 3", FindingKind::BrokenLink, "link 3")]
#[case::number("UPDATE audit_chain SET seq = 9 WHERE seq = 5", FindingKind::Truncated, "link 5")]
#[case::head("UPDATE audit_heads SET hash = zeroblob(32)", FindingKind::BrokenLink, "head 5")]
#[case::signature(
    "UPDATE audit_signatures SET signature = zeroblob(64) WHERE seq = 3",
    FindingKind::BadSignature,
    "head 3"
)]
#[case::moment(
    "UPDATE audit_signatures SET signed_at = 0 WHERE seq = 3",
    FindingKind::BadSignature,
    "head 3"
)]
#[tokio::test]
async fn what_was_tampered_with_first_is_named(
    #[case] sql: &str,
    #[case] kind: FindingKind,
    #[case] record: &str,
) {
    let story = Story::new().await;
    story.execute(sql);
    let found = story.verify().await;
    assert!(!found.ok);
    let finding = found.finding.unwrap();
    let record = match record {
        "call" => story.calls[1].to_string(),
        "event" => story.events[0].id.to_string(),
        other => other.to_owned(),
    };
    assert_eq!((finding.kind, finding.record), (kind, record), "{}", finding.explanation);
}

#[tokio::test]
async fn an_end_that_was_moved_to_another_tenant_is_a_finding() {
    let story = Story::new().await;
    story.tamper(|db| {
        db.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        let moved = db.execute("UPDATE audit_heads SET tenant_id = x'0000000000000000000000000000000a'", []);
        assert!(moved.unwrap() > 0);
    });
    let finding = story.verify().await.finding.unwrap();
    assert_eq!((finding.kind, finding.record.as_str()), (FindingKind::Truncated, "head 3"));
}

#[tokio::test]
async fn a_call_whose_start_was_recorded_first_names_no_process_once_it_ended() {
    let story = Story::new().await;
    story.house.tool("reads", "echo", json!({"egress_class": "read_only"})).await;
    let call = story.house.done("reads", json!({})).await.invocation_id;
    assert_eq!(story.house.row(call).await.node_id, None);
    assert_eq!(story.verify().await.finding, None);
}

/// Before attempts were part of receipts, and the end of a call cleared its process.
#[tokio::test]
async fn receipts_of_an_older_form_verify_in_the_database_and_in_a_file() {
    let story = Story::new().await;
    story.execute(
        "UPDATE tool_invocations SET attempt = 2, node_id = x'0000000000000000000000000000000a' WHERE id = CALL",
    );
    let row = story.house.row(story.calls[1]).await;
    story.chain_with(Receipt { attempt: None, ..Receipt::of(&row) }.item()).await;
    story.tamper(|db| assert!(db.execute("DELETE FROM audit_signatures", []).unwrap() > 0));
    let found = story.verify().await;
    assert_eq!((found.finding, found.totals.receipts), (None, 3));
    let file = export(&story).await;
    assert_eq!(file.matches("\"attempt\":1").count(), 2, "{file}");
    assert_eq!(verify(file.as_bytes(), None).finding, None);
}

#[tokio::test]
async fn a_receipt_that_was_slipped_in_is_named() {
    let story = Story::new().await;
    let slipped = InvocationId::from_uuid(toolgate_domain::ids::Uuid::from_u128(7));
    story.tamper(|db| {
        let sql = "CREATE TEMP TABLE copy AS SELECT * FROM tool_invocations WHERE id = ?1";
        db.execute(sql, [story.calls[1].uuid().into_bytes()]).unwrap();
        db.execute("UPDATE copy SET id = ?1", [slipped.uuid().into_bytes()]).unwrap();
        let columns: String = db
            .query_row("SELECT group_concat(name) FROM pragma_table_info('tool_invocations')", [], |row| {
                row.get(0)
            })
            .unwrap();
        db.execute(&format!("INSERT INTO tool_invocations ({columns}) SELECT {columns} FROM copy"), [])
            .unwrap();
    });
    let finding = story.verify().await.finding.unwrap();
    assert_eq!((finding.kind, finding.record), (FindingKind::Inserted, slipped.to_string()));
    let exported = verify(export(&story).await.as_bytes(), None).finding.unwrap();
    assert_eq!(
        exported.kind,
        FindingKind::Inserted,
        "a file tells that there were more records than it holds"
    );
}

#[tokio::test]
async fn an_event_that_was_slipped_in_is_named() {
    let story = Story::new().await;
    story.tamper(|db| {
        let sql = "INSERT INTO audit_events SELECT x'00000000000000000000000000000007', tenant_id, at, actor, action, target, before, after
                   FROM audit_events LIMIT 1";
        db.execute(sql, []).unwrap();
    });
    let finding = story.verify().await.finding.unwrap();
    assert_eq!(finding.kind, FindingKind::Inserted);
    assert_eq!(finding.record, "aud_00000000-0000-0000-0000-000000000007");
}

#[tokio::test]
async fn an_end_that_was_cut_off_with_all_it_named_is_missed_by_the_signature() {
    let story = Story::new().await;
    let links = story.house.stores.audit.links(TenantId::DEFAULT, 0, 100).await.unwrap();
    story.tamper(|db| {
        db.execute("DELETE FROM audit_chain WHERE seq > 3", []).unwrap();
        db.execute("UPDATE audit_heads SET seq = 3, hash = ?1", [links[2].hash]).unwrap();
        db.execute("DELETE FROM tool_invocations WHERE id = ?1", [story.calls[2].uuid().into_bytes()])
            .unwrap();
        let key = story.events[0].id.uuid().into_bytes();
        db.execute("DELETE FROM audit_events WHERE id = ?1", [key]).unwrap();
    });
    let finding = story.verify().await.finding.unwrap();
    assert_eq!((finding.kind, finding.record.as_str()), (FindingKind::Truncated, "head 5"));
}

#[tokio::test]
async fn a_chain_made_anew_without_the_key_is_found_by_the_signature() {
    let story = Story::new().await;
    story.execute("UPDATE tool_invocations SET output = '{\"got\":\"nothing\"}' WHERE id = CALL");
    story.chain_anew().await;
    let finding = story.verify().await.finding.unwrap();
    assert_eq!((finding.kind, finding.record.as_str()), (FindingKind::BadSignature, "head 3"));
}

#[tokio::test]
async fn calls_go_on_while_the_chain_is_verified() {
    let story = Story::new().await;
    let (house, stop) = (&story.house, std::sync::atomic::AtomicBool::new(false));
    let calling = async {
        while !stop.load(std::sync::atomic::Ordering::Relaxed) {
            house.done("echo", json!({})).await;
        }
    };
    let verifying = async {
        for _ in 0..20 {
            assert_eq!(story.verify().await.finding, None);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    };
    tokio::join!(calling, verifying);
}

#[tokio::test]
async fn an_engine_that_stops_has_signed_what_it_recorded() {
    let story = Story::new().await;
    story.house.done("echo", json!({})).await;
    story.house.engine.stop().await;
    assert_eq!(story.house.stores.audit.unsigned_heads().await.unwrap(), vec![]);
}
