use toolgate_domain::{
    AuditEvent, Gate, Phase, TenantId,
    audit::{GENESIS, Item, ItemKind, Receipt, link_hash, read_items},
    ids::Uuid,
};

use super::Fixture;
use crate::{AuditFilter, Entry, Head, SignedHead, StoreError};

const DONE: Phase = Phase::Completed(Gate::NotRequired);

/// Every item of the chain, in order; panics when a link does not stand on the one before it.
async fn walk(f: &Fixture, tenant: TenantId) -> Vec<Item> {
    let (mut head, mut items) = (Head::default(), Vec::new());
    loop {
        let links = f.stores.audit.links(tenant, head.seq, 2).await.unwrap();
        if links.is_empty() {
            assert_eq!(f.stores.audit.head(tenant).await.unwrap(), head);
            return items;
        }
        for link in links {
            assert_eq!(link.seq, head.seq + 1);
            assert_eq!(link.hash, link_hash(&head.hash, link.seq, &link.items));
            items.extend(read_items(&link.items).unwrap());
            head = Head { seq: link.seq, hash: link.hash };
        }
    }
}

pub async fn receipts_and_audit_events_form_a_chain(f: &Fixture) {
    let tool = f.registered("probe").await;
    let done = f.invocation(&tool, DONE);
    f.stores.ledger.record(f.insert(&done)).await.unwrap();
    let waiting = f.in_phase(&tool, Phase::Pending).await;
    let event = f.audit("approval.reject");
    let mut rejection = f.advance(&waiting, Phase::Pending, Phase::Rejected);
    rejection.audit.push(event.clone());
    f.stores.ledger.record(rejection).await.unwrap();

    let items = walk(f, TenantId::DEFAULT).await;
    let rejected = f.stored(&waiting).await.unwrap();
    let expected =
        [Receipt::of(&f.stored(&done).await.unwrap()).item(), Receipt::of(&rejected).item(), event.item()];
    assert_eq!(items[1..], expected, "what reads back has the digest that was chained");
    assert_eq!(f.stores.audit.events_by_id(TenantId::DEFAULT, &[event.id]).await.unwrap(), vec![event]);
    let counts = f.stores.audit.counts(TenantId::DEFAULT).await.unwrap();
    assert_eq!((counts.receipts, counts.events), (2, 2), "a tool was registered, a call rejected");
}

pub async fn a_change_that_comes_too_late_is_not_in_the_chain(f: &Fixture) {
    let tool = f.registered("probe").await;
    let row = f.in_phase(&tool, DONE).await;
    let before = walk(f, TenantId::DEFAULT).await;
    let mut late = f.insert(&row);
    late.audit.push(f.audit("approval.approve"));
    f.stores.ledger.record(late).await.unwrap_err();
    assert_eq!(walk(f, TenantId::DEFAULT).await, before);
    assert_eq!(f.stores.audit.counts(TenantId::DEFAULT).await.unwrap().events, 1);
}

pub async fn the_chain_holds_when_many_write_at_once(f: &Fixture) {
    let tool = f.registered("probe").await;
    let writes = (0..100).map(|n| {
        let entry = if n % 10 == 0 {
            Entry { audit: vec![f.audit("policy.update")], ..Entry::of(TenantId::DEFAULT) }
        } else {
            f.insert(&f.invocation(&tool, DONE))
        };
        f.stores.ledger.record(entry)
    });
    let events: Vec<_> = (0..10).map(|_| vec![f.audit("role.update")]).collect();
    let beside = events.iter().map(|events| f.stores.audit.append(TenantId::DEFAULT, events));
    let (written, appended) =
        futures::future::join(futures::future::join_all(writes), futures::future::join_all(beside)).await;
    written.into_iter().for_each(|result| result.unwrap());
    appended.into_iter().for_each(|result| result.unwrap());
    assert_eq!(walk(f, TenantId::DEFAULT).await.len(), 1 + 100 + 10);
}

pub async fn the_audit_trail_only_grows(f: &Fixture) {
    f.stores.audit.append(TenantId::DEFAULT, &[f.audit("agent.create")]).await.unwrap();
    for table in ["audit_events", "audit_chain"] {
        for sql in [format!("DELETE FROM {table}"), format!("UPDATE {table} SET tenant_id = tenant_id")] {
            assert!(f.raw.execute(&sql).await.unwrap_err().contains("append-only"), "{sql}");
        }
    }
}

