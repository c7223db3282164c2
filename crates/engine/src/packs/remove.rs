use toolgate_domain::{
    Caller, Lifecycle,
    pack::{InstalledPack, PackState},
};

use super::{PackError, Packs, install::must_change_packs};

impl Packs<'_> {
    /// Blocks every version that the pack published. Receipts refer to them, so they stay, and so does the document that
    /// says whose they were: the same pack can come back later.
    pub async fn remove(&self, caller: &Caller, name: &str) -> Result<InstalledPack, PackError> {
        must_change_packs(caller)?;
        let _packing = self.engine.packing.lock().await;
        let kept = self.kept(caller).await?;
        let (Some(pack), Some(record)) = (kept.of(name), kept.record(name)) else {
            return Err(PackError::NotFound(name.chars().take(64).collect()));
        };
        if pack.state == PackState::Removed {
            return Err(PackError::NotFound(name.to_owned()));
        }
        for tool in &pack.published {
            let versions = self.engine.registry.published(caller.tenant_id, &tool.name).await?;
            let open = |version: &&std::sync::Arc<toolgate_domain::Tool>| {
                version.spec.version == tool.version && version.lifecycle != Lifecycle::Blocked
            };
            // A claim that a crash cut short names tools that were never published.
            if versions.iter().any(|version| open(&version)) {
                self.engine.registry.set_lifecycle(caller, &tool.id(), Lifecycle::Blocked).await?;
            }
        }
        let removed = InstalledPack { state: PackState::Removed, tools: Vec::new(), ..pack.clone() };
        self.update(caller, record.clone(), &removed, "pack.remove").await?;
        Ok(removed)
    }
}
