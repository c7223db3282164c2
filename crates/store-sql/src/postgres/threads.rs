use async_trait::async_trait;
use sqlx::{AssertSqlSafe, postgres::PgRow};
use toolgate_domain::{
    AgentId, Message, MessageId, Page, RunId, SessionId, TenantId, Thread, ThreadId, Timestamp, ids::Uuid,
};
use toolgate_store::{MessageFilter, StoreError, ThreadFilter, Threads};

use super::{
    Postgres,
    columns::Moment,
    database::refused,
    rows::{as_bigint, as_limit, get, get_count, get_optional_time, get_time, read_all},
};
use crate::codec;

#[async_trait]
impl Threads for Postgres {
    async fn add_thread(&self, thread: &Thread) -> Result<(), StoreError> {
        let mut transaction = self.change_of(thread.tenant_id).await?;
        sqlx::query(
            "INSERT INTO threads (tenant_id, id, session_id, agent_id, title, created_by, created_at, updated_at, archived_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(thread.tenant_id.uuid())
        .bind(thread.id.uuid())
        .bind(thread.session_id.uuid())
        .bind(thread.agent_id.uuid())
        .bind(&thread.title)
        .bind(&thread.created_by)
        .bind(Moment(thread.created_at))
        .bind(Moment(thread.updated_at))
        .bind(thread.archived_at.map(Moment))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }

    async fn thread(&self, tenant: TenantId, id: ThreadId) -> Result<Option<Thread>, StoreError> {
        let found = sqlx::query("SELECT * FROM threads WHERE tenant_id = $1 AND id = $2")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        found.as_ref().map(read_thread).transpose()
    }

    async fn list_threads(
        &self,
        tenant: TenantId,
        filter: &ThreadFilter,
    ) -> Result<Page<Thread>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM threads WHERE tenant_id = $1 AND ($2::text IS NULL OR created_by = $2) AND id < $3
             AND ($4 OR archived_at IS NULL) ORDER BY id DESC LIMIT $5",
        )
        .bind(tenant.uuid())
        .bind(&filter.created_by)
        .bind(filter.before.map_or(Uuid::max(), ThreadId::uuid))
        .bind(filter.with_archived)
        .bind(as_limit(filter.limit.saturating_add(1)))
        .fetch_all(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        let rows = read_all(&rows, read_thread)?;
        Ok(Page::from_overfetch(rows, filter.limit, |last| last.id.to_string()))
    }

    async fn update_thread(&self, thread: &Thread) -> Result<(), StoreError> {
        let mut transaction = self.change_of(thread.tenant_id).await?;
        sqlx::query(
            "UPDATE threads SET title = $3, updated_at = $4, archived_at = $5 WHERE tenant_id = $1 AND id = $2",
        )
        .bind(thread.tenant_id.uuid())
        .bind(thread.id.uuid())
        .bind(&thread.title)
        .bind(Moment(thread.updated_at))
        .bind(thread.archived_at.map(Moment))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }

    async fn add_messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        messages: &[Message],
        drop_from: Option<u64>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.change_of(tenant).await?;
        // The thread's row first: who writes to a thread at the same moment comes after.
        sqlx::query("UPDATE threads SET updated_at = $3 WHERE tenant_id = $1 AND id = $2")
            .bind(tenant.uuid())
            .bind(thread.uuid())
            .bind(Moment(now))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        if let Some(from) = drop_from {
            sqlx::query(
                "UPDATE messages SET dropped_at = $4
                 WHERE tenant_id = $1 AND thread_id = $2 AND seq >= $3 AND dropped_at IS NULL",
            )
            .bind(tenant.uuid())
            .bind(thread.uuid())
            .bind(as_bigint(from))
            .bind(Moment(now))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        }
        for message in messages {
            sqlx::query(
                "INSERT INTO messages (tenant_id, id, thread_id, seq, role, content, run_id, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(tenant.uuid())
            .bind(message.id.uuid())
            .bind(thread.uuid())
            .bind(as_bigint(message.seq))
            .bind(message.role.as_str())
            .bind(&message.content)
            .bind(message.run_id.uuid())
            .bind(Moment(message.created_at))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        }
        transaction.commit().await.map_err(refused)
    }

    async fn messages(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        filter: &MessageFilter,
    ) -> Result<Vec<Message>, StoreError> {
        let order = if filter.newest_first { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT * FROM messages WHERE tenant_id = $1 AND thread_id = $2 AND seq > $3 AND seq < $4
             AND ($5 OR dropped_at IS NULL) ORDER BY seq {order} LIMIT $6"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(tenant.uuid())
            .bind(thread.uuid())
            .bind(as_bigint(filter.after))
            .bind(filter.before.map_or(i64::MAX, as_bigint))
            .bind(filter.with_dropped)
            .bind(as_limit(filter.limit))
            .fetch_all(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        read_all(&rows, read_message)
    }

    async fn message(
        &self,
        tenant: TenantId,
        thread: ThreadId,
        id: MessageId,
    ) -> Result<Option<Message>, StoreError> {
        let found = sqlx::query("SELECT * FROM messages WHERE tenant_id = $1 AND id = $2 AND thread_id = $3")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .bind(thread.uuid())
            .fetch_optional(&mut *self.of(tenant).await?)
            .await
            .map_err(refused)?;
        found.as_ref().map(read_message).transpose()
    }

    async fn thread_of_run(&self, tenant: TenantId, run: RunId) -> Result<Option<ThreadId>, StoreError> {
        let found = sqlx::query(
            "SELECT thread_id FROM messages WHERE tenant_id = $1 AND run_id = $2 AND role = 'user'",
        )
        .bind(tenant.uuid())
        .bind(run.uuid())
        .fetch_optional(&mut *self.of(tenant).await?)
        .await
        .map_err(refused)?;
        found.as_ref().map(|row| get(row, "thread_id").map(ThreadId::from_uuid)).transpose()
    }
}

fn read_thread(row: &PgRow) -> Result<Thread, StoreError> {
    Ok(Thread {
        id: ThreadId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        session_id: SessionId::from_uuid(get(row, "session_id")?),
        agent_id: AgentId::from_uuid(get(row, "agent_id")?),
        title: get(row, "title")?,
        created_by: get(row, "created_by")?,
        created_at: get_time(row, "created_at")?,
        updated_at: get_time(row, "updated_at")?,
        archived_at: get_optional_time(row, "archived_at")?,
    })
}

fn read_message(row: &PgRow) -> Result<Message, StoreError> {
    Ok(Message {
        id: MessageId::from_uuid(get(row, "id")?),
        tenant_id: TenantId::from_uuid(get(row, "tenant_id")?),
        thread_id: ThreadId::from_uuid(get(row, "thread_id")?),
        seq: get_count(row, "seq")?,
        role: codec::parse(&get::<String>(row, "role")?)?,
        content: get(row, "content")?,
        run_id: RunId::from_uuid(get(row, "run_id")?),
        created_at: get_time(row, "created_at")?,
        dropped_at: get_optional_time(row, "dropped_at")?,
    })
}
