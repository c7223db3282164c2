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
    rate::{RateDecision, RateLimit},
};
use toolgate_store::{Kind, Record, RecordWrite, StoreError, Tenant};

use super::{RuleError, Rules, document::decode, users::normal_email};

/// Attempts to sign in to one account.
const ATTEMPTS: RateLimit = RateLimit { limit: 10, window_s: 300, concurrency: None };
const PREFIX: &str = "tgs_";

/// A session that was just made. The token exists nowhere else.
pub struct NewLogin {
    pub token: String,
    pub csrf: String,
    pub user: User,
    pub expires_at: Timestamp,
}

/// A session as it is kept.
#[derive(Serialize, Deserialize)]
struct Login {
    user_id: UserId,
    expires_at: Timestamp,
}

fn hash_of(token: &str) -> String {
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

impl Rules {
    /// Signs a person in with a password. Whether the address or the password was wrong is not told.
    pub async fn sign_in(
        &self,
        tenant: Option<&str>,
        email: &str,
        password: &str,
    ) -> Result<Option<NewLogin>, RuleError> {
        let email = normal_email(email);
        let account = format!("login:{}:{email}", tenant.unwrap_or_default());
        if let RateDecision::Limited { retry_after_us } =
            self.stores.rates.check(&account, ATTEMPTS, self.clock.now()).await?
        {
            let seconds = u64::try_from(retry_after_us).unwrap_or(0).div_ceil(1_000_000);
            return Err(RuleError::TooMany { retry_after_s: seconds });
        }
        let Some(tenant) = self.open_tenant(tenant).await? else {
            self.passwords.verify(password, None).await?;
            return Ok(None);
        };
        let rules = self.snapshot(tenant.id).await?;
        let user = rules.users.values().find(|user| user.email == email && user.status == UserStatus::Active);
        let kept = user.and_then(|user| user.password_hash.as_deref());
        match (self.passwords.verify(password, kept).await?, user) {
            (true, Some(user)) => Ok(Some(self.begin_login(&tenant, user).await?)),
            _ => Ok(None),
        }
    }

    /// Signs a person in whom another site vouches for.
    pub async fn sign_in_elsewhere(
        &self,
        tenant: Option<&str>,
        identity: &OidcIdentity,
        verified_email: Option<&str>,
    ) -> Result<Option<NewLogin>, RuleError> {
        let Some(tenant) = self.open_tenant(tenant).await? else {
            return Ok(None);
        };
        let system = Caller::system(tenant.id, &tenant.slug);
        match self.user_from_elsewhere(&system, identity, verified_email).await? {
            Some(user) if user.status == UserStatus::Active => {
                Ok(Some(self.begin_login(&tenant, &user).await?))
            }
            _ => Ok(None),
        }
    }

    async fn begin_login(&self, tenant: &Tenant, user: &User) -> Result<NewLogin, RuleError> {
        let secret = HEXLOWER.encode(&rand::rng().random::<[u8; 32]>());
        let token = format!("{PREFIX}{}_{secret}", tenant.id.uuid().simple());
        let now = self.clock.now();
        let expires_at =
            now.plus_ms(i64::try_from(self.limits.login_ttl_s.saturating_mul(1_000)).unwrap_or(i64::MAX));
        let login = Login { user_id: user.id, expires_at };
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
        let mut writes = self.ended_logins(tenant.id, now).await?;
        writes.push(RecordWrite::Insert(record));
        let person = Caller::with_scopes(tenant.id, &tenant.slug, Principal::User(user.id), &[]);
        let event = AuditEvent::by(&person, &*self.ids, &*self.clock, "login.begin", user.id);
        self.stores.records.commit(tenant.id, writes, vec![event]).await?;
        Ok(NewLogin { csrf: csrf_of(&token), token, user: user.clone(), expires_at })
    }

    /// Sessions that are over, to be forgotten.
    async fn ended_logins(&self, tenant: TenantId, now: Timestamp) -> Result<Vec<RecordWrite>, StoreError> {
        let mut ended = Vec::new();
        for record in self.stores.records.all(tenant, Kind::Login).await? {
            let login: Login = decode(&record)?;
            if login.expires_at <= now {
                ended.push(RecordWrite::Delete {
                    kind: Kind::Login,
                    id: record.id,
                    revision: record.revision,
                });
            }
        }
        Ok(ended)
    }

    /// The person behind a session, as the rules of this moment see them.
    pub async fn signed_in(&self, token: &str) -> Result<Option<(Caller, User)>, StoreError> {
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
        let user = rules.users.get(&login.user_id).filter(|user| user.status == UserStatus::Active);
        Ok(user.map(|user| (rules.caller(user, &tenant.slug, tenant.id), User::clone(user))))
    }

    /// Ends a session; one that is over stays over.
    pub async fn sign_out(&self, caller: &Caller, token: &str) -> Result<(), StoreError> {
        let Some(record) =
            self.stores.records.by_name(caller.tenant_id, Kind::Login, &hash_of(token)).await?
        else {
            return Ok(());
        };
        let event = AuditEvent::by(caller, &*self.ids, &*self.clock, "login.end", caller.principal);
        let write = RecordWrite::Delete { kind: Kind::Login, id: record.id, revision: record.revision };
        match self.stores.records.commit(caller.tenant_id, vec![write], vec![event]).await {
            Ok(()) | Err(StoreError::Conflict(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
