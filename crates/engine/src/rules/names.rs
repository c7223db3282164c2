//! What people call those who act. A name is no secret within a tenant: whoever sees an id in a record may know whose it is.

use toolgate_domain::{
    AgentId, Principal, TenantId,
    governance::{User, Webhook},
};
use toolgate_store::{Kind, StoreError};

use super::Rules;

impl Rules {
    /// The names of those who are known here, whatever became of them since; of the others, nothing.
    pub async fn names(
        &self,
        tenant: TenantId,
        principals: &[Principal],
    ) -> Result<Vec<(Principal, String)>, StoreError> {
        let rules = self.snapshot(tenant).await?;
        let mut keys = None;
        let mut named = Vec::with_capacity(principals.len());
        for principal in principals {
            let name = match principal {
                Principal::System => Some("Toolgate".to_owned()),
                Principal::Agent(id) => rules.agents.get(id).map(|known| known.agent.display_name.clone()),
                Principal::User(id) => {
                    self.read::<User>(tenant, Kind::User, id.uuid()).await?.map(|user| user.value.name)
                }
                Principal::Webhook(id) => {
                    self.read::<Webhook>(tenant, Kind::Webhook, id.uuid()).await?.map(|hook| hook.value.name)
                }
                Principal::Key(id) => {
                    let all = match &mut keys {
                        Some(all) => all,
                        none => none.insert(self.stores.keys.list(tenant).await?),
                    };
                    all.iter().find(|key| key.id == *id).map(|key| key.name.clone())
                }
            };
            named.extend(name.map(|name| (*principal, name)));
        }
        Ok(named)
    }

    /// The agent that a record speaks of, by id or by handle.
    pub async fn agent_named(
        &self,
        tenant: TenantId,
        reference: &str,
    ) -> Result<Option<AgentId>, StoreError> {
        let rules = self.snapshot(tenant).await?;
        Ok(match reference.parse() {
            Ok(id) => rules.agents.contains_key(&id).then_some(id),
            Err(_) => rules.with_handle(reference),
        })
    }
}
