//! Telling clients of what changes at upstreams: lists of prompts and resources, and the resources that they watch.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures::{StreamExt, stream::FuturesUnordered};
use rmcp::{
    ErrorData, RoleServer,
    model::{ErrorCode as RpcCode, ResourceUpdatedNotificationParam},
    service::{Peer, SubscriptionContext},
};
use serde_json::json;
use tokio::{sync::broadcast, task::AbortHandle};
use toolgate_domain::{Caller, Surface, Timestamp, ToolError, UpstreamId, governance::Upstream};
use toolgate_engine::{Engine, ResourceWatch, UpstreamList, UpstreamNews};

use super::{
    Gateway,
    outlook::SETTLES_IN,
    resources::{is_ours, not_found},
    shelves::Shelves,
};
use crate::client::{GET_PROMPT, READ_RESOURCE};

/// How long nobody asks again after an upstream ended a subscription, or could not be reached.
const WATCH_AGAIN_IN: Duration = Duration::from_secs(15);

/// What goes on for one session, the resources that it watches among it. All of it ends with the session.
#[derive(Default)]
pub(super) struct Watching {
    all: Mutex<HashMap<String, AbortHandle>>,
    /// Who tells it of lists that changed.
    tellers: Mutex<Vec<AbortHandle>>,
}

impl Watching {
    pub(super) fn end(&self, uri: &str) {
        if let Some(task) = self.lock().remove(uri) {
            task.abort();
        }
    }

    pub(super) fn keep(&self, teller: AbortHandle) {
        self.tellers.lock().unwrap_or_else(PoisonError::into_inner).push(teller);
    }

