//! What the upstreams of a tenant have besides tools, as one client sees it: put together by name, the first upstream first.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use rmcp::{
    ErrorData,
    model::{ListResourceTemplatesResult, ListResourcesResult, Prompt, Resource, ResourceTemplate},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolgate_domain::{Caller, Surface, governance::Upstream};
use toolgate_engine::{Engine, UpstreamCatalog};

use super::{Gateway, resources, results::unavailable, templates::matches};
use crate::client::READ_RESOURCE;

/// What is on the shelves, by name of the upstream.
pub(super) struct Shelves {
    all: Vec<(Arc<Upstream>, Arc<UpstreamCatalog>)>,
}

/// A prompt, and where it comes from.
pub(super) struct Foreign<T> {
    pub(super) upstream: Arc<Upstream>,
    /// What the upstream calls it.
    pub(super) own: String,
    pub(super) shown: T,
}

impl Gateway {
    pub(super) async fn shelves(&self, caller: &Caller, reader: &str) -> Result<Shelves, ErrorData> {
        Shelves::of(&self.engine, caller, reader).await
    }

    pub(super) async fn resources(
        &self,
        caller: &Caller,
        cursor: Option<String>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = self.shelves(caller, READ_RESOURCE).await?.resources();
        let (items, next) = self.page(all, cursor);
        let mut list = ListResourcesResult::with_all_items(items);
        list.next_cursor = next;
        Ok(list)
    }

    /// Ours, and those of the upstreams.
    pub(super) async fn templates(
        &self,
        caller: &Caller,
        cursor: Option<String>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut all = self.shelves(caller, READ_RESOURCE).await?.templates();
        all.extend(resources::templates().into_iter().map(|ours| (ours.uri_template.clone(), ours)));
        let (items, next) = self.page(all, cursor);
        let mut list = ListResourceTemplatesResult::with_all_items(items);
        list.next_cursor = next;
        Ok(list)
    }

    /// A page of what is sorted. The cursor is the last key of the page before.
    pub(super) fn page<T>(
        &self,
        mut all: BTreeMap<String, T>,
        cursor: Option<String>,
    ) -> (Vec<T>, Option<String>) {
        let limit = usize::try_from(self.engine.limits().mcp_page_size).unwrap_or(usize::MAX).max(1);
        let mut rest = match cursor {
            Some(after) => {
                let first = all.range((Bound::Excluded(after), Bound::Unbounded)).next();
                let first = first.map(|(key, _)| key.clone());
                first.map(|first| all.split_off(&first)).unwrap_or_default()
            }
            None => all,
        };
        let after = rest.keys().nth(limit).cloned();
        let more = after.map(|after| rest.split_off(&after)).is_some();
        let next = rest.keys().next_back().filter(|_| more).cloned();
        (rest.into_values().collect(), next)
    }
}

impl Shelves {
    /// Nothing for those who could not read any of it with the tool of this name.
    pub(super) async fn of(engine: &Engine, caller: &Caller, reader: &str) -> Result<Self, ErrorData> {
        let may_read = engine.is_at_hand(caller, Surface::Mcp, reader).await;
        if !may_read.map_err(|error| unavailable(&error))? {
            return Ok(Self { all: Vec::new() });
        }
        let all = engine.upstream_catalogs(caller).await.map_err(|error| unavailable(&error))?;
        Ok(Self { all })
    }

    /// The prompts, by the name that they have here.
    pub(super) fn prompts(&self) -> BTreeMap<String, Foreign<Prompt>> {
        let mut named = BTreeMap::new();
        for (upstream, catalog) in &self.all {
            for mut shown in typed::<Prompt>(&catalog.prompts) {
                let own = shown.name.clone();
                if !upstream.prefix.is_empty() {
                    shown.name = format!("{}_{own}", upstream.prefix);
                }
                let upstream = Arc::clone(upstream);
                named.entry(shown.name.clone()).or_insert(Foreign { upstream, own, shown });
            }
        }
        named
    }

    fn resources(&self) -> BTreeMap<String, Resource> {
        let mut listed = BTreeMap::new();
        for (_, catalog) in &self.all {
            for resource in typed::<Resource>(&catalog.resources) {
                listed.entry(resource.uri.clone()).or_insert(resource);
            }
        }
        listed
    }

    fn templates(&self) -> BTreeMap<String, ResourceTemplate> {
        let mut listed = BTreeMap::new();
        for (_, catalog) in &self.all {
            for template in typed::<ResourceTemplate>(&catalog.templates) {
                listed.entry(template.uri_template.clone()).or_insert(template);
            }
        }
        listed
    }

    /// Whose resource this is: the first that lists it, or has a template for it. Where only one has resources, whatever is not listed is
    /// that one's: results of its tools may lead there.
    pub(super) fn owner(&self, uri: &str) -> Option<&Arc<Upstream>> {
        let is = |item: &Value, key: &str, fits: &dyn Fn(&str) -> bool| {
            item.get(key).and_then(Value::as_str).is_some_and(fits)
        };
        let lists = |catalog: &UpstreamCatalog| {
            catalog.resources.iter().any(|item| is(item, "uri", &|listed| listed == uri))
        };
        let templates = |catalog: &UpstreamCatalog| {
            catalog.templates.iter().any(|item| is(item, "uriTemplate", &|listed| matches(listed, uri)))
        };
        let mut with_resources = self.all.iter().filter(|(_, catalog)| catalog.has_resources);
        let only = with_resources.next().filter(|_| with_resources.next().is_none());
        let found = self.all.iter().find(|(_, catalog)| lists(catalog));
        let found = found.or_else(|| self.all.iter().find(|(_, catalog)| templates(catalog)));
        found.or(only).map(|(upstream, _)| upstream)
    }

    /// Whose template, or whose resource, this very text is.
    pub(super) fn owner_of_template(&self, text: &str) -> Option<&Arc<Upstream>> {
        let lists = |items: &[Value], key: &str| {
            items.iter().any(|item| item.get(key).and_then(Value::as_str) == Some(text))
        };
        let found = self.all.iter().find(|(_, catalog)| {
            lists(&catalog.templates, "uriTemplate") || lists(&catalog.resources, "uri")
        });
        found.map(|(upstream, _)| upstream)
    }
}

/// What cannot be read is not shown.
fn typed<T: DeserializeOwned>(items: &[Value]) -> impl Iterator<Item = T> {
    items.iter().filter_map(|item| serde_json::from_value(item.clone()).ok())
}
