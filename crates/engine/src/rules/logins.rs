//! Browsers' sessions: a token in a cookie, kept as its hash; and a second token that only our own pages can read, for changes.

use data_encoding::HEXLOWER;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use toolgate_domain::{
    AuditEvent, Caller, Principal, TenantId, Timestamp, UserId,
    governance::{OidcIdentity, User, UserStatus},
    ids::Uuid,
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError, Tenant};

use super::{
    DeviceMark, RuleError, Rules, SignInSource,
    attempts::Account,
    document::{decode, encode},
    users::normal_email,
};

const PREFIX: &str = "tgs_";

/// A session that was just made. The token exists nowhere else.
pub struct NewLogin {
    pub token: String,
    pub csrf: String,
    pub user: User,
    pub expires_at: Timestamp,
    /// For the browser, where a password was given.
    pub device: Option<DeviceMark>,
}

/// A session as it is kept. Sessions that began under an older version lack the later fields.
#[derive(Serialize, Deserialize)]
pub(super) struct Login {
    pub(super) user_id: UserId,
    pub(super) expires_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) used_at: Option<Timestamp>,
    /// The print of the person's password when the session began. A sign-in that a change of the password overtakes leaves a session
    /// that is not listed when the others end; by this it is no session either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) password: Option<String>,
}

impl Login {
    fn knows(&self, user: &User) -> bool {
        self.password.as_ref().is_none_or(|print| *print == print_of(user))
    }
}

/// A print of the password: enough to tell that it is another one.
pub(super) fn print_of(user: &User) -> String {
    let kept = user.password_hash.as_deref().unwrap_or_default();
    let digest = Sha256::new().chain_update("toolgate password").chain_update(kept).finalize();
    HEXLOWER.encode(&digest[..16])
}

pub(super) fn hash_of(token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(token.as_bytes()))
}

/// The token that a page sends back with a change. It follows from the session's own, which no page can read.
pub fn csrf_of(token: &str) -> String {
    HEXLOWER.encode(&Sha256::new().chain_update("toolgate csrf").chain_update(token).finalize())
}

/// Whether a page sent the right one.
pub fn is_csrf_of(token: &str, given: &str) -> bool {
    csrf_of(token).as_bytes().ct_eq(given.as_bytes()).into()
}

/// The tenant is in the token, so that a session is looked up behind its own wall.
pub fn tenant_of_login(token: &str) -> Option<TenantId> {
    let (tenant, _) = token.strip_prefix(PREFIX)?.split_once('_')?;
    Uuid::try_parse(tenant).ok().map(TenantId::from_uuid)
}

pub(super) fn removal_of(login: &Record) -> RecordWrite {
    RecordWrite::Delete { kind: login.kind, id: login.id, revision: login.revision }
}

pub(super) fn changed_login(record: Record, login: &Login, now: Timestamp) -> Result<RecordWrite, RuleError> {
    let (body, revision) = (encode(login)?, record.revision + 1);
    Ok(RecordWrite::Update(Record { body, revision, updated_at: now, ..record }))
}

impl Rules {
    /// Signs a person in with a password. Whether the address or the password was wrong is not told.
    pub async fn sign_in(
        &self,
        tenant: Option<&str>,
        email: &str,
        password: &str,
        source: &SignInSource<'_>,
    ) -> Result<Option<NewLogin>, RuleError> {
        let account = Account::of(tenant, email);
        self.count_attempt(&account, source).await?;
        let Some(tenant) = self.open_tenant(tenant).await? else {
            self.passwords.verify(password, None).await?;
            return Ok(None);
        };
        let (rules, email) = (self.snapshot(tenant.id).await?, normal_email(email));
        let user = rules.users.values().find(|user| user.email == email && user.status == UserStatus::Active);
        let kept = user.and_then(|user| user.password_hash.as_deref());
        match (self.passwords.verify(password, kept).await?, user) {
            (true, Some(user)) => {
                let device = Some(self.mark_device(&account).await?);
                let begun = self.begin_login(&tenant, user, source.client).await?;
                Ok(Some(NewLogin { device, ..begun }))
            }
            _ => Ok(None),
        }
    }

    /// Signs a person in whom another site vouches for.
    pub async fn sign_in_elsewhere(
        &self,
        tenant: Option<&str>,
        identity: &OidcIdentity,
        verified_email: Option<&str>,
        client: Option<&str>,
    ) -> Result<Option<NewLogin>, RuleError> {
        let Some(tenant) = self.open_tenant(tenant).await? else {
            return Ok(None);
        };
        let system = Caller::system(tenant.id, &tenant.slug);
        match self.user_from_elsewhere(&system, identity, verified_email).await? {
            Some(user) if user.status == UserStatus::Active => {
                Ok(Some(self.begin_login(&tenant, &user, client).await?))
            }
            _ => Ok(None),
        }
    }

