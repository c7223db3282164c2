//! What upstreams list besides tools: prompts, resources, templates of resources. Each list is kept for a while, for those who come with the
//! same credentials; so is a failure, so that one upstream that hangs does not hold up every list again and again.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use dashmap::DashMap;
use rmcp::{
    model::{
        ClientRequest, ErrorCode as RpcCode, ListPromptsRequest, ListResourceTemplatesRequest,
        ListResourcesRequest, PaginatedRequestParams, ServerResult,
    },
    service::ServiceError,
};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{Mutex, broadcast};
use toolgate_domain::{TenantId, Timestamp, ToolError, UpstreamId, governance::Upstream, json::encoded_len};
use toolgate_engine::{Redactor, UpstreamCatalog, UpstreamList, UpstreamNews, UpstreamSecrets};

use super::{Upstreams, connect::redactor, failure, lane::Credentials, upstreams::Lease};

/// Catalogs that are kept at a time.
const MAX_KEPT: usize = 10_000;
const MAX_PAGES: usize = 100;
/// Bytes of one thing that is listed.
const MAX_ITEM_BYTES: usize = 16 * 1024;
const MAX_NAME_BYTES: usize = 200;
const MAX_URI_BYTES: usize = 2_048;
/// Addresses that are ours.
const OURS: &str = "toolgate://";
/// Changes that come in a row are told once.
const SETTLES_IN: Duration = Duration::from_millis(250);

/// Tenant, upstream, the moment of its document, and with which credentials it was asked.
type Key = (TenantId, UpstreamId, Timestamp, Credentials);
type Told = Result<Arc<UpstreamCatalog>, ToolError>;

/// One asks; the others wait for what is told.
#[derive(Default)]
struct Kept {
    told: Mutex<Option<(Timestamp, Told)>>,
}

#[derive(Default)]
pub(super) struct Catalogs {
    kept: DashMap<Key, Arc<Kept>>,
}

impl Catalogs {
    fn of(&self, key: Key) -> Arc<Kept> {
        if let Some(kept) = self.kept.get(&key) {
            return Arc::clone(&kept);
        }
        if self.kept.len() >= MAX_KEPT {
            self.kept.clear();
        }
        Arc::clone(&self.kept.entry(key).or_default())
    }

    fn forget(&self, tenant: TenantId, upstream: UpstreamId) {
        self.kept.retain(|key, _| (key.0, key.1) != (tenant, upstream));
    }

    /// Lets go of what is too old to be told again.
    pub(super) fn sweep(&self, now: Timestamp) {
        self.kept.retain(|_, kept| match kept.told.try_lock() {
            Ok(told) => told.as_ref().is_some_and(|(until, _)| *until > now),
            Err(_) => true,
        });
    }
}

/// Says that a list of an upstream changed: once for each swarm of changes.
pub(super) struct Teller {
    tenant_id: TenantId,
    upstream_id: UpstreamId,
    catalogs: Weak<Catalogs>,
    news: broadcast::Sender<UpstreamNews>,
    pending: [Arc<AtomicBool>; 2],
}

impl Teller {
    pub(super) fn new(
        tenant_id: TenantId,
        upstream_id: UpstreamId,
        catalogs: &Arc<Catalogs>,
        news: &broadcast::Sender<UpstreamNews>,
    ) -> Self {
        let (catalogs, news) = (Arc::downgrade(catalogs), news.clone());
        Self { tenant_id, upstream_id, catalogs, news, pending: Default::default() }
    }

    pub(super) fn tell(&self, list: UpstreamList) {
        let pending = Arc::clone(&self.pending[usize::from(list == UpstreamList::Resources)]);
        if pending.swap(true, Ordering::AcqRel) {
            return;
        }
        let (tenant_id, upstream_id) = (self.tenant_id, self.upstream_id);
        let (catalogs, news) = (self.catalogs.clone(), self.news.clone());
        tokio::spawn(async move {
            tokio::time::sleep(SETTLES_IN).await;
            pending.store(false, Ordering::Release);
            if let Some(catalogs) = catalogs.upgrade() {
                catalogs.forget(tenant_id, upstream_id);
            }
            // Nobody may listen.
            let _ = news.send(UpstreamNews { tenant_id, upstream_id, list });
        });
    }
}

