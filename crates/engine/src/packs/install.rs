//! Installing: claim, register, confirm. Each step can be done again, so a crash in between is healed by installing again.

use serde_json::Value;
use toolgate_domain::{
    AuditEvent, Caller, Lifecycle, PackId,
    pack::{InstalledPack, PackState, PackTool},
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::{
    Pack, PackChange, PackError, PackPlan, PackProblem, PackStep, Packs,
    list::Kept,
    plan::{is_for, must_wake},
};
use crate::rules::BY_AGENT;

/// Refuses an agent that no person agreed with.
pub(super) fn must_change_packs(caller: &Caller) -> Result<(), PackError> {
    if caller.may_change_powers() { Ok(()) } else { Err(PackError::Forbidden(BY_AGENT.to_owned())) }
}

impl Packs<'_> {
    /// Installs or upgrades a pack. A dry run checks everything and changes nothing.
    pub async fn install(&self, caller: &Caller, pack: &Pack, dry_run: bool) -> Result<PackPlan, PackError> {
        let _packing = self.engine.packing.lock().await;
        let kept = self.kept(caller).await?;
        let plan = self.plan(caller, pack, &kept).await?;
        if dry_run || plan.change == PackChange::None {
            return Ok(plan);
        }
        must_change_packs(caller)?;
        let (claim, record) = self.claim(caller, pack, &kept).await?;
        self.write_tools(caller, pack, &claim, &plan).await?;
        let done = self.confirmed(caller, pack, &claim);
        let action = if plan.change == PackChange::Upgrade { "pack.upgrade" } else { "pack.install" };
        self.update(caller, record, &done, action).await?;
        Ok(plan)
    }

    /// Writes down which tools the pack is about to publish, before it publishes any.
    async fn claim(
        &self,
        caller: &Caller,
        pack: &Pack,
        kept: &Kept,
    ) -> Result<(InstalledPack, Record), PackError> {
        let manifest = &pack.manifest;
        let old = kept.of(&manifest.name);
        let current = old.filter(|old| old.state != PackState::Removed);
        let mut published = old.map(|old| old.published.clone()).unwrap_or_default();
        published.extend(offers(caller, pack));
        published.sort();
        published.dedup();
        let claim = InstalledPack {
            id: old.map_or_else(|| PackId::generate(&*self.engine.ids), |old| old.id),
            // Until the end, the document says what the pack offered before: that is how a second attempt knows what is new.
            tools: current.map(|old| old.tools.clone()).unwrap_or_default(),
            state: PackState::Installing,
            published,
            ..self.describe(caller, pack)
        };
        if let Some(record) = kept.record(&manifest.name) {
            let record = self.update(caller, record.clone(), &claim, "pack.begin").await?;
            return Ok((claim, record));
        }
        if kept.count() >= self.engine.limits.max_documents {
            let message = format!("this tenant has {} packs, the most it may have", kept.count());
            return Err(PackError::Conflict(vec![PackProblem::at(&manifest.name, message)]));
        }
        let now = self.engine.clock.now();
        let record = Record {
            tenant_id: caller.tenant_id,
            kind: Kind::Pack,
            id: claim.id.uuid(),
            name: manifest.name.clone(),
            body: encode(&claim)?,
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        let event = self.event(caller, "pack.begin", &manifest.name).to(&claim);
        let write = vec![RecordWrite::Insert(record.clone())];
        self.engine.stores.records.commit(caller.tenant_id, write, vec![event]).await?;
        Ok((claim, record))
    }

    async fn write_tools(
        &self,
        caller: &Caller,
        pack: &Pack,
        claim: &InstalledPack,
        plan: &PackPlan,
    ) -> Result<(), PackError> {
        let registry = &self.engine.registry;
        for spec in pack.tools.iter().filter(|spec| is_for(spec, caller)) {
            let registered = registry
                .register(caller, spec.clone(), false)
                .await
                .map_err(|error| PackError::of_tool(spec.name.as_str(), error))?;
            if must_wake(registered.tool.lifecycle, spec, &claim.tools) {
                registry.set_lifecycle(caller, &spec.id(), Lifecycle::Active).await?;
            }
        }
        for step in &plan.steps {
            if let PackStep::Deprecate { tool } = step {
                registry.set_lifecycle(caller, tool, Lifecycle::Deprecated).await?;
            }
        }
        Ok(())
    }

    fn confirmed(&self, caller: &Caller, pack: &Pack, claim: &InstalledPack) -> InstalledPack {
        InstalledPack {
            id: claim.id,
            published: claim.published.clone(),
            tools: offers(caller, pack),
            state: PackState::Installed,
            ..self.describe(caller, pack)
        }
    }

    /// What the document says whatever its state; the caller fills in the rest.
    fn describe(&self, caller: &Caller, pack: &Pack) -> InstalledPack {
        let manifest = &pack.manifest;
        let skipped = pack.tools.iter().filter(|spec| !is_for(spec, caller)).map(|spec| spec.name.clone());
        InstalledPack {
            id: PackId::generate(&*self.engine.ids),
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            title: manifest.title.clone(),
            description: manifest.description.clone(),
            license: manifest.license.clone(),
            state: PackState::Installing,
            tools: Vec::new(),
            skipped: skipped.collect(),
            published: Vec::new(),
            checksum: pack.checksum.clone(),
            installed_at: self.engine.clock.now(),
            installed_by: caller.principal.to_string(),
        }
    }

    /// Replaces a pack's document, with its audit event.
    pub(super) async fn update(
        &self,
        caller: &Caller,
        record: Record,
        pack: &InstalledPack,
        action: &str,
    ) -> Result<Record, PackError> {
        let event = self.event(caller, action, &pack.name).from(&record.body).to(pack);
        let record = Record {
            body: encode(pack)?,
            revision: record.revision + 1,
            updated_at: self.engine.clock.now(),
            ..record
        };
        let write = vec![RecordWrite::Update(record.clone())];
        self.engine.stores.records.commit(caller.tenant_id, write, vec![event]).await?;
        Ok(record)
    }

    fn event(&self, caller: &Caller, action: &str, name: &str) -> AuditEvent {
        AuditEvent::by(caller, &*self.engine.ids, &*self.engine.clock, action, name)
    }
}

/// What the pack offers this tenant.
fn offers(caller: &Caller, pack: &Pack) -> Vec<PackTool> {
    let specs = pack.tools.iter().filter(|spec| is_for(spec, caller));
    specs.map(|spec| PackTool { name: spec.name.clone(), version: spec.version.clone() }).collect()
}

fn encode(pack: &InstalledPack) -> Result<Value, StoreError> {
    serde_json::to_value(pack).map_err(|e| StoreError::Corrupt(e.to_string()))
}
