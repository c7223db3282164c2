//! Conversations.

use toolgate_domain::{
    AgentId, Clock, Message, MessageId, MessageRole, RunId, SessionId, TenantId, Thread, ThreadId,
};

use super::Fixture;
use crate::{MessageFilter, StoreError, ThreadFilter};

fn thread(f: &Fixture, by: &str) -> Thread {
    let now = f.clock.now();
    Thread {
        id: ThreadId::generate(&f.ids),
        tenant_id: TenantId::DEFAULT,
        session_id: SessionId::generate(&f.ids),
        agent_id: AgentId::generate(&f.ids),
        title: Some("Grüße".to_owned()),
        created_by: by.to_owned(),
        created_at: now,
        updated_at: now,
        archived_at: None,
    }
}

/// What a person says at this place, and the place of the answer.
fn turn(f: &Fixture, thread: &Thread, seq: u64) -> [Message; 2] {
    let run_id = RunId::generate(&f.ids);
    let message = |seq, role, content: Option<String>| Message {
        id: MessageId::generate(&f.ids),
        tenant_id: TenantId::DEFAULT,
        thread_id: thread.id,
        seq,
        role,
        content,
        run_id,
        created_at: f.clock.now(),
        dropped_at: None,
    };
    [
        message(seq, MessageRole::User, Some(format!("message {seq}"))),
        message(seq + 1, MessageRole::Assistant, None),
    ]
}

pub async fn threads_are_listed_by_owner_changed_and_archived(f: &Fixture) {
    let threads = &f.stores.threads;
    let made = [thread(f, "usr_a"), thread(f, "usr_b"), thread(f, "usr_a")];
    for thread in &made {
        threads.add_thread(thread).await.unwrap();
    }
    assert_eq!(threads.thread(TenantId::DEFAULT, made[0].id).await.unwrap().as_ref(), Some(&made[0]));
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(threads.thread(stranger, made[0].id).await.unwrap().is_none(), "nobody else sees it");
    let mine = ThreadFilter { created_by: Some("usr_a".to_owned()), limit: 1, ..ThreadFilter::default() };
    let first = threads.list_threads(TenantId::DEFAULT, &mine).await.unwrap();
    assert_eq!(first.items, made[2..]);
    let before = Some(first.next_cursor.unwrap().parse().unwrap());
    let second =
        threads.list_threads(TenantId::DEFAULT, &ThreadFilter { before, ..mine.clone() }).await.unwrap();
    assert_eq!((second.items, second.next_cursor), (made[..1].to_vec(), None));

    let mut archived = made[2].clone();
    (archived.title, archived.archived_at, archived.updated_at) = (None, Some(f.clock.now()), f.clock.now());
    threads.update_thread(&archived).await.unwrap();
    let all = ThreadFilter { limit: 10, ..ThreadFilter::default() };
    let listed = threads.list_threads(TenantId::DEFAULT, &all).await.unwrap().items;
    assert_eq!(listed, [made[1].clone(), made[0].clone()]);
    let listed =
        threads.list_threads(TenantId::DEFAULT, &ThreadFilter { with_archived: true, ..all }).await.unwrap();
    assert_eq!(listed.items[0], archived);
}

pub async fn messages_have_one_place_each_and_stay(f: &Fixture) {
    let threads = &f.stores.threads;
    let thread = thread(f, "usr_a");
    threads.add_thread(&thread).await.unwrap();
    let first = turn(f, &thread, 1);
    let add = |messages: Vec<Message>, drop_from| async move {
        let now = f.clock.now();
        threads.add_messages(TenantId::DEFAULT, thread.id, &messages, drop_from, now).await
    };
    add(first.to_vec(), None).await.unwrap();
    let late = add(turn(f, &thread, 1).to_vec(), Some(1)).await;
    assert!(matches!(late, Err(StoreError::Conflict(_))), "the place is taken: {late:?}");
    let all = MessageFilter { limit: 10, ..MessageFilter::default() };
    let list = |filter| async move { threads.messages(TenantId::DEFAULT, thread.id, &filter).await.unwrap() };
    assert_eq!(list(all).await, first, "and nothing was dropped");

    let second = turn(f, &thread, 3);
    add(second.to_vec(), None).await.unwrap();
    let last = MessageFilter { newest_first: true, limit: 1, ..all };
    assert_eq!(list(last).await, second[1..]);
    assert_eq!(
        list(MessageFilter { after: 1, before: Some(4), ..all }).await,
        [first[1].clone(), second[0].clone()]
    );

    let third = turn(f, &thread, 5);
    add(third.to_vec(), Some(3)).await.unwrap();
    assert_eq!(list(all).await, [first.clone(), third].concat());
    let everything = list(MessageFilter { with_dropped: true, ..all }).await;
    assert_eq!(everything.len(), 6);
    assert!(everything[2].dropped_at.is_some() && everything[2].content == second[0].content);

    let found = threads.message(TenantId::DEFAULT, thread.id, first[0].id).await.unwrap();
    assert_eq!(found.as_ref(), Some(&first[0]));
    let elsewhere = ThreadId::generate(&f.ids);
    assert!(threads.message(TenantId::DEFAULT, elsewhere, first[0].id).await.unwrap().is_none());
    assert_eq!(threads.thread_of_run(TenantId::DEFAULT, first[0].run_id).await.unwrap(), Some(thread.id));
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(threads.thread_of_run(stranger, first[0].run_id).await.unwrap().is_none());
    let id = f.raw.literal(first[0].id.uuid());
    for change in ["UPDATE messages SET content = 'other'", "DELETE FROM messages"] {
        assert!(f.raw.execute(&format!("{change} WHERE id = {id}")).await.is_err(), "{change}");
    }
}