impl Upstreams {
    pub(super) async fn catalog_of(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Told {
        let key = (tenant, upstream.id, upstream.updated_at, self.credentials(upstream, secrets));
        let kept = self.catalogs.of(key);
        let mut kept = kept.told.lock().await;
        if let Some((until, told)) = kept.as_ref().filter(|(until, _)| *until > self.options.clock.now()) {
            tracing::trace!(upstream = %upstream.name, %until, "the catalog of an upstream is still good");
            return told.clone();
        }
        let patience = self.limits().catalog_timeout;
        let asked = tokio::time::timeout(patience, self.ask_catalog(tenant, upstream, secrets)).await;
        let told = asked
            .unwrap_or_else(|_| {
                Err(failure::timeout("did not tell what it has besides tools", patience.as_millis()))
            })
            .map(Arc::new);
        if let Err(error) = &told {
            let code = error.code.as_str();
            tracing::warn!(upstream = %upstream.name, %tenant, code, "an upstream does not tell what it has besides tools");
        }
        let ttl_ms = i64::try_from(self.limits().catalog_ttl.as_millis()).unwrap_or(i64::MAX);
        *kept = Some((self.options.clock.now().plus_ms(ttl_ms), told.clone()));
        told
    }

    async fn ask_catalog(
        &self,
        tenant: TenantId,
        upstream: &Upstream,
        secrets: &UpstreamSecrets,
    ) -> Result<UpstreamCatalog, ToolError> {
        let redactor = redactor(secrets)?;
        let lease = Box::pin(self.lease(tenant, upstream, secrets)).await?;
        let can = lease.session.abilities();
        let mut catalog = UpstreamCatalog { has_resources: can.resources.is_some(), ..Default::default() };
        if can.prompts.is_some() {
            let request = |params| ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(params));
            catalog.prompts = self.pages(&lease, &redactor, request, prompts).await?;
        }
        if can.resources.is_some() {
            let request =
                |params| ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(params));
            catalog.resources = self.pages(&lease, &redactor, request, resources).await?;
            let request = |params| {
                ClientRequest::ListResourceTemplatesRequest(ListResourceTemplatesRequest::with_param(params))
            };
            catalog.templates = self.pages(&lease, &redactor, request, templates).await?;
        }
        Ok(catalog)
    }

    /// The SDK would keep pages for as long as the upstream says; here they are kept for as long as the operator says.
    async fn pages(
        &self,
        lease: &Lease,
        redactor: &Redactor,
        request: impl Fn(PaginatedRequestParams) -> ClientRequest,
        read: fn(ServerResult) -> Option<Page>,
    ) -> Result<Vec<Value>, ToolError> {
        let most = self.limits().catalog_items;
        let (mut items, mut cursor) = (Vec::new(), None::<String>);
        for _ in 0..MAX_PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor.clone());
            let answer = match lease.session.peer().send_request(request(params)).await {
                Ok(answer) => read(answer),
                // Many have resources and know of no templates.
                Err(ServiceError::McpError(error)) if error.code == RpcCode::METHOD_NOT_FOUND => break,
                Err(error) => {
                    let failure = failure::of_request(error, lease.session.link.fault(), self.now_ms());
                    if failure.broke {
                        self.broke(&lease.lane);
                    }
                    return Err(failure.error);
                }
            };
            let Some(page) = answer else {
                return Err(failure::provider("protocol", "the upstream answers with what is no list"));
            };
            let is_empty = page.items.is_empty();
            let readable = page.items.into_iter().filter_map(|item| presentable(item, redactor));
            items.extend(readable.take(most - items.len()));
            // A list without an end is read no further than anybody reads.
            if items.len() >= most || is_empty || page.next.is_none() || page.next == cursor {
                break;
            }
            cursor = page.next;
        }
        Ok(items)
    }
}

struct Page {
    items: Vec<Value>,
    next: Option<String>,
}

fn page<T: Serialize>(items: Vec<T>, next: Option<String>) -> Page {
    Page { items: items.iter().filter_map(|item| serde_json::to_value(item).ok()).collect(), next }
}

fn prompts(answer: ServerResult) -> Option<Page> {
    let ServerResult::ListPromptsResult(list) = answer else { return None };
    Some(page(list.prompts, list.next_cursor))
}

fn resources(answer: ServerResult) -> Option<Page> {
    let ServerResult::ListResourcesResult(list) = answer else { return None };
    Some(page(list.resources, list.next_cursor))
}

fn templates(answer: ServerResult) -> Option<Page> {
    let ServerResult::ListResourceTemplatesResult(list) = answer else { return None };
    Some(page(list.resource_templates, list.next_cursor))
}

/// A thing as it may be shown to others; nothing where it may not.
fn presentable(mut item: Value, redactor: &Redactor) -> Option<Value> {
    let fields = item.as_object_mut()?;
    fields.remove("_meta");
    let fits = |key: &str, most: usize| match item.get(key).and_then(Value::as_str) {
        Some(text) => !text.is_empty() && text.len() <= most && !text.chars().any(char::is_control),
        None => key != "name",
    };
    let uri = ["uri", "uriTemplate"].iter().find_map(|key| item.get(*key).and_then(Value::as_str));
    if !fits("name", MAX_NAME_BYTES)
        || !fits("uri", MAX_URI_BYTES)
        || !fits("uriTemplate", MAX_URI_BYTES)
        || uri.is_some_and(is_ours)
        || encoded_len(&item) > MAX_ITEM_BYTES
    {
        return None;
    }
    redactor.redact_value(&mut item);
    Some(item)
}

/// Schemes are the same in whatever case.
fn is_ours(uri: &str) -> bool {
    uri.get(..OURS.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(OURS))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(item: Value) -> Option<Value> {
        presentable(item, &Redactor::new([]).unwrap())
    }

    #[test]
    fn what_is_the_protocols_own_is_not_shown() {
        assert_eq!(shown(json!({"name": "a", "_meta": {"x": 1}})), Some(json!({"name": "a"})));
    }

    #[test]
    fn what_nobody_could_use_is_left_off() {
        assert_eq!(shown(json!({"name": ""})), None);
        assert_eq!(shown(json!({"name": "a\nb"})), None);
        assert_eq!(shown(json!({"name": "a", "uri": "x".repeat(MAX_URI_BYTES + 1)})), None);
        assert_eq!(shown(json!({"name": "a", "description": "x".repeat(MAX_ITEM_BYTES)})), None);
    }

    #[test]
    fn nobody_else_lists_an_address_of_ours() {
        assert_eq!(shown(json!({"name": "a", "uri": "Toolgate://blobs/1"})), None);
        assert_eq!(shown(json!({"name": "a", "uriTemplate": "toolgate://{x}"})), None);
        assert!(shown(json!({"name": "a", "uri": "toolgate:x"})).is_some());
    }
}
