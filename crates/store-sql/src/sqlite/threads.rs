use async_trait::async_trait;
use rusqlite::{Row, named_params, params};
use toolgate_domain::{
    AgentId, Message, MessageId, Page, RunId, SessionId, TenantId, Thread, ThreadId, Timestamp,
};
use toolgate_store::{MessageFilter, StoreError, ThreadFilter, Threads};

use super::{
    Sqlite,
    database::refused,
    rows::{get_optional_text, get_optional_time, get_text, get_time, get_uuid, query},
};
use crate::codec;

#[async_trait]
impl Threads for Sqlite {
    async fn add_thread(&self, thread: &Thread) -> Result<(), StoreError> {
        let thread = thread.clone();
        self.writer
            .run(move |connection| {
                let sql = "INSERT INTO threads (tenant_id, id, session_id, agent_id, title, created_by, created_at, updated_at,
                     archived_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
                let given = params![
                    thread.tenant_id.uuid().into_bytes(),
                    thread.id.uuid().into_bytes(),
                    thread.session_id.uuid().into_bytes(),
                    thread.agent_id.uuid().into_bytes(),
                    thread.title,
                    thread.created_by,
                    thread.created_at.as_micros(),
                    thread.updated_at.as_micros(),
                    thread.archived_at.map(Timestamp::as_micros),
                ];
                connection.execute(sql, given).map(drop).map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn thread(&self, tenant: TenantId, id: ThreadId) -> Result<Option<Thread>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM threads WHERE tenant_id = ?1 AND id = ?2";
                let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
                Ok(query(connection, sql, key, read_thread)?.pop())
            })
            .await
    }

    async fn list_threads(
        &self,
        tenant: TenantId,
        filter: &ThreadFilter,
    ) -> Result<Page<Thread>, StoreError> {
        let filter = filter.clone();
        self.readers
            .run(move |connection| {
                let whose = match filter.created_by {
                    Some(_) => "created_by = :by",
                    None => ":by IS NULL",
                };
                let sql = format!(
                    "SELECT * FROM threads WHERE tenant_id = :tenant AND {whose} AND id < :before
                     AND (:archived OR archived_at IS NULL) ORDER BY id DESC LIMIT :limit"
                );
                let given = named_params! {
                    ":tenant": tenant.uuid().into_bytes(),
                    ":by": filter.created_by,
                    ":before": filter.before.map_or([0xff; 16], |id| id.uuid().into_bytes()),
                    ":archived": filter.with_archived,
                    ":limit": i64::try_from(filter.limit + 1).unwrap_or(i64::MAX),
                };
                let rows = query(connection, &sql, given, read_thread)?;
                Ok(Page::from_overfetch(rows, filter.limit, |last| last.id.to_string()))
            })
            .await
    }

