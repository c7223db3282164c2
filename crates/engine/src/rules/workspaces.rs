use toolgate_domain::{Caller, WorkspaceId, governance::Workspace};
use toolgate_store::Kind;

use super::{RuleError, Rules, document::Told};

/// A short name for addresses: lower-case letters, digits and `-`.
pub(super) fn is_slug(slug: &str) -> bool {
    (1..=63).contains(&slug.len())
        && slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && !slug.starts_with('-')
}

impl Rules {
    /// The teams that the caller belongs to, by slug.
    pub async fn workspaces(&self, caller: &Caller) -> Result<Vec<Workspace>, RuleError> {
        let mut all: Vec<Workspace> = self.read_all(caller.tenant_id, Kind::Workspace).await?;
        all.retain(|workspace| caller.is_in(Some(workspace.id)));
        all.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(all)
    }

    pub async fn create_workspace(
        &self,
        caller: &Caller,
        slug: &str,
        name: &str,
    ) -> Result<Workspace, RuleError> {
        if !is_slug(slug) || name.trim().is_empty() || name.chars().count() > 120 {
            let message = "a workspace has a slug of 1 to 63 lower-case letters, digits or `-`, and a name of 1 to 120 characters";
            return Err(RuleError::Invalid(message.to_owned()));
        }
        let id = WorkspaceId::generate(&*self.ids);
        let workspace = Workspace { id, slug: slug.to_owned(), name: name.trim().to_owned() };
        let told = Told { action: "workspace.create", target: id.to_string() };
        let taken = || format!("the slug `{slug}` is taken: choose another");
        self.add(caller, Kind::Workspace, (id.uuid(), slug), &workspace, told, taken).await?;
        Ok(workspace)
    }
}
