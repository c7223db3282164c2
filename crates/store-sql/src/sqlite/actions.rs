use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension, params};
use toolgate_domain::{InvocationId, TenantId, governance::ActionCaps};
use toolgate_store::{ActionPlace, Actions, Admission, StoreError};

use super::{Sqlite, database::refused};
use crate::days::{day_of, oldest_day};

/// Places of an agent's day, as many as a cap needs to know of.
const COUNT: &str = "SELECT count(*) FROM (
         SELECT 1 FROM agent_action_places p
         WHERE tenant_id = ?1 AND agent_id = ?2 AND day = ?3 AND (?4 IS NULL OR kind = ?4)
           AND NOT EXISTS (SELECT 1 FROM tool_invocations i WHERE i.tenant_id = p.tenant_id AND i.id = p.invocation_id
             AND i.status IN ('failed', 'cancelled'))
         LIMIT ?5)";

#[async_trait]
impl Actions for Sqlite {
    async fn take_place(&self, place: &ActionPlace, caps: ActionCaps) -> Result<Admission, StoreError> {
        let place = place.clone();
        // One writer: between counting and taking nobody else takes.
        Ok(self.writer.run(move |connection| take(connection, &place, caps)).await?)
    }

    async fn give_place_back(&self, tenant: TenantId, id: InvocationId) -> Result<(), StoreError> {
        let given_back = self.writer.run(move |connection| {
            let sql = "DELETE FROM agent_action_places WHERE tenant_id = ?1 AND invocation_id = ?2";
            let key = (tenant.uuid().into_bytes(), id.uuid().into_bytes());
            connection.prepare_cached(sql).and_then(|mut statement| statement.execute(key)).map_err(refused)
        });
        given_back.await?;
        Ok(())
    }
}

fn take(connection: &Connection, place: &ActionPlace, caps: ActionCaps) -> Result<Admission, StoreError> {
    let (tenant, agent) = (place.tenant_id.uuid().into_bytes(), place.agent_id.uuid().into_bytes());
    let (id, day) = (place.invocation_id.uuid().into_bytes(), day_of(place.taken_at));
    let known = "SELECT 1 FROM agent_action_places WHERE tenant_id = ?1 AND invocation_id = ?2";
    let mut statement = connection.prepare_cached(known).map_err(refused)?;
    if statement.query_row((tenant, id), |_| Ok(())).optional().map_err(refused)?.is_some() {
        return Ok(Admission::Taken);
    }
    let kinds = [
        (caps.of_kind, Some(place.kind.as_str()), Admission::FullForKind),
        (caps.of_all, None, Admission::FullForAll),
    ];
    for (cap, kind, full) in kinds {
        let Some(cap) = cap else { continue };
        let cap = i64::try_from(cap).unwrap_or(i64::MAX);
        let mut statement = connection.prepare_cached(COUNT).map_err(refused)?;
        let counted: i64 =
            statement.query_row(params![tenant, agent, day, kind, cap], |row| row.get(0)).map_err(refused)?;
        if counted >= cap {
            return Ok(full);
        }
    }
    let forget = "DELETE FROM agent_action_places WHERE tenant_id = ?1 AND agent_id = ?2 AND day < ?3";
    let oldest = oldest_day(place.taken_at);
    connection
        .prepare_cached(forget)
        .and_then(|mut statement| statement.execute((tenant, agent, oldest)))
        .map_err(refused)?;
    let keep = "INSERT INTO agent_action_places (tenant_id, invocation_id, agent_id, kind, day, taken_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    connection
        .prepare_cached(keep)
        .and_then(|mut statement| {
            statement.execute(params![tenant, id, agent, place.kind, day, place.taken_at.as_micros()])
        })
        .map_err(refused)?;
    Ok(Admission::Taken)
}
