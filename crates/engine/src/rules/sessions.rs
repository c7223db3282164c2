//! A person's sessions, all told: shown, ended one by one, and ended together when the password is another.

use toolgate_domain::{AuditEvent, Caller, LoginId, Scope, Timestamp, UserId, governance::User};
use toolgate_store::{Kind, Record, RecordWrite, StoreError};

use super::{
    RuleError, Rules,
    document::{Told, decode},
    logins::{Login, changed_login, hash_of, print_of, removal_of},
};

/// A session as its person sees it; never its token.
#[derive(Clone, Debug)]
pub struct LoginInfo {
    pub id: LoginId,
    pub begun_at: Timestamp,
    pub used_at: Timestamp,
    pub expires_at: Timestamp,
    /// The kind of client; absent where it did not say.
    pub client: Option<String>,
    /// Whether it is the one that asks.
    pub is_current: bool,
}

impl Rules {
    /// The caller's own sessions, oldest first; none for a key that is nobody's. `token` is that of the session that asks.
    pub async fn own_logins(
        &self,
        caller: &Caller,
        token: Option<&str>,
    ) -> Result<Vec<LoginInfo>, RuleError> {
        match own_user(caller)? {
            Some(user) => self.logins_of(caller, user, token).await,
            None => Ok(Vec::new()),
        }
    }

    pub async fn end_own_login(&self, caller: &Caller, id: LoginId) -> Result<(), RuleError> {
        let user = own_user(caller)?.ok_or_else(|| RuleError::missing("session", id))?;
        self.end_login(caller, user, id).await
    }

    /// The sessions of a person whom the caller may change.
    pub async fn logins_of_user(
        &self,
        caller: &Caller,
        user: UserId,
        token: Option<&str>,
    ) -> Result<Vec<LoginInfo>, RuleError> {
        let user = self.user(caller, user).await?;
        self.logins_of(caller, user.id, token).await
    }

    /// Ends a session of another person. As with a password, it takes all that the person may do.
    pub async fn end_login_of_user(
        &self,
        caller: &Caller,
        user: UserId,
        id: LoginId,
    ) -> Result<(), RuleError> {
        let user = self.user(caller, user).await?;
        self.refuse_beyond(caller, &user, "end a session of").await?;
        self.end_login(caller, user.id, id).await
    }

    async fn logins_of(
        &self,
        caller: &Caller,
        user: UserId,
        token: Option<&str>,
    ) -> Result<Vec<LoginInfo>, RuleError> {
        let (now, current) = (self.clock.now(), token.map(hash_of));
        let of_user = self.records_of(caller, user).await?.into_iter();
        let open = of_user.filter(|(_, login)| login.expires_at > now);
        Ok(open.map(|(record, login)| info(&record, login, current.as_deref())).collect())
    }

    async fn records_of(&self, caller: &Caller, user: UserId) -> Result<Vec<(Record, Login)>, StoreError> {
        let mut found = Vec::new();
        for record in self.stores.records.all(caller.tenant_id, Kind::Login).await? {
            let login: Login = decode(&record)?;
            if login.user_id == user {
                found.push((record, login));
            }
        }
        Ok(found)
    }

    async fn end_login(&self, caller: &Caller, user: UserId, id: LoginId) -> Result<(), RuleError> {
        let record = self.stores.records.get(caller.tenant_id, Kind::Login, id.uuid()).await?;
        let login: Option<Login> = record.as_ref().map(decode).transpose()?;
        let (Some(record), true) = (record, login.is_some_and(|login| login.user_id == user)) else {
            return Err(RuleError::missing("session", id));
        };
        let told = Told { action: "login.end", target: user.to_string() };
        let (ends, event) = (removal_of(&record), self.event(caller, &told));
        Ok(self.stores.records.commit(caller.tenant_id, vec![ends], vec![event]).await?)
    }

    /// The writes that end every session of a person, for one commit with the change that asks for it. The session of the token `kept`
    /// goes on.
    pub(super) async fn ending_logins(
        &self,
        caller: &Caller,
        user: &User,
        kept: Option<&str>,
    ) -> Result<Vec<(RecordWrite, Option<AuditEvent>)>, RuleError> {
        let kept = kept.map(hash_of);
        let told = Told { action: "login.end", target: user.id.to_string() };
        let mut ending = Vec::new();
        for (record, login) in self.records_of(caller, user.id).await? {
            if kept.as_ref() == Some(&record.name) {
                let login = Login { password: Some(print_of(user)), ..login };
                ending.push((changed_login(record, &login, self.clock.now())?, None));
            } else {
                ending.push((removal_of(&record), Some(self.event(caller, &told))));
            }
        }
        Ok(ending)
    }
}

/// The person who asks. A key that was made for less than all that its person may do does not sign them out.
fn own_user(caller: &Caller) -> Result<Option<UserId>, RuleError> {
    let user = caller.user_id();
    if user.is_some() && !caller.scopes.is_empty() && !caller.scopes.contains(&Scope::Admin) {
        return Err(RuleError::Forbidden(
            "sessions are shown to the person who signed in, or to their key with the scope admin: sign in, or use such a key"
                .to_owned(),
        ));
    }
    Ok(user)
}

fn info(record: &Record, login: Login, current: Option<&str>) -> LoginInfo {
    LoginInfo {
        id: LoginId::from_uuid(record.id),
        begun_at: record.created_at,
        used_at: login.used_at.unwrap_or(record.created_at),
        expires_at: login.expires_at,
        client: login.client,
        is_current: current == Some(record.name.as_str()),
    }
}
