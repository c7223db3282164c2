//! The rules of one tenant, in memory: a decision asks nobody.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use toolgate_domain::{
    AgentId, Caller, Principal, ProfileId, TenantId, UserId, WorkspaceId,
    governance::{
        Agent, AgentTools, Assignment, BUILT_IN_ROLES, OidcIdentity, PermissionSet, Profile, Role,
        TenantSettings, ToolSettings, Upstream, User, UserStatus, Workspace,
    },
    tool::ToolOverride,
};
use toolgate_policy::{Assigned, Standing, Switches, rules::PolicySet};
use toolgate_store::{Kind, Record, StoreError};

use super::document::decode;

/// What was changed of the tools that ship with the program, by the tool's name: first what the installation changed for everyone,
/// then what the tenant did.
pub(crate) type Overrides = BTreeMap<String, Vec<ToolOverride>>;

/// What one tenant decided.
#[derive(Clone, Default)]
pub(crate) struct TenantRules {
    pub(crate) settings: TenantSettings,
    /// By the tool's name.
    pub(crate) tools: Arc<HashMap<String, ToolSettings>>,
    /// What the installation decided for every tenant.
    pub(crate) everyone: Arc<HashMap<String, ToolSettings>>,
    pub(crate) own_overrides: Arc<BTreeMap<String, ToolOverride>>,
    /// The same allocation for as long as nothing changes.
    pub(crate) overrides: Arc<Overrides>,
    pub(crate) roles: BTreeMap<String, PermissionSet>,
    pub(crate) users: HashMap<UserId, Arc<User>>,
    /// Those whom another site vouches for: every request with an access token asks.
    pub(crate) from_elsewhere: HashMap<OidcIdentity, UserId>,
    pub(crate) workspaces: HashMap<WorkspaceId, Workspace>,
    pub(crate) agents: HashMap<AgentId, Arc<Standing>>,
    pub(crate) profiles: HashMap<ProfileId, Arc<Profile>>,
    pub(crate) policy: Option<Arc<PolicySet>>,
    /// MCP servers of others, by name.
    pub(crate) upstreams: BTreeMap<String, Arc<Upstream>>,
}

/// The documents that a snapshot is made of.
pub(super) const READ: &[Kind] = &[
    Kind::Setting,
    Kind::Switch,
    Kind::Override,
    Kind::Role,
    Kind::User,
    Kind::Workspace,
    Kind::Agent,
    Kind::Profile,
    Kind::Assignment,
    Kind::Permission,
    Kind::Policy,
    Kind::Upstream,
];

impl TenantRules {
    /// The agent that is called `@handle`, or `handle`.
    pub(super) fn with_handle(&self, handle: &str) -> Option<AgentId> {
        let handle = handle.trim_start_matches('@');
        self.agents.values().map(|standing| &standing.agent).find(|a| a.handle == handle).map(|a| a.id)
    }

    pub(super) fn build(
        records: &HashMap<Kind, Vec<Record>>,
        everyone: Option<&Self>,
        old: Option<&Self>,
    ) -> Result<Self, StoreError> {
        let of = |kind: Kind| records.get(&kind).map_or(&[][..], Vec::as_slice);
        let mut tools = HashMap::new();
        for record in of(Kind::Switch) {
            tools.insert(record.name.clone(), decode(record)?);
        }
        let tools = Arc::new(tools);
        let mut own_overrides = BTreeMap::new();
        for record in of(Kind::Override) {
            own_overrides.insert(record.name.clone(), decode(record)?);
        }
        let mut rules = Self {
            settings: of(Kind::Setting).first().map(decode).transpose()?.unwrap_or_default(),
            everyone: everyone.map_or_else(|| Arc::clone(&tools), |default| Arc::clone(&default.tools)),
            tools,
            overrides: overrides(everyone, &own_overrides, old),
            own_overrides: Arc::new(own_overrides),
            roles: roles(of(Kind::Role))?,
            policy: policy(of(Kind::Policy), old)?,
            ..Self::default()
        };
        for record in of(Kind::User) {
            let user: User = decode(record)?;
            if let Some(identity) = &user.oidc {
                rules.from_elsewhere.insert(identity.clone(), user.id);
            }
            rules.users.insert(user.id, Arc::new(user));
        }
        for record in of(Kind::Workspace) {
            let workspace: Workspace = decode(record)?;
            rules.workspaces.insert(workspace.id, workspace);
        }
        for record in of(Kind::Profile) {
            let profile: Profile = decode(record)?;
            rules.profiles.insert(profile.id, Arc::new(profile));
        }
        for record in of(Kind::Upstream) {
            let upstream: Upstream = decode(record)?;
            rules.upstreams.insert(upstream.name.clone(), Arc::new(upstream));
        }
        rules.agents = rules.standings(of(Kind::Agent), of(Kind::Assignment), of(Kind::Permission))?;
        Ok(rules)
    }