    fn has_room(all: &HashMap<String, AbortHandle>, most: u64) -> Result<(), ErrorData> {
        if u64::try_from(all.len()).is_ok_and(|watched| watched < most) {
            return Ok(());
        }
        let message = format!("a session watches up to {most} resources: unsubscribe from one");
        Err(ErrorData::invalid_request(message, Some(json!({"code": "RATE_LIMIT"}))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, AbortHandle>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.lock().values().for_each(AbortHandle::abort);
        self.tellers.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(AbortHandle::abort);
    }
}

impl Gateway {
    /// Begins to watch a resource for a session. What calls left behind never changes, so nothing is to be done for that.
    pub(super) async fn watch(
        &self,
        caller: Caller,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_ours(&uri) {
            return self.read(&caller, &uri).await.map(drop);
        }
        let most = self.engine.limits().mcp_watches;
        {
            let all = self.watching.lock();
            if all.contains_key(&uri) {
                return Ok(());
            }
            Watching::has_room(&all, most)?;
        }
        let first = match self.watch_of(&caller, &uri).await? {
            Some(Ok(watch)) => watch,
            Some(Err(error)) => return Err(refused(&error)),
            None => {
                let message = "the MCP server of this resource does not tell when it changes";
                return Err(ErrorData::invalid_request(message, Some(json!({"uri": uri}))));
            }
        };
        let mut all = self.watching.lock();
        // Others of the same session may have been quicker.
        Watching::has_room(&all, most)?;
        let watcher = Watcher { engine: Arc::clone(&self.engine), caller, uri: uri.clone() };
        let told = uri.clone();
        let task = tokio::spawn(async move {
            let tell = || {
                let updated = ResourceUpdatedNotificationParam::new(told.clone());
                let peer = &peer;
                async move { !peer.is_transport_closed() && peer.notify_resource_updated(updated).await.is_ok() }
            };
            watcher.follow(Some(first), tell).await;
        });
        if let Some(other) = all.insert(uri, task.abort_handle()) {
            other.abort();
        }
        Ok(())
    }

    /// Nothing where the upstream does not tell of changes.
    async fn watch_of(
        &self,
        caller: &Caller,
        uri: &str,
    ) -> Result<Option<Result<ResourceWatch, ToolError>>, ErrorData> {
        let shelves = self.shelves(caller, READ_RESOURCE).await?;
        let owner = shelves.owner(uri).ok_or_else(|| not_found(uri))?;
        Ok(self.engine.watch_upstream(caller, owner, uri).await.transpose())
    }

    /// The resources that a client of the newest revision named, for as long as it listens.
    pub(super) async fn tell_updates_to(&self, caller: Caller, subscription: &SubscriptionContext) {
        let uris = subscription.accepted().resource_subscriptions.clone().unwrap_or_default();
        let mut all: FuturesUnordered<_> = uris
            .into_iter()
            .filter(|uri| !is_ours(uri))
            .map(|uri| {
                let watcher =
                    Watcher { engine: Arc::clone(&self.engine), caller: caller.clone(), uri: uri.clone() };
                async move {
                    let first = match self.watch_of(&watcher.caller, &uri).await {
                        Ok(Some(first)) => first.ok(),
                        // There is nothing to be heard of it.
                        Ok(None) | Err(_) => return,
                    };
                    let sink = subscription.sink();
                    let tell = || {
                        let uri = uri.clone();
                        async move { sink.notify_resource_updated(uri).await.is_ok() }
                    };
                    watcher.follow(first, tell).await;
                }
            })
            .collect();
        while all.next().await.is_some() {}
        // The client may still wait for other things.
        std::future::pending().await
    }

    /// Follows the lists of prompts and resources for a session, as long as it lives.
    pub(super) fn tell_lists(&self, caller: Caller, peer: Peer<RoleServer>) {
        let engine = Arc::clone(&self.engine);
        let teller = tokio::spawn(async move {
            let Some(mut seen) = Lists::new(engine, caller).await else { return };
            while let Some(changed) = seen.changed().await {
                if peer.is_transport_closed() {
                    return;
                }
                let told = [
                    changed.prompts && peer.notify_prompt_list_changed().await.is_err(),
                    changed.resources && peer.notify_resource_list_changed().await.is_err(),
                ];
                if told.contains(&true) {
                    return;
                }
            }
        });
        self.watching.keep(teller.abort_handle());
    }

    /// The same for a client that keeps no session.
    pub(super) async fn tell_lists_to(&self, caller: Caller, subscription: &SubscriptionContext) {
        let (accepted, sink) = (subscription.accepted(), subscription.sink());
        let prompts = accepted.prompts_list_changed == Some(true);
        let resources = accepted.resources_list_changed == Some(true);
        let seen =
            if prompts || resources { Lists::new(Arc::clone(&self.engine), caller).await } else { None };
        let Some(mut seen) = seen else { return std::future::pending().await };
        while let Some(changed) = seen.changed().await {
            if (prompts && changed.prompts && sink.notify_prompt_list_changed().await.is_err())
                || (resources && changed.resources && sink.notify_resource_list_changed().await.is_err())
            {
                return;
            }
        }
    }
}

/// Who is told of one resource.
struct Watcher {
    engine: Arc<Engine>,
    caller: Caller,
    uri: String,
}

impl Watcher {
    /// Until nobody listens. A subscription that ended is made again, and what may have been missed is told.
    async fn follow<T: Future<Output = bool>>(&self, first: Option<ResourceWatch>, tell: impl Fn() -> T) {
        let mut watch = first;
        loop {
            if let Some(watch) = &mut watch {
                while watch.updates.changed().await.is_ok() {
                    if self.owner().await.is_some() && !tell().await {
                        return;
                    }
                }
            }
            drop(watch.take());
            tokio::time::sleep(WATCH_AGAIN_IN).await;
            let Some((caller, upstream)) = self.owner().await else { continue };
            if let Ok(Some(again)) = self.engine.watch_upstream(&caller, &upstream, &self.uri).await {
                if !tell().await {
                    return;
                }
                watch = Some(again);
            }
        }
    }

    /// Who they are now, if they may still read it, and whose resource it is.
    async fn owner(&self) -> Option<(Caller, Arc<Upstream>)> {
        let caller = self.engine.caller_now(&self.caller).await.ok()??;
        let shelves = Shelves::of(&self.engine, &caller, READ_RESOURCE).await.ok()?;
        let owner = Arc::clone(shelves.owner(&self.uri)?);
        Some((caller, owner))
    }
}

fn refused(error: &ToolError) -> ErrorData {
    let said = error.details.as_ref().and_then(|details| details["rpc_code"].as_i64());
    let missing = [RpcCode::RESOURCE_NOT_FOUND, RpcCode::INVALID_PARAMS];
    let data = Some(json!({"code": error.code}));
    if missing.iter().any(|code| said == Some(i64::from(code.0))) {
        return ErrorData::resource_not_found("there is no such resource", data);
    }
    ErrorData::internal_error(error.to_string(), data)
}

/// Which lists are others now.
#[derive(Clone, Copy)]
struct Changed {
    prompts: bool,
    resources: bool,
}

/// What somebody saw last of the upstreams behind us.
struct Lists {
    engine: Arc<Engine>,
    caller: Caller,
    news: broadcast::Receiver<UpstreamNews>,
    changes: tokio::sync::watch::Receiver<u64>,
    seen: Option<Sight>,
}

/// Whether they may get prompts and read resources, and from whom.
type Sight = (bool, bool, Vec<(UpstreamId, Timestamp)>);

impl Lists {
    /// Nothing where there are no upstreams at all.
    async fn new(engine: Arc<Engine>, caller: Caller) -> Option<Self> {
        let (news, changes) = (engine.upstream_news()?, engine.changes());
        let mut lists = Self { engine, caller, news, changes, seen: None };
        lists.seen = lists.look().await;
        Some(lists)
    }

    /// Waits for another list; nothing when there is nothing more to wait for.
    async fn changed(&mut self) -> Option<Changed> {
        loop {
            tokio::select! {
                told = self.news.recv() => {
                    let told = match told {
                        Ok(news) if news.tenant_id != self.caller.tenant_id => continue,
                        Ok(news) => Some(news.list),
                        Err(broadcast::error::RecvError::Lagged(_)) => None,
                        Err(broadcast::error::RecvError::Closed) => return None,
                    };
                    let Some((may_get, may_read, _)) = self.look().await else { continue };
                    let prompts = may_get && told != Some(UpstreamList::Resources);
                    let resources = may_read && told != Some(UpstreamList::Prompts);
                    if prompts || resources {
                        return Some(Changed { prompts, resources });
                    }
                }
                more = self.changes.changed() => {
                    more.ok()?;
                    tokio::time::sleep(SETTLES_IN).await;
                    self.changes.mark_unchanged();
                    let now = self.look().await;
                    if now != self.seen {
                        self.seen = now;
                        return Some(Changed { prompts: true, resources: true });
                    }
                }
            }
        }
    }

    async fn look(&self) -> Option<Sight> {
        let engine = &self.engine;
        let caller = engine.caller_now(&self.caller).await.ok()??;
        let upstreams = engine.upstreams_of(&caller).await.ok()?;
        let may_get = engine.is_at_hand(&caller, Surface::Mcp, GET_PROMPT).await.ok()?;
        let may_read = engine.is_at_hand(&caller, Surface::Mcp, READ_RESOURCE).await.ok()?;
        Some((may_get, may_read, upstreams.iter().map(|one| (one.id, one.updated_at)).collect()))
    }
}
