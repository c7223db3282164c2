//! What a server offers is held against the locks of its tools.

use std::collections::{BTreeMap, BTreeSet};

use toolgate_domain::{
    AuditEvent, Caller, Principal, Timestamp, ToolError,
    governance::{
        LockState, Sighting, ToolLock, Upstream, UpstreamState, UpstreamStatus, UpstreamTool, imported_name,
        is_below_hints, keeps_name, notes,
    },
};

use super::{Upstreams, ask::Heard, offer, shelf::Shelf};
use crate::RuleError;

/// How often another process may change the documents meanwhile.
const MAX_TRIES: usize = 4;
const MAX_ERROR_CHARS: usize = 1_000;

/// A tool whose state is another than before.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// By the server's own word.
    pub tool: String,
    pub name: String,
    /// Absent when it was not known.
    pub from: Option<LockState>,
    pub to: LockState,
    pub problem: Option<String>,
}

/// What became of asking a server.
#[derive(Clone, Debug)]
pub struct Refreshed {
    pub upstream: Upstream,
    pub moved: Vec<Moved>,
    /// Why it could not be asked. What was imported stays.
    pub error: Option<ToolError>,
}

impl Upstreams<'_> {
    /// Asks a server for its tools. The first time that somebody does, they take in what they are shown, unless they want to `review`
    /// it; whatever comes later waits to be accepted.
    pub async fn import(
        &self,
        caller: &Caller,
        reference: &str,
        review: bool,
    ) -> Result<Refreshed, RuleError> {
        if caller.agent_id.is_some() {
            return Err(RuleError::Forbidden("an agent cannot import tools: a person must".to_owned()));
        }
        let upstream = self.shelf(caller.tenant_id, reference).await?.upstream;
        if !upstream.enabled {
            return Err(RuleError::Conflict(format!("the MCP server `{}` is switched off", upstream.name)));
        }
        self.ask_and_keep(caller, &upstream, review).await
    }

    pub(super) async fn ask_and_keep(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        review: bool,
    ) -> Result<Refreshed, RuleError> {
        let asked_at = self.engine.clock.now();
        let heard = self.ask(caller, upstream).await?;
        let id = upstream.id.to_string();
        for _ in 0..MAX_TRIES {
            let _changing = self.engine.upstream_desk.changing.lock().await;
            let shelf = self.shelf(caller.tenant_id, &id).await?;
            // Somebody asked later and heard already.
            if shelf.upstream.status.asked_at.is_some_and(|at| at > asked_at) {
                return Ok(Refreshed { upstream: shelf.upstream, moved: Vec::new(), error: heard.err() });
            }
            match self.hear(caller, &shelf, &heard, asked_at, review).await {
                Err(RuleError::Conflict(_)) => {}
                done => return done,
            }
        }
        Err(RuleError::Conflict("somebody else changes this MCP server all the time: try again".to_owned()))
    }

    /// Keeps what was heard. The caller holds `changing`.
    async fn hear(
        &self,
        caller: &Caller,
        shelf: &Shelf,
        heard: &Heard,
        asked_at: Timestamp,
        review: bool,
    ) -> Result<Refreshed, RuleError> {
        let mut upstream = shelf.upstream.clone();
        let offer = match heard {
            Ok(offer) => offer,
            Err(error) => {
                let is_open = error.details.as_ref().is_some_and(|details| details["reason"] == "open");
                upstream.status = UpstreamStatus {
                    state: if is_open { UpstreamState::Open } else { UpstreamState::Failing },
                    last_error: Some(short(&format!("{}: {}", error.code, error.message))),
                    asked_at: Some(asked_at),
                    ..upstream.status
                };
                let upstream = self.keep(shelf, upstream, Vec::new(), Vec::new()).await?;
                return Ok(Refreshed { upstream, moved: Vec::new(), error: Some(error.clone()) });
            }
        };
        let known: BTreeSet<&str> = shelf.locks().map(|lock| &*lock.tool).collect();
        let seen = offer::seen(offer.tools.clone(), &known, &self.engine.limits);
        let is_person = caller.principal != Principal::System;
        let takes_in = upstream.imported_at.is_none() && is_person && !review;
        let locks = self.locks_after(caller, shelf, seen.tools, takes_in).await?;
        if is_person {
            upstream.imported_at.get_or_insert(asked_at);
        }
        upstream.status = UpstreamStatus {
            state: UpstreamState::Healthy,
            server: Some(short(&offer.server)),
            revision: Some(short(&offer.revision)),
            last_error: seen.complaint,
            last_seen_at: Some(asked_at),
            asked_at: Some(asked_at),
        };
        let moved = moved(shelf, &locks);
        let events = self.events(caller, &upstream, &moved);
        let upstream = self.keep(shelf, upstream, locks, events).await?;
        Ok(Refreshed { upstream, moved, error: None })
    }

    async fn locks_after(
        &self,
        caller: &Caller,
        shelf: &Shelf,
        mut seen: BTreeMap<String, Sighting>,
        takes_in: bool,
    ) -> Result<Vec<ToolLock>, RuleError> {
        let (upstream, now) = (&shelf.upstream, self.engine.clock.now());
        let mut locks = Vec::new();
        let mut taken: BTreeSet<String> = shelf.locks().map(|lock| lock.name.clone()).collect();
        for lock in shelf.locks() {
            let sighting = seen.remove(&lock.tool).unwrap_or(Sighting::Absent);
            let sighting = self.judged(caller, upstream, lock, sighting).await?;
            locks.push(lock.clone().after(sighting, now));
        }
        // Whoever keeps their name has it before those whose name has to be changed.
        let mut fresh: Vec<_> = seen.into_iter().collect();
        fresh.sort_by_key(|(own, _)| (!keeps_name(&upstream.prefix, own), own.clone()));
        for (own, sighting) in fresh {
            let name = imported_name(&upstream.prefix, &own, &taken);
            let lock = ToolLock::fresh(upstream.id, &own, &name);
            let sighting = if taken.insert(name) {
                self.judged(caller, upstream, &lock, sighting).await?
            } else {
                Sighting::Unusable("another tool of the server has its name".to_owned())
            };
            let mut lock = lock.after(sighting, now);
            if takes_in {
                lock = self.taken_in(caller, upstream, lock).await?;
            }
            locks.push(lock);
        }
        Ok(locks)
    }

    /// What can be seen and could not be registered is not usable.
    async fn judged(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        lock: &ToolLock,
        sighting: Sighting,
    ) -> Result<Sighting, RuleError> {
        let Sighting::Sound { definition, digest } = sighting else { return Ok(sighting) };
        let known = [lock.accepted.as_ref().map(|it| &it.digest), lock.pending.as_ref().map(|it| &it.digest)];
        if known.contains(&Some(&digest)) {
            return Ok(Sighting::Sound { definition, digest });
        }
        Ok(match self.usable(caller, upstream, &lock.name, &definition).await? {
            Ok(()) => Sighting::Sound { definition, digest },
            Err(problem) => Sighting::Unusable(short(&problem)),
        })
    }

    /// Accepts a new tool for the one who imports, unless there is something in it that they cannot see, or its class is below what it
    /// says of itself: whoever named the class did not know.
    async fn taken_in(
        &self,
        caller: &Caller,
        upstream: &Upstream,
        mut lock: ToolLock,
    ) -> Result<ToolLock, RuleError> {
        let class = upstream.rule(&lock.tool).0;
        let is_plain = |definition: &UpstreamTool| {
            notes(definition).is_empty() && !is_below_hints(class, definition.annotations)
        };
        let Some(pending) = lock.pending.clone().filter(|pending| is_plain(&pending.definition)) else {
            return Ok(lock);
        };
        match self.publish(caller, upstream, &lock.name, &pending.definition).await? {
            Ok(version) => {
                let by = caller.principal.to_string();
                let accepted = lock.clone().accepting(&pending.digest, &by, self.engine.clock.now());
                lock = ToolLock { version: Some(version), ..accepted.unwrap_or(lock) };
            }
            Err(problem) => {
                lock = lock.after(Sighting::Unusable(short(&problem)), self.engine.clock.now());
            }
        }
        Ok(lock)
    }

    fn events(&self, caller: &Caller, upstream: &Upstream, moved: &[Moved]) -> Vec<AuditEvent> {
        let of = |moved: &Moved| {
            let action = format!("mcp_tool.{}", moved.to.as_str());
            let event = self.told(caller, &action, format!("{}/{}", upstream.name, moved.tool));
            event.from(moved.from.map(LockState::as_str)).to(moved.to.as_str())
        };
        moved.iter().map(of).collect()
    }
}

fn moved(shelf: &Shelf, locks: &[ToolLock]) -> Vec<Moved> {
    let of = |lock: &ToolLock| {
        let from = shelf.lock(&lock.tool).map(|old| old.state);
        (from != Some(lock.state)).then(|| Moved {
            tool: lock.tool.clone(),
            name: lock.name.clone(),
            from,
            to: lock.state,
            problem: lock.problem.clone(),
        })
    };
    locks.iter().filter_map(of).collect()
}

fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(MAX_ERROR_CHARS).collect()
}
