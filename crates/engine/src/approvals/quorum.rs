//! Several people must agree: each yes is kept, one per person, until there are enough.

use serde_json::json;
use toolgate_domain::{AuditEvent, Caller, Invocation};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use crate::Engine;

impl Engine {
    /// Keeps a person's yes. `true` once enough people have said it; saying it twice counts once.
    pub(super) async fn vote(
        &self,
        caller: &Caller,
        row: &Invocation,
        quorum: u32,
    ) -> Result<bool, StoreError> {
        let person = caller.principal.to_string();
        let now = self.clock.now();
        let vote = Record {
            tenant_id: row.tenant_id,
            kind: Kind::Vote,
            id: self.ids.uuid(),
            name: format!("{}/{person}", row.id),
            body: json!({"invocation_id": row.id, "by": person, "digest": row.approval_digest()}),
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "approval.vote", row.id)
            .to(json!({"digest": row.approval_digest(), "quorum": quorum}));
        match self.stores.records.commit(row.tenant_id, vec![RecordWrite::Insert(vote)], vec![event]).await {
            Ok(()) | Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
        let mut agreed = 0;
        for person in self.votes(row).await?.iter().filter_map(|vote| vote.parse().ok()) {
            // Somebody who lost the right since does not count any more.
            agreed += u32::from(self.may_still_decide(row.tenant_id, person).await?);
        }
        Ok(agreed >= quorum)
    }

    /// Who has said yes so far.
    pub async fn votes(&self, row: &Invocation) -> Result<Vec<String>, StoreError> {
        let prefix = format!("{}/", row.id);
        let votes = self.stores.records.named(row.tenant_id, Kind::Vote, &prefix).await?;
        Ok(votes.into_iter().filter_map(|vote| Some(vote.name.strip_prefix(&prefix)?.to_owned())).collect())
    }
}