    async fn update_thread(&self, thread: &Thread) -> Result<(), StoreError> {
        let thread = thread.clone();
        self.writer
            .run(move |connection| {
                let sql = "UPDATE threads SET title = ?3, updated_at = ?4, archived_at = ?5 WHERE tenant_id = ?1 AND id = ?2";
                let given = params![
                    thread.tenant_id.uuid().into_bytes(),
                    thread.id.uuid().into_bytes(),
                    thread.title,
                    thread.updated_at.as_micros(),
                    thread.archived_at.map(Timestamp::as_micros),
                ];
                connection.execute(sql, given).map(drop).map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn add_messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        messages: &[Message],
        drop_from: Option<u64>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let messages = messages.to_vec();
        self.writer
            .run(move |connection| {
                let (tenant, thread) = (tenant.uuid().into_bytes(), thread.uuid().into_bytes());
                if let Some(from) = drop_from {
                    let sql = "UPDATE messages SET dropped_at = ?4
                         WHERE tenant_id = ?1 AND thread_id = ?2 AND seq >= ?3 AND dropped_at IS NULL";
                    let given = params![tenant, thread, from.cast_signed(), now.as_micros()];
                    connection.execute(sql, given).map_err(refused)?;
                }
                for message in &messages {
                    let sql = "INSERT INTO messages (tenant_id, id, thread_id, seq, role, content, run_id, created_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
                    let given = params![
                        tenant,
                        message.id.uuid().into_bytes(),
                        thread,
                        message.seq.cast_signed(),
                        message.role.as_str(),
                        message.content,
                        message.run_id.uuid().into_bytes(),
                        message.created_at.as_micros(),
                    ];
                    connection.execute(sql, given).map_err(refused)?;
                }
                let sql = "UPDATE threads SET updated_at = ?3 WHERE tenant_id = ?1 AND id = ?2";
                connection.execute(sql, params![tenant, thread, now.as_micros()]).map(drop).map_err(refused)
            })
            .await?;
        Ok(())
    }

    async fn messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        filter: &MessageFilter,
    ) -> Result<Vec<Message>, StoreError> {
        let filter = *filter;
        self.readers
            .run(move |connection| {
                let order = if filter.newest_first { "DESC" } else { "ASC" };
                let sql = format!(
                    "SELECT * FROM messages WHERE tenant_id = ?1 AND thread_id = ?2 AND seq > ?3 AND seq < ?4
                     AND (?5 OR dropped_at IS NULL) ORDER BY seq {order} LIMIT ?6"
                );
                let given = params![
                    tenant.uuid().into_bytes(),
                    thread.uuid().into_bytes(),
                    filter.after.cast_signed(),
                    filter.before.map_or(i64::MAX, u64::cast_signed),
                    filter.with_dropped,
                    i64::try_from(filter.limit).unwrap_or(i64::MAX),
                ];
                query(connection, &sql, given, read_message)
            })
            .await
    }

    async fn message(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        id: MessageId,
    ) -> Result<Option<Message>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql = "SELECT * FROM messages WHERE tenant_id = ?1 AND id = ?2 AND thread_id = ?3";
                let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes(), thread.uuid().into_bytes());
                Ok(query(connection, sql, key, read_message)?.pop())
            })
            .await
    }

    async fn thread_of_run(&self, tenant: TenantId, run: RunId) -> Result<Option<ThreadId>, StoreError> {
        self.readers
            .run(move |connection| {
                let sql =
                    "SELECT thread_id FROM messages WHERE tenant_id = ?1 AND run_id = ?2 AND role = 'user'";
                let key = (tenant.uuid().into_bytes(), run.uuid().into_bytes());
                Ok(query(connection, sql, key, |row| get_uuid(row, "thread_id").map(ThreadId::from_uuid))?
                    .pop())
            })
            .await
    }
}

fn read_thread(row: &Row<'_>) -> Result<Thread, StoreError> {
    Ok(Thread {
        id: ThreadId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get_uuid(row, "session_id")?),
        agent_id: AgentId::from_uuid(get_uuid(row, "agent_id")?),
        title: get_optional_text(row, "title")?,
        created_by: get_text(row, "created_by")?,
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
        archived_at: get_optional_time(row, "archived_at")?,
    })
}

fn read_message(row: &Row<'_>) -> Result<Message, StoreError> {
    Ok(Message {
        id: MessageId::from_uuid(get_uuid(row, "id")?),
        tenant_id: TenantId::from_uuid(get_uuid(row, "tenant_id")?),
        thread_id: ThreadId::from_uuid(get_uuid(row, "thread_id")?),
        seq: row.get::<_, i64>("seq").map_err(refused)?.cast_unsigned(),
        role: codec::parse(&get_text(row, "role")?)?,
        content: get_optional_text(row, "content")?,
        run_id: RunId::from_uuid(get_uuid(row, "run_id")?),
        created_at: get_time(row, "created_at")?,
        dropped_at: get_optional_time(row, "dropped_at")?,
    })
}
