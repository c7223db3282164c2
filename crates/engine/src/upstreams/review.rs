//! What people say to what a server offers.

use toolgate_domain::{
    Caller,
    governance::{ToolLock, Upstream, UpstreamChange, below_hints, changes, is_below_hints, notes},
};

use super::{Upstreams, manage::may_manage, shelf::Shelf};
use crate::RuleError;

/// A tool of a server, with what changed since it was accepted.
#[derive(Clone, Debug)]
pub struct Reviewed {
    pub lock: ToolLock,
    /// The strictest first. Of a tool that nobody accepted yet: what a reader would not see.
    pub changes: Vec<UpstreamChange>,
    /// Its class promises less than the tool says of itself, whoever agreed to that.
    pub class_below_hints: bool,
}

impl Reviewed {
    fn of(upstream: &Upstream, lock: &ToolLock) -> Self {
        let mut changes = match (&lock.accepted, &lock.pending) {
            (Some(accepted), Some(pending)) => changes(&accepted.definition, &pending.definition),
            (None, Some(pending)) => notes(&pending.definition),
            (_, None) => Vec::new(),
        };
        let class = upstream.rule(&lock.tool).0;
        if let Some(pending) = &lock.pending {
            changes.extend(below_hints(class, pending.definition.annotations));
            changes.sort();
        }
        let pending = lock.pending.as_ref().map(|pending| pending.definition.annotations);
        let hints =
            pending.or_else(|| lock.accepted.as_ref().map(|accepted| accepted.definition.annotations));
        let class_below_hints = hints.is_some_and(|hints| is_below_hints(class, hints));
        Self { lock: lock.clone(), changes, class_below_hints }
    }
}

impl Upstreams<'_> {
    /// Every tool that the server offers or offered, by its own name.
    pub async fn tools(
        &self,
        caller: &Caller,
        reference: &str,
    ) -> Result<(Upstream, Vec<Reviewed>), RuleError> {
        let shelf = self.shelf(caller.tenant_id, reference).await?;
        let tools = shelf.locks().map(|lock| Reviewed::of(&shelf.upstream, lock)).collect();
        Ok((shelf.upstream, tools))
    }

    /// Agrees to the definition with this digest: from now on the tool is called as it says. It gets its next version.
    pub async fn accept(
        &self,
        caller: &Caller,
        reference: &str,
        tool: &str,
        digest: &str,
    ) -> Result<Reviewed, RuleError> {
        may_manage(caller)?;
        let _changing = self.engine.upstream_desk.changing.lock().await;
        let shelf = self.shelf(caller.tenant_id, reference).await?;
        let lock = found(&shelf, tool)?;
        let now = self.engine.clock.now();
        let accepted = lock.clone().accepting(digest, &caller.principal.to_string(), now);
        let mut accepted = accepted.ok_or_else(|| stale(lock))?;
        let Some(definition) = accepted.accepted.as_ref().map(|accepted| &accepted.definition) else {
            return Err(stale(lock));
        };
        let published = self.publish(caller, &shelf.upstream, &lock.name, definition).await?;
        accepted.version = Some(published.map_err(RuleError::Conflict)?);
        self.settle(caller, &shelf, "mcp_tool.accept", accepted, digest).await
    }

    /// Says no to the definition with this digest. The tool stays shut until the server offers something else.
    pub async fn reject(
        &self,
        caller: &Caller,
        reference: &str,
        tool: &str,
        digest: &str,
    ) -> Result<Reviewed, RuleError> {
        may_manage(caller)?;
        let _changing = self.engine.upstream_desk.changing.lock().await;
        let shelf = self.shelf(caller.tenant_id, reference).await?;
        let lock = found(&shelf, tool)?;
        let rejected = lock.clone().rejecting(digest, &caller.principal.to_string());
        let rejected = rejected.ok_or_else(|| stale(lock))?;
        self.settle(caller, &shelf, "mcp_tool.reject", rejected, digest).await
    }

    async fn settle(
        &self,
        caller: &Caller,
        shelf: &Shelf,
        action: &str,
        lock: ToolLock,
        digest: &str,
    ) -> Result<Reviewed, RuleError> {
        let old = shelf.lock(&lock.tool).map(|old| old.accepted.as_ref().map(|accepted| &accepted.digest));
        let target = format!("{}/{}", shelf.upstream.name, lock.tool);
        let event = self.told(caller, action, target).from(old).to(digest);
        let reviewed = Reviewed::of(&shelf.upstream, &lock);
        self.keep(shelf, shelf.upstream.clone(), vec![lock], vec![event]).await?;
        Ok(reviewed)
    }
}

fn found<'a>(shelf: &'a Shelf, tool: &str) -> Result<&'a ToolLock, RuleError> {
    let shown: String = tool.chars().take(64).collect();
    let missing =
        || RuleError::NotFound(format!("the MCP server `{}` has no tool `{shown}`", shelf.upstream.name));
    shelf.find(tool).ok_or_else(missing)
}

/// The definition is not the one that somebody looked at.
fn stale(lock: &ToolLock) -> RuleError {
    RuleError::Conflict(match &lock.pending {
        Some(pending) => format!(
            "`{}` changed again since you looked at it: its digest is {} now; look at the difference once more",
            lock.tool, pending.digest
        ),
        None => format!("nothing about `{}` waits for anybody: it is {}", lock.tool, lock.state.as_str()),
    })
}
