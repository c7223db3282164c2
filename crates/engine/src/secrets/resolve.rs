//! Which secrets a run gets, and their values for the length of the run.

use std::{collections::BTreeMap, fmt, sync::Arc};

use serde_json::{Value, json};
use toolgate_domain::{Caller, TenantId};
use toolgate_store::{RecordWrite, StoreError};

use super::{
    SecretError, SecretName, SecretScope, SecretValue, Secrets, VaultError, document::KeptSecret,
    resolve_scope, tenant_key::TenantKey,
};

/// Uses within this time of the last note are not noted: a call must not cost a commit.
const NOTE_EVERY_MS: i64 = 60_000;
const MAX_NOTED: usize = 10_000;

/// The values of a run's secrets, by name. They are wiped when the last holder lets go.
#[derive(Clone, Default)]
pub struct RunSecrets {
    values: Arc<BTreeMap<String, (SecretValue, SecretScope)>>,
}

impl RunSecrets {
    pub fn get(&self, name: &str) -> Option<&SecretValue> {
        self.values.get(name).map(|(value, _)| value)
    }

    /// Whose it is.
    pub fn scope(&self, name: &str) -> Option<SecretScope> {
        self.values.get(name).map(|(_, scope)| *scope)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

impl fmt::Debug for RunSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values.keys()).finish()
    }
}

/// A secret that a run uses.
pub(crate) struct Used {
    pub(crate) kept: KeptSecret,
    /// The caller has a scope of their own, and the tenant's secret is used because theirs does not hold it.
    pub(crate) is_fallback: bool,
}

/// What was found of the secrets that a tool needs.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) used: Vec<Used>,
    pub(crate) missing: Vec<String>,
}

impl Found {
    /// Tells results that were made with different secrets apart.
    pub(crate) fn identity(&self) -> Vec<Value> {
        let of = |used: &Used| {
            let info = used.kept.info();
            json!([info.name, info.scope.to_string(), info.id, info.revision])
        };
        self.used.iter().map(of).collect()
    }

    /// The names of those that are the tenant's although the caller could have their own.
    pub(crate) fn fallbacks(&self) -> impl Iterator<Item = &str> {
        self.used.iter().filter(|used| used.is_fallback).map(|used| used.kept.name.as_str())
    }

    pub(crate) fn scopes(&self) -> impl Iterator<Item = (&str, SecretScope)> {
        self.used.iter().map(|used| (used.kept.name.as_str(), used.kept.scope))
    }
}

impl Secrets {
    /// The scopes that a run of this caller may take secrets from, the narrowest first. Whoever belongs to every workspace
    /// by office belongs to none in particular: no team's secret is theirs to use.
    async fn scopes_of(&self, caller: &Caller) -> Result<Vec<SecretScope>, StoreError> {
        let mut scopes: Vec<_> = caller.user_id().map(SecretScope::User).into_iter().collect();
        if let Some(workspaces) = &caller.workspaces {
            scopes.extend(workspaces.iter().copied().map(SecretScope::Workspace));
        }
        if let Some(agent) = caller.agent_id {
            let rules = self.rules.snapshot(caller.tenant_id).await?;
            let workspace = rules.agents.get(&agent).and_then(|standing| standing.agent.workspace_id);
            scopes.extend(workspace.map(SecretScope::Workspace));
        }
        scopes.push(SecretScope::Tenant);
        scopes.sort_unstable();
        scopes.dedup();
        Ok(scopes)
    }

    /// Finds each secret in the narrowest scope that holds it. Nothing is opened.
    pub(crate) async fn find(&self, caller: &Caller, names: &[String]) -> Result<Found, SecretError> {
        let scopes = self.scopes_of(caller).await?;
        let mut found = Found::default();
        for name in names {
            let mut narrowest = None;
            for scope in &scopes {
                if let Some(kept) = self.kept(caller.tenant_id, *scope, name).await? {
                    narrowest = Some(kept);
                    break;
                }
            }
            match narrowest {
                None => found.missing.push(name.clone()),
                Some(kept) => {
                    let warns = resolve_scope([kept.scope]).is_some_and(|resolved| resolved.warns);
                    found.used.push(Used { kept, is_fallback: warns && scopes.len() > 1 });
                }
            }
        }
        Ok(found)
    }

    /// Which of these secrets the caller lacks, without opening any.
    pub async fn missing(&self, caller: &Caller, names: &[String]) -> Result<Vec<String>, SecretError> {
        Ok(self.find(caller, names).await?.missing)
    }

    /// Finds and opens. While the tenant's key is being replaced, what was read before does not open: it is read once more.
    pub(crate) async fn resolve(
        &self,
        caller: &Caller,
        names: &[String],
    ) -> Result<(Found, RunSecrets), SecretError> {
        let found = self.find(caller, names).await?;
        match self.open(caller.tenant_id, &found).await {
            Err(SecretError::Vault(VaultError::TamperedSecret { .. })) => {
                let found = self.find(caller, names).await?;
                let opened = self.open(caller.tenant_id, &found).await?;
                Ok((found, opened))
            }
            opened => Ok((found, opened?)),
        }
    }

    async fn open(&self, tenant: TenantId, found: &Found) -> Result<RunSecrets, SecretError> {
        if found.used.is_empty() {
            return Ok(RunSecrets::default());
        }
        let key = TenantKey::read(&self.stores, tenant).await?;
        let key = key.ok_or(SecretError::Vault(VaultError::TamperedKey { tenant }))?;
        let mut values = BTreeMap::new();
        for Used { kept, .. } in &found.used {
            let value = self.vault.open(&key.wrapped, kept.place(tenant), &kept.sealed()?)?;
            values.insert(kept.name.to_string(), (value, kept.scope));
        }
        Ok(RunSecrets { values: Arc::new(values) })
    }

    /// Notes, beside the run, that secrets are used: at most once a minute for each.
    pub(crate) fn note_use(self: &Arc<Self>, tenant: TenantId, found: &Found) {
        let now = self.clock.now();
        let due: Vec<_> = found
            .used
            .iter()
            .map(|used| &used.kept)
            .filter(|kept| {
                let noted = self.noted.get(&kept.record.id).map(|noted| *noted).max(kept.last_used_at());
                noted.is_none_or(|noted| noted.plus_ms(NOTE_EVERY_MS) <= now)
            })
            .cloned()
            .collect();
        if due.is_empty() {
            return;
        }
        if self.noted.len() + due.len() > MAX_NOTED {
            self.noted.clear();
        }
        for kept in &due {
            self.noted.insert(kept.record.id, now);
        }
        let secrets = Arc::clone(self);
        tokio::spawn(async move {
            for kept in due {
                let Ok(record) = kept.used_at(now) else { continue };
                let write = vec![RecordWrite::Update(record)];
                match secrets.stores.records.commit(tenant, write, vec![]).await {
                    // Who changed it meanwhile matters more than that it was used.
                    Ok(()) | Err(StoreError::Conflict(_)) => {}
                    Err(error) => tracing::warn!(%error, "the use of a secret cannot be noted"),
                }
            }
        });
    }
}

impl RunSecrets {
    /// Name and value of each, for the redactor.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (SecretName, SecretValue)> {
        self.values.iter().filter_map(|(name, (value, _))| Some((name.parse().ok()?, value.clone())))
    }
}