pub async fn audit_events_are_found_by_what_who_and_when(f: &Fixture) {
    let first = f.audit("agent.create");
    let other = AuditEvent { actor: "usr_other".into(), ..f.audit("agent.update") };
    let events = [first, other.clone(), f.audit("key.create")];
    f.stores.audit.append(TenantId::DEFAULT, &events).await.unwrap();
    let find =
        |filter: AuditFilter| async move { f.stores.audit.events(TenantId::DEFAULT, &filter).await.unwrap() };
    let all = AuditFilter { limit: 10, ..AuditFilter::default() };
    assert_eq!(find(all.clone()).await, vec![events[2].clone(), events[1].clone(), events[0].clone()]);
    let agents = AuditFilter { action: Some("agent.".into()), ..all.clone() };
    assert_eq!(find(agents).await.len(), 2);
    let actor = AuditFilter { actor: Some(other.actor.clone()), ..all.clone() };
    assert_eq!(find(actor).await, vec![other]);
    let older = AuditFilter { before: Some(events[1].id), ..all };
    assert_eq!(find(older).await, vec![events[0].clone()]);
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert_eq!(f.stores.audit.links(stranger, 0, 10).await.unwrap(), vec![]);
    assert_eq!(f.stores.audit.head(stranger).await.unwrap(), Head { seq: 0, hash: GENESIS });
}

pub async fn what_the_chain_should_hold_is_told_in_order(f: &Fixture) {
    let (tenant, audit) = (TenantId::DEFAULT, &f.stores.audit);
    let tool = f.registered("probe").await;
    let (first, second) = (f.in_phase(&tool, DONE).await, f.in_phase(&tool, Phase::Rejected).await);
    let waiting = f.in_phase(&tool, Phase::Pending).await;
    let ids = |kind, after, limit| async move { audit.ids(tenant, kind, after, limit).await.unwrap() };
    let ended = vec![first.id.uuid(), second.id.uuid()];
    assert_eq!(ids(ItemKind::Receipt, Uuid::nil(), 9).await, ended, "a call that waits has no receipt");
    assert_eq!(ids(ItemKind::Receipt, Uuid::nil(), 1).await, ended[..1]);
    assert_eq!(ids(ItemKind::Receipt, ended[0], 9).await, ended[1..]);
    assert_eq!(ids(ItemKind::Event, Uuid::nil(), 9).await.len(), 1);
    let counts = audit.counts(tenant).await.unwrap();
    assert_eq!((counts.receipts, counts.events, counts.head), (2, 1, audit.head(tenant).await.unwrap()));

    let invocations = &f.stores.invocations;
    let unknown = toolgate_domain::InvocationId::from_uuid(f.new_uuid());
    let found = invocations.by_ids(tenant, &[waiting.id, unknown, first.id]).await.unwrap();
    let mut found: Vec<_> = found.iter().map(|row| row.id).collect();
    found.sort();
    assert_eq!(found, [first.id, waiting.id]);
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert_eq!(invocations.by_ids(stranger, &[first.id]).await.unwrap(), vec![]);
    assert_eq!(audit.ids(stranger, ItemKind::Receipt, Uuid::nil(), 9).await.unwrap(), Vec::<Uuid>::new());
}

pub async fn a_head_is_signed_once_and_found_until_then(f: &Fixture) {
    let (tenant, audit) = (TenantId::DEFAULT, &f.stores.audit);
    assert_eq!(audit.unsigned_heads().await.unwrap(), vec![], "an empty chain has nothing to vouch for");
    let mut signed = Vec::new();
    for n in 1..=3 {
        audit.append(tenant, &[f.audit("agent.update")]).await.unwrap();
        let head = audit.head(tenant).await.unwrap();
        assert_eq!(audit.unsigned_heads().await.unwrap(), vec![(tenant, head)]);
        let signed_at = toolgate_domain::Clock::now(&f.clock);
        let word = SignedHead { seq: head.seq, hash: head.hash, signed_at, signature: vec![n; 64] };
        audit.sign(tenant, &word).await.unwrap();
        audit.sign(tenant, &SignedHead { signature: vec![0; 64], ..word.clone() }).await.unwrap();
        assert_eq!(audit.unsigned_heads().await.unwrap(), vec![]);
        signed.push(word);
    }
    assert_eq!(audit.signed_heads(tenant, 0, 9).await.unwrap(), signed, "the first word stays");
    assert_eq!(audit.signed_heads(tenant, 1, 1).await.unwrap(), signed[1..2]);
}

