//! Servers are asked again now and then, at a start, and when they say that their tools changed. One process at a time asks.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use futures::{StreamExt, stream};
use toolgate_domain::{
    Caller, TenantId, Timestamp, UpstreamId,
    governance::{OauthOwner, Upstream},
};

use super::Upstreams;
use crate::{Engine, RuleError};

/// How long a process waits before it looks again who is due.
const MAX_PAUSE_MS: u64 = 30_000;
/// How often one asks once more because somebody wanted it meanwhile; the next comes when it is due.
const MAX_AGAIN: usize = 3;
/// Servers of one tenant that are asked at a time.
const MAX_AT_ONCE: usize = 8;
/// A start does not ask again who was asked just now, by a neighbour or before the restart.
const JUST_NOW_MS: i64 = 10_000;

impl Engine {
    pub(crate) fn keep_upstreams_fresh(self: &Arc<Self>) {
        if self.upstream_desk.source.is_none() {
            return;
        }
        let pause = (self.limits.mcp_refresh_s.saturating_mul(250)).clamp(250, MAX_PAUSE_MS);
        tokio::spawn(watch(Arc::downgrade(self), Duration::from_millis(pause)));
    }

    /// A server said that its tools changed. By id or by name; one that nobody imported from yet is left alone.
    pub async fn refresh_upstream(&self, tenant: TenantId, reference: &str) -> Result<(), RuleError> {
        let Some(tenant) =
            self.stores.tenants.get(tenant).await?.filter(|tenant| tenant.archived_at.is_none())
        else {
            return Ok(());
        };
        let caller = Caller::system(tenant.id, &tenant.slug);
        let upstream = self.upstreams().find(&caller, reference).await?;
        if is_kept_fresh(&upstream) {
            self.upstreams().refresh(&caller, upstream).await?;
        }
        Ok(())
    }
}

impl Upstreams<'_> {
    /// Asks every server that was last asked so many milliseconds ago, and tells how many were asked.
    pub async fn refresh_due(&self, older_than_ms: i64) -> Result<usize, RuleError> {
        let due = |at: Timestamp| at.plus_ms(older_than_ms) <= self.engine.clock.now();
        let mut asked = 0;
        for tenant in self.engine.stores.tenants.list().await? {
            if tenant.archived_at.is_some() || self.engine.is_stopping() {
                continue;
            }
            let caller = Caller::system(tenant.id, &tenant.slug);
            let mut all = self.list(&caller).await?;
            all.retain(|one| is_kept_fresh(one) && one.status.asked_at.is_none_or(due));
            // One that answers slowly does not keep the others waiting.
            let mut answers =
                stream::iter(all).map(|one| self.refresh(&caller, one)).buffer_unordered(MAX_AT_ONCE);
            while let Some(answer) = answers.next().await {
                asked += usize::from(answer?);
            }
        }
        Ok(asked)
    }

    /// Asks a server unless it is being asked; then it is asked once more. `false` when another process took it.
    async fn refresh(&self, caller: &Caller, upstream: Upstream) -> Result<bool, RuleError> {
        let key = (caller.tenant_id, upstream.id);
        if !self.engine.upstream_desk.begin(key) {
            return Ok(false);
        }
        let asked = self.refresh_in_turn(caller, upstream, key).await;
        self.engine.upstream_desk.leave(key);
        asked
    }

    async fn refresh_in_turn(
        &self,
        caller: &Caller,
        mut upstream: Upstream,
        key: (TenantId, UpstreamId),
    ) -> Result<bool, RuleError> {
        for _ in 0..MAX_AGAIN {
            if !self.claim(caller, &upstream).await? {
                return Ok(false);
            }
            let refreshed = self.ask_and_keep(caller, &upstream, true).await?;
            upstream = refreshed.upstream;
            if let Some(error) = refreshed.error {
                tracing::warn!(server = %upstream.name, tenant = %caller.tenant_id, %error, "an MCP server cannot be asked");
            }
            for moved in refreshed.moved {
                tracing::info!(server = %upstream.name, tool = %moved.tool, state = moved.to.as_str(), "a tool of an MCP server changed");
            }
            if !self.engine.upstream_desk.again(key) {
                break;
            }
        }
        Ok(true)
    }

    /// Writes down that it is asked now. Whoever wrote first asks.
    async fn claim(&self, caller: &Caller, upstream: &Upstream) -> Result<bool, RuleError> {
        let _changing = self.engine.upstream_desk.changing.lock().await;
        let shelf = match self.shelf(caller.tenant_id, &upstream.id.to_string()).await {
            Ok(shelf) => shelf,
            // It was removed meanwhile.
            Err(RuleError::NotFound(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        if shelf.upstream.status.asked_at > upstream.status.asked_at {
            return Ok(false);
        }
        let mut claimed = shelf.upstream.clone();
        claimed.status.asked_at = Some(self.engine.clock.now());
        match self.keep(&shelf, claimed, Vec::new(), Vec::new()).await {
            Ok(_) => Ok(true),
            Err(RuleError::Conflict(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Whether anybody keeps its tools fresh: not before a person took them in.
fn is_kept_fresh(upstream: &Upstream) -> bool {
    // Where each person logs in for themselves, there is no login to ask with when nobody is there.
    let by_people = upstream
        .login_secret()
        .and(upstream.oauth.as_ref())
        .is_some_and(|oauth| oauth.per == OauthOwner::User);
    upstream.enabled && upstream.imported_at.is_some() && !by_people
}

async fn watch(engine: Weak<Engine>, pause: Duration) {
    let mut older_than_ms = JUST_NOW_MS;
    loop {
        let Some(engine) = engine.upgrade().filter(|engine| !engine.is_stopping()) else { return };
        if let Err(error) = engine.upstreams().refresh_due(older_than_ms).await {
            tracing::error!(%error, "the MCP servers of others cannot be kept fresh");
        }
        older_than_ms = i64::try_from(engine.limits.mcp_refresh_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
        drop(engine);
        tokio::time::sleep(pause).await;
    }
}
