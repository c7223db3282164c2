use async_trait::async_trait;
use toolgate_domain::{InvocationId, TenantId, governance::ActionCaps};
use toolgate_store::{ActionPlace, Actions, Admission, StoreError};

use super::{Postgres, columns::Moment, database::refused};
use crate::days::{day_of, oldest_day};

/// Places of an agent's day, as many as a cap needs to know of.
const COUNT: &str = "SELECT count(*) FROM (
         SELECT FROM agent_action_places p
         WHERE tenant_id = $1 AND agent_id = $2 AND day = $3 AND ($4::text IS NULL OR kind = $4)
           AND NOT EXISTS (SELECT FROM tool_invocations i WHERE i.tenant_id = p.tenant_id AND i.id = p.invocation_id
             AND i.status IN ('failed', 'cancelled'))
         LIMIT $5) counted";

#[async_trait]
impl Actions for Postgres {
    async fn take_place(&self, place: &ActionPlace, caps: ActionCaps) -> Result<Admission, StoreError> {
        let (tenant, agent) = (place.tenant_id.uuid(), place.agent_id.uuid());
        let (id, day) = (place.invocation_id.uuid(), day_of(place.taken_at));
        let mut transaction = self.change_of(place.tenant_id).await?;
        // Until this transaction ends, nobody else takes a place for the agent. The other half of the lock's key is "actn".
        sqlx::query("SELECT pg_advisory_xact_lock(1633907822, hashtext($1))")
            .bind(agent.to_string())
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        let known: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT FROM agent_action_places WHERE tenant_id = $1 AND invocation_id = $2)",
        )
        .bind(tenant)
        .bind(id)
        .fetch_one(&mut *transaction)
        .await
        .map_err(refused)?;
        if known {
            return Ok(Admission::Taken);
        }
        let kinds = [
            (caps.of_kind, Some(place.kind.as_str()), Admission::FullForKind),
            (caps.of_all, None, Admission::FullForAll),
        ];
        for (cap, kind, full) in kinds {
            let Some(cap) = cap else { continue };
            let cap = i64::try_from(cap).unwrap_or(i64::MAX);
            let counted: i64 = sqlx::query_scalar(COUNT)
                .bind(tenant)
                .bind(agent)
                .bind(&day)
                .bind(kind)
                .bind(cap)
                .fetch_one(&mut *transaction)
                .await
                .map_err(refused)?;
            if counted >= cap {
                return Ok(full);
            }
        }
        sqlx::query("DELETE FROM agent_action_places WHERE tenant_id = $1 AND agent_id = $2 AND day < $3")
            .bind(tenant)
            .bind(agent)
            .bind(oldest_day(place.taken_at))
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        sqlx::query(
            "INSERT INTO agent_action_places (tenant_id, invocation_id, agent_id, kind, day, taken_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(tenant)
        .bind(id)
        .bind(agent)
        .bind(&place.kind)
        .bind(&day)
        .bind(Moment(place.taken_at))
        .execute(&mut *transaction)
        .await
        .map_err(refused)?;
        transaction.commit().await.map_err(refused)?;
        Ok(Admission::Taken)
    }

    async fn give_place_back(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        let mut transaction = self.change_of(tenant).await?;
        sqlx::query("DELETE FROM agent_action_places WHERE tenant_id = $1 AND invocation_id = $2")
            .bind(tenant.uuid())
            .bind(id.uuid())
            .execute(&mut *transaction)
            .await
            .map_err(refused)?;
        transaction.commit().await.map_err(refused)
    }
}
