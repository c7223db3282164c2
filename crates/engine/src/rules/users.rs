//! People: local accounts, and those who sign in elsewhere.

use serde::Deserialize;
use toolgate_domain::{
    Caller, TenantId, UserId, WorkspaceId,
    governance::{OidcIdentity, PermissionSet, User, UserStatus},
};
use toolgate_store::Kind;

use super::{
    RuleError, Rules,
    document::{Document, Told},
};

const PASSWORD_CHARS: std::ops::RangeInclusive<usize> = 12..=200;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    pub email: String,
    pub name: String,
    #[serde(default)]
    pub roles: Vec<String>,
    #[serde(default)]
    pub workspaces: Vec<WorkspaceId>,
    /// Absent for people who only sign in elsewhere.
    #[serde(default)]
    pub password: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub roles: Option<Vec<String>>,
    #[serde(default)]
    pub workspaces: Option<Vec<WorkspaceId>>,
    #[serde(default)]
    pub status: Option<UserStatus>,
    #[serde(default)]
    pub password: Option<String>,
}

/// Addresses are compared without regard to case.
pub(crate) fn normal_email(email: &str) -> String {
    email.trim().to_lowercase()
}

impl Rules {
    pub async fn users(&self, caller: &Caller) -> Result<Vec<User>, RuleError> {
        let mut all: Vec<User> = self.read_all(caller.tenant_id, Kind::User).await?;
        all.sort_by(|a, b| a.email.cmp(&b.email));
        Ok(all)
    }

    pub async fn user(&self, caller: &Caller, id: UserId) -> Result<User, RuleError> {
        Ok(self.user_document(caller, id).await?.value)
    }

    async fn user_document(&self, caller: &Caller, id: UserId) -> Result<Document<User>, RuleError> {
        let found = self.read(caller.tenant_id, Kind::User, id.uuid()).await?;
        found.ok_or_else(|| RuleError::missing("user", id))
    }

    pub async fn create_user(&self, caller: &Caller, new: NewUser) -> Result<User, RuleError> {
        let user = self.user_of(caller, new).await?;
        self.check_user(caller, &user).await?;
        self.add_user(caller, &user).await?;
        Ok(user)
    }

    /// Whether such a person could be made.
    pub(super) async fn check_new_user(&self, caller: &Caller, new: &NewUser) -> Result<(), RuleError> {
        let user = self.user_of(caller, new.clone()).await?;
        self.check_user(caller, &user).await
    }

    async fn user_of(&self, caller: &Caller, new: NewUser) -> Result<User, RuleError> {
        let password_hash = match &new.password {
            Some(password) => Some(self.hashed(password).await?),
            None => None,
        };
        let roles = if new.roles.is_empty() { vec!["member".to_owned()] } else { new.roles };
        let is_alone = self.snapshot(caller.tenant_id).await?.users.is_empty();
        let is_admin = roles.iter().any(|role| role == "admin");
        Ok(User {
            id: UserId::generate(&*self.ids),
            email: normal_email(&new.email),
            name: new.name.trim().to_owned(),
            workspaces: new.workspaces,
            status: UserStatus::Active,
            password_hash,
            oidc: None,
            created_at: self.clock.now(),
            is_first: is_alone && is_admin && caller.tenant_id == TenantId::DEFAULT,
            roles,
        })
    }

    async fn add_user(&self, caller: &Caller, user: &User) -> Result<(), RuleError> {
        let told = Told { action: "user.create", target: user.id.to_string() };
        let taken = || format!("there is a user with the address {} already", user.email);
        self.add(caller, Kind::User, (user.id.uuid(), &user.email), user, told, taken).await
    }

    /// Changes what the patch names. Another password ends every session of the person, and so does disabling them: whoever knew the
    /// old password may have signed in with it. The session of `own_token` goes on, where a person changes their own password in it.
    pub async fn update_user(
        &self,
        caller: &Caller,
        id: UserId,
        patch: UserPatch,
        own_token: Option<&str>,
    ) -> Result<User, RuleError> {
        let old = self.user_document(caller, id).await?;
        let mut user = old.value.clone();
        if let Some(name) = patch.name {
            user.name = name.trim().to_owned();
        }
        user.roles = patch.roles.unwrap_or(user.roles);
        user.workspaces = patch.workspaces.unwrap_or(user.workspaces);
        user.status = patch.status.unwrap_or(user.status);
        if let Some(password) = &patch.password {
            user.password_hash = Some(self.hashed(password).await?);
        }
        self.check_user(caller, &user).await?;
        let is_shut_out = user.status == UserStatus::Disabled && old.value.status != UserStatus::Disabled;
        let told = Told { action: "user.update", target: id.to_string() };
        let (write, event) = self.replacing(caller, old, &user.email, &user, &told)?;
        let (mut writes, mut events) = (vec![write], vec![event]);
        if patch.password.is_some() || is_shut_out {
            let kept = own_token.filter(|_| caller.user_id() == Some(id) && !is_shut_out);
            for (write, event) in self.ending_logins(caller, &user, kept).await? {
                writes.push(write);
                events.extend(event);
            }
        }
        self.commit(caller, writes, events).await?;
        Ok(user)
    }