    async fn begin_login(
        &self,
        tenant: &Tenant,
        user: &User,
        client: Option<&str>,
    ) -> Result<NewLogin, RuleError> {
        let secret = HEXLOWER.encode(&rand::rng().random::<[u8; 32]>());
        let token = format!("{PREFIX}{}_{secret}", tenant.id.uuid().simple());
        let now = self.clock.now();
        let expires_at =
            now.plus_ms(i64::try_from(self.limits.login_ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX));
        let login = Login {
            user_id: user.id,
            expires_at,
            client: client.map(str::to_owned),
            used_at: Some(now),
            password: Some(print_of(user)),
        };
        let record = Record {
            tenant_id: tenant.id,
            kind: Kind::Login,
            id: self.ids.uuid(),
            name: hash_of(&token),
            body: json!(login),
            revision: 1,
            created_at: now,
            updated_at: now,
        };
        let person = Caller::with_scopes(tenant.id, &tenant.slug, Principal::User(user.id), &[]);
        let event = AuditEvent::by(&person, &*self.ids, &*self.clock, "login.begin", user.id);
        self.stores.records.commit(tenant.id, vec![RecordWrite::Insert(record)], vec![event]).await?;
        // A failure here does not fail the sign-in: those sessions let nobody in, and the next sign-in forgets them.
        if let Err(error) = self.forget_ended_logins(tenant.id, now).await {
            tracing::debug!(%error, "sessions that are over were not forgotten");
        }
        let (csrf, user) = (csrf_of(&token), user.clone());
        Ok(NewLogin { csrf, token, user, expires_at, device: None })
    }

    /// Sessions that are over are forgotten by the next sign-in.
    async fn forget_ended_logins(&self, tenant: TenantId, now: Timestamp) -> Result<(), StoreError> {
        let mut ended = Vec::new();
        for record in self.stores.records.all(tenant, Kind::Login).await? {
            let login: Login = decode(&record)?;
            if login.expires_at <= now {
                ended.push(removal_of(&record));
            }
        }
        if ended.is_empty() {
            return Ok(());
        }
        self.stores.records.commit(tenant, ended, Vec::new()).await
    }

    /// The person behind a session, as the rules of this moment see them.
    pub async fn signed_in(&self, token: &str) -> Result<Option<(Caller, User)>, StoreError> {
        Ok(self.open_login(token).await?.map(|(_, caller, user)| (caller, user)))
    }

    /// The same for a request that the session makes, which is noted from time to time.
    pub async fn use_login(&self, token: &str) -> Result<Option<(Caller, User)>, StoreError> {
        let Some((record, caller, user)) = self.open_login(token).await? else {
            return Ok(None);
        };
        // A failure here does not fail the request: the next one notes the use.
        if let Err(error) = self.note_use(record).await {
            tracing::debug!(%error, "the use of a session was not noted");
        }
        Ok(Some((caller, user)))
    }

    async fn open_login(&self, token: &str) -> Result<Option<(Record, Caller, User)>, StoreError> {
        let Some(tenant) = tenant_of_login(token) else {
            return Ok(None);
        };
        let Some(record) = self.stores.records.by_name(tenant, Kind::Login, &hash_of(token)).await? else {
            return Ok(None);
        };
        let login: Login = decode(&record)?;
        if login.expires_at <= self.clock.now() {
            return Ok(None);
        }
        let Some(tenant) = self.stores.tenants.get(tenant).await?.filter(|t| t.archived_at.is_none()) else {
            return Ok(None);
        };
        let rules = self.snapshot(tenant.id).await?;
        let Some(user) = rules.users.get(&login.user_id).filter(|user| user.status == UserStatus::Active)
        else {
            return Ok(None);
        };
        if !login.knows(user) && !self.knows_latest(tenant.id, &login).await? {
            return Ok(None);
        }
        Ok(Some((record, rules.caller(user, &tenant.slug, tenant.id), User::clone(user))))
    }

    /// The session that changed its own password goes on, also where the change was not heard of yet.
    async fn knows_latest(&self, tenant: TenantId, login: &Login) -> Result<bool, StoreError> {
        let latest = self.read::<User>(tenant, Kind::User, login.user_id.uuid()).await?;
        Ok(latest.is_some_and(|document| login.knows(&document.value)))
    }

    async fn note_use(&self, record: Record) -> Result<(), RuleError> {
        let mut login: Login = decode(&record)?;
        let now = self.clock.now();
        let after_ms = i64::try_from(self.limits.login_note_s.saturating_mul(1_000)).unwrap_or(i64::MAX);
        if login.used_at.is_some_and(|used_at| used_at.plus_ms(after_ms) > now) {
            return Ok(());
        }
        login.used_at = Some(now);
        let tenant = record.tenant_id;
        let write = changed_login(record, &login, now)?;
        match self.stores.records.commit(tenant, vec![write], Vec::new()).await {
            // Another request of the session noted it, or the session ended.
            Ok(()) | Err(StoreError::Conflict(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Ends a session; one that is over stays over.
    pub async fn sign_out(&self, caller: &Caller, token: &str) -> Result<(), StoreError> {
        let Some(record) =
            self.stores.records.by_name(caller.tenant_id, Kind::Login, &hash_of(token)).await?
        else {
            return Ok(());
        };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "login.end", caller.principal);
        match self.stores.records.commit(caller.tenant_id, vec![removal_of(&record)], vec![event]).await {
            Ok(()) | Err(StoreError::Conflict(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
