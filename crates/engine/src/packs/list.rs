use serde::Deserialize;
use toolgate_domain::{
    Caller, ToolName, ToolSpec,
    pack::{InstalledPack, PackState},
};
use toolgate_store::{Kind, Record, StoreError};

use super::PackError;
use crate::Engine;

/// The packs of each tenant.
pub struct Packs<'a> {
    pub(super) engine: &'a Engine,
}

impl Engine {
    pub fn packs(&self) -> Packs<'_> {
        Packs { engine: self }
    }
}

/// A tenant's documents about packs, those of removed ones too.
pub(super) struct Kept(Vec<(Record, InstalledPack)>);

impl Kept {
    pub(super) fn of(&self, name: &str) -> Option<&InstalledPack> {
        self.0.iter().find(|(_, pack)| pack.name == name).map(|(_, pack)| pack)
    }

    pub(super) fn record(&self, name: &str) -> Option<&Record> {
        self.0.iter().find(|(_, pack)| pack.name == name).map(|(record, _)| record)
    }

    pub(super) fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// The other pack that a tool belongs to. What a removed pack left belongs to nobody.
    pub(super) fn holder(&self, tool: &ToolName, asking: &str) -> Option<&str> {
        let here = self.0.iter().map(|(_, pack)| pack);
        here.filter(|pack| pack.name != asking && pack.state != PackState::Removed)
            .find(|pack| pack.published.iter().any(|published| published.name == *tool))
            .map(|pack| pack.name.as_str())
    }

    /// Whether a pack published this version, now or before it was removed.
    pub(super) fn published(&self, spec: &ToolSpec) -> bool {
        self.0
            .iter()
            .flat_map(|(_, pack)| &pack.published)
            .any(|tool| tool.name == spec.name && tool.version == spec.version)
    }
}

impl Packs<'_> {
    /// What is installed, by name.
    pub async fn list(&self, caller: &Caller) -> Result<Vec<InstalledPack>, PackError> {
        let kept = self.kept(caller).await?.0.into_iter().map(|(_, pack)| pack);
        let mut packs: Vec<_> = kept.filter(|pack| pack.state != PackState::Removed).collect();
        packs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(packs)
    }

    pub async fn get(&self, caller: &Caller, name: &str) -> Result<InstalledPack, PackError> {
        let kept = self.kept(caller).await?;
        let here = kept.of(name).filter(|pack| pack.state != PackState::Removed);
        here.cloned().ok_or_else(|| PackError::NotFound(name.chars().take(64).collect()))
    }

    pub(super) async fn kept(&self, caller: &Caller) -> Result<Kept, StoreError> {
        let records = self.engine.stores.records.all(caller.tenant_id, Kind::Pack).await?;
        let decoded = records.into_iter().map(|record| {
            let pack = InstalledPack::deserialize(&record.body)
                .map_err(|e| StoreError::Corrupt(format!("pack {}: {e}", record.id)))?;
            Ok((record, pack))
        });
        decoded.collect::<Result<_, _>>().map(Kept)
    }
}