    /// The person whom another site vouches for: known by issuer and subject; on the first visit by a verified address that
    /// somebody here entered.
    pub(crate) async fn user_from_elsewhere(
        &self,
        caller: &Caller,
        identity: &OidcIdentity,
        verified_email: Option<&str>,
    ) -> Result<Option<User>, RuleError> {
        let rules = self.snapshot(caller.tenant_id).await?;
        if let Some(user) = rules.from_elsewhere.get(identity).and_then(|id| rules.users.get(id)) {
            return Ok(Some(User::clone(user)));
        }
        let Some(email) = verified_email.map(normal_email) else {
            return Ok(None);
        };
        let Some(old) = self.read_named::<User>(caller.tenant_id, Kind::User, &email).await? else {
            return Ok(None);
        };
        // An account that belongs to one identity is not handed to another.
        if old.value.oidc.is_some() {
            return Ok(None);
        }
        let user = User { oidc: Some(identity.clone()), ..old.value.clone() };
        let told = Told { action: "user.link", target: user.id.to_string() };
        self.replace(caller, old, &email, &user, told).await?;
        Ok(Some(user))
    }

    async fn hashed(&self, password: &str) -> Result<String, RuleError> {
        if !PASSWORD_CHARS.contains(&password.chars().count()) {
            return Err(RuleError::Invalid("a password has 12 to 200 characters".to_owned()));
        }
        Ok(self.passwords.hash(password).await?)
    }

    /// Refuses an act upon a person who can do more than the caller.
    pub(super) async fn refuse_beyond(
        &self,
        caller: &Caller,
        user: &User,
        what: &str,
    ) -> Result<(), RuleError> {
        let rules = self.snapshot(caller.tenant_id).await?;
        let held = user.roles.iter().filter_map(|name| Some((name, rules.roles.get(name)?)));
        match held.filter_map(|(name, role)| Some((name, beyond(caller, role)?))).next() {
            Some((name, more)) => Err(RuleError::Forbidden(format!(
                "you cannot {what} {}: the role {name} grants {more}, which you do not have",
                user.email
            ))),
            None => Ok(()),
        }
    }

    /// Nobody gives a role that can do more than they can.
    async fn check_user(&self, caller: &Caller, user: &User) -> Result<(), RuleError> {
        let at = user.email.split_once('@');
        let whole =
            at.is_some_and(|(name, site)| !name.is_empty() && !site.is_empty() && !site.contains('@'));
        if !whole || user.email.len() > 254 || user.email.chars().any(|c| c.is_whitespace() || c.is_control())
        {
            return Err(RuleError::Invalid(format!("`{}` is not an e-mail address", user.email)));
        }
        if user.name.is_empty() || user.name.chars().count() > 120 {
            return Err(RuleError::Invalid("a user has a name of 1 to 120 characters".to_owned()));
        }
        let rules = self.snapshot(caller.tenant_id).await?;
        for name in &user.roles {
            let Some(role) = rules.roles.get(name) else {
                let known: Vec<_> = rules.roles.keys().map(String::as_str).collect();
                return Err(RuleError::Invalid(format!(
                    "there is no role `{name}`; there are {}",
                    known.join(", ")
                )));
            };
            if let Some(more) = beyond(caller, role) {
                return Err(RuleError::Forbidden(format!(
                    "you cannot give the role {name}: it grants {more}, which you do not have"
                )));
            }
        }
        match user.workspaces.iter().find(|id| !rules.workspaces.contains_key(id)) {
            Some(id) => Err(RuleError::Invalid(format!("there is no workspace {id}"))),
            None => Ok(()),
        }
    }
}

/// Something that a role grants and the caller does not have.
fn beyond<'a>(caller: &Caller, role: &'a PermissionSet) -> Option<&'a str> {
    let all = role.is_all() && !caller.permissions.is_all();
    role.names().find(|name| !caller.has(name)).or(all.then_some("everything"))
}