pub async fn documents_are_kept_by_revision_and_name(f: &Fixture) {
    use crate::{Kind, Record, RecordWrite};
    let tenant = TenantId::DEFAULT;
    for kind in Kind::ALL.iter().copied() {
        let record = |name: &str| Record {
            tenant_id: tenant,
            kind,
            id: f.new_uuid(),
            name: name.to_owned(),
            body: serde_json::json!({"é": [1.5, null, "\u{0}"], "big": 9_007_199_254_740_993_u64}),
            revision: 1,
            created_at: toolgate_domain::Clock::now(&f.clock),
            updated_at: toolgate_domain::Clock::now(&f.clock),
        };
        let (first, second) = (record("a"), record("b"));
        let records = &f.stores.records;
        let both = vec![RecordWrite::Insert(first.clone()), RecordWrite::Insert(second.clone())];
        records.commit(tenant, both, vec![f.audit("x.create")]).await.unwrap();
        assert_eq!(records.get(tenant, kind, first.id).await.unwrap(), Some(first.clone()), "{kind:?}");
        assert_eq!(records.by_name(tenant, kind, "b").await.unwrap(), Some(second.clone()));

        assert_eq!(records.named(tenant, kind, "a").await.unwrap(), vec![first.clone()]);
        let last = async |prefix, before, limit| {
            let found = records.last_named(tenant, kind, prefix, before, limit).await.unwrap();
            found.into_iter().map(|record| record.name).collect::<Vec<_>>()
        };
        assert_eq!(last("", None, 9).await, ["b", "a"]);
        assert_eq!(
            (last("", None, 1).await, last("", Some("b"), 1).await),
            (vec!["b".into()], vec!["a".into()])
        );
        assert_eq!((last("a", None, 9).await, last("", Some("a"), 9).await), (vec!["a".to_owned()], vec![]));
        assert_eq!(records.count_named(tenant, kind, "").await.unwrap(), 2);
        assert_eq!(records.count_named(tenant, kind, "b").await.unwrap(), 1);

        let taken = vec![RecordWrite::Insert(record("c")), RecordWrite::Insert(record("a"))];
        let refused = records.commit(tenant, taken, vec![f.audit("x.create")]).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(
            records.all(tenant, kind).await.unwrap(),
            vec![first.clone(), second.clone()],
            "all or nothing"
        );

        let renamed = Record { name: "z".into(), revision: 2, ..first.clone() };
        records.commit(tenant, vec![RecordWrite::Update(renamed.clone())], vec![]).await.unwrap();
        let late = records.commit(tenant, vec![RecordWrite::Update(renamed.clone())], vec![]).await;
        assert!(matches!(late, Err(StoreError::Conflict(_))), "{late:?}");
        let stranger = TenantId::from_uuid(f.new_uuid());
        let foreign = RecordWrite::Delete { kind, id: first.id, revision: 2 };
        assert!(records.commit(stranger, vec![foreign.clone()], vec![]).await.is_err());
        assert_eq!(records.get(stranger, kind, first.id).await.unwrap(), None);
        records.commit(tenant, vec![foreign], vec![]).await.unwrap();
        assert_eq!(records.all(tenant, kind).await.unwrap(), vec![second]);
    }
    let told = Kind::ALL.len() as u64;
    assert_eq!(f.stores.audit.counts(tenant).await.unwrap().events, told, "what was refused left no trace");
}

pub async fn tenants_are_made_once_and_archived_once(f: &Fixture) {
    use crate::Tenant;
    let tenants = &f.stores.tenants;
    let tenant = Tenant {
        id: TenantId::from_uuid(f.new_uuid()),
        slug: "ims".into(),
        name: "IMS".into(),
        created_at: toolgate_domain::Clock::now(&f.clock),
        archived_at: None,
    };
    tenants.insert(&tenant, &f.audit("tenant.create")).await.unwrap();
    let again = Tenant { id: TenantId::from_uuid(f.new_uuid()), ..tenant.clone() };
    assert!(tenants.insert(&again, &f.audit("tenant.create")).await.is_err(), "the slug is taken");
    assert_eq!(tenants.by_slug("ims").await.unwrap(), Some(tenant.clone()));
    assert_eq!(tenants.list().await.unwrap().len(), 2);
    let own = AuditEvent { tenant_id: tenant.id, ..f.audit("user.create") };
    f.stores.audit.append(tenant.id, std::slice::from_ref(&own)).await.unwrap();
    assert_eq!(walk(f, tenant.id).await, vec![own.item()], "a chain of its own");
    let at = toolgate_domain::Clock::now(&f.clock);
    tenants.archive(tenant.id, at, &f.audit("tenant.archive")).await.unwrap();
    assert!(tenants.archive(tenant.id, at, &f.audit("tenant.archive")).await.is_err());
    assert_eq!(tenants.get(tenant.id).await.unwrap().unwrap().archived_at, Some(at));
}