    fn standings(
        &self,
        agents: &[Record],
        assignments: &[Record],
        permissions: &[Record],
    ) -> Result<HashMap<AgentId, Arc<Standing>>, StoreError> {
        let mut standings = HashMap::with_capacity(agents.len());
        for record in agents {
            let agent: Agent = decode(record)?;
            let fresh = Standing { agent, tools: AgentTools::default(), assignments: HashMap::new() };
            standings.insert(fresh.agent.id, fresh);
        }
        for record in permissions {
            if let Some(standing) = standings.get_mut(&AgentId::from_uuid(record.id)) {
                standing.tools = decode(record)?;
            }
        }
        for record in assignments {
            let assignment: Assignment = decode(record)?;
            let profile = assignment.profile_id.and_then(|id| self.profiles.get(&id)).cloned();
            // A profile that is gone may have demanded anything: without it the tool is not allowed.
            let allowed = assignment.allowed && (assignment.profile_id.is_none() || profile.is_some());
            if let Some(standing) = standings.get_mut(&assignment.agent_id) {
                standing.assignments.insert(assignment.tool, Assigned { allowed, profile });
            }
        }
        Ok(standings.into_iter().map(|(id, standing)| (id, Arc::new(standing))).collect())
    }

    pub(crate) fn switches(&self) -> Switches<'_> {
        Switches { tenant: Some(&self.tools), everyone: Some(&self.everyone) }
    }

    /// How the caller's agent stands; absent when the caller is no agent, or the agent does not exist.
    pub(crate) fn standing(&self, caller: &Caller) -> Option<&Arc<Standing>> {
        self.agents.get(&caller.agent_id?)
    }

    /// Everything that a person may do; nothing when the person was disabled.
    pub(crate) fn permissions_of(&self, user: &User) -> PermissionSet {
        let mut granted = PermissionSet::default();
        if user.status == UserStatus::Active {
            user.roles.iter().filter_map(|name| self.roles.get(name)).for_each(|role| granted.extend(role));
        }
        granted
    }

    /// A person, as a caller.
    pub(crate) fn caller(&self, user: &User, tenant_slug: &str, tenant: TenantId) -> Caller {
        let permissions = self.permissions_of(user);
        Caller {
            roles: user.roles.as_slice().into(),
            workspaces: self.workspaces_of(user, &permissions),
            permissions: Arc::new(permissions),
            ..Caller::with_scopes(tenant, tenant_slug, Principal::User(user.id), &[])
        }
    }

    /// The teams of a person; absent for those who may change people, who belong to all.
    fn workspaces_of(&self, user: &User, permissions: &PermissionSet) -> Option<Arc<BTreeSet<WorkspaceId>>> {
        (!permissions.contains("people.tenant.update"))
            .then(|| Arc::new(user.workspaces.iter().copied().collect()))
    }
}

fn overrides(
    everyone: Option<&TenantRules>,
    own: &BTreeMap<String, ToolOverride>,
    old: Option<&TenantRules>,
) -> Arc<Overrides> {
    let mut all = Overrides::new();
    let shared = everyone.map(|default| &*default.own_overrides);
    for (name, change) in shared.into_iter().flatten().chain(own) {
        all.entry(name.clone()).or_default().push(change.clone());
    }
    match old {
        Some(old) if *old.overrides == all => Arc::clone(&old.overrides),
        _ => Arc::new(all),
    }
}

fn roles(own: &[Record]) -> Result<BTreeMap<String, PermissionSet>, StoreError> {
    let mut roles: BTreeMap<String, PermissionSet> = BUILT_IN_ROLES
        .iter()
        .filter_map(|(name, _)| Some(((*name).to_owned(), Role::built_in(name)?)))
        .collect();
    for record in own {
        let role: Role = decode(record)?;
        // A tenant's role never replaces a built-in one.
        roles.entry(role.name).or_insert_with(|| PermissionSet::of(role.permissions));
    }
    Ok(roles)
}

/// The newest version, compiled; not again when it is the one that was in force before.
fn policy(versions: &[Record], old: Option<&TenantRules>) -> Result<Option<Arc<PolicySet>>, StoreError> {
    let Some(newest) = versions.last() else {
        return Ok(None);
    };
    let version: super::policies::PolicyVersion = decode(newest)?;
    if let Some(same) = old.and_then(|old| old.policy.as_ref()).filter(|set| set.version() == version.version)
    {
        return Ok(Some(Arc::clone(same)));
    }
    let set = super::policies::compiled(&version.document)
        .map_err(|e| StoreError::Corrupt(format!("the policy in force does not compile: {e}")))?;
    Ok(Some(Arc::new(set)))
}
