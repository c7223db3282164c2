//! The first person of an installation is made by a link that the first start prints: good once, and for an hour.

use data_encoding::HEXLOWER;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use toolgate_domain::{Caller, TenantId, Timestamp, governance::User, ids::Uuid, json::parse};

use super::{NewUser, RuleError, Rules};

const LINK: &str = "first_person_link";
const MADE: &str = "first_person_made";
const GOOD_FOR_MS: i64 = 60 * 60 * 1_000;

/// The link as it is kept: never the token itself.
#[derive(Serialize, Deserialize)]
struct KeptLink {
    hash: String,
    expires_at: Timestamp,
}

fn hash_of(token: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(token.as_bytes()))
}

impl Rules {
    /// The token of the link, once: nothing where there are people, or a link was given before.
    pub async fn first_person_link(&self) -> Result<Option<String>, RuleError> {
        if !self.snapshot(TenantId::DEFAULT).await?.users.is_empty() {
            return Ok(None);
        }
        let token = HEXLOWER.encode(&rand::rng().random::<[u8; 32]>());
        let link = KeptLink { hash: hash_of(&token), expires_at: self.clock.now().plus_ms(GOOD_FOR_MS) };
        let link = json!(link).to_string().into_bytes();
        let kept = self.stores.settings.get_or_init(LINK, &link).await?;
        Ok((kept == link).then_some(token))
    }

    /// Makes the first person, who may do everything.
    pub async fn create_first_person(&self, token: &str, person: NewUser) -> Result<User, RuleError> {
        let unusable = || {
            let message = "this link does not make the first account: it was used, has expired, or is not of this installation; \
                use `toolgate user create` with the key in admin.key";
            RuleError::Forbidden(message.to_owned())
        };
        let kept = self.stores.settings.get_or_init(LINK, b"null").await?;
        let link = parse(&kept, 2).ok().and_then(|link| KeptLink::deserialize(link).ok());
        let link = link.filter(|link| link.expires_at > self.clock.now()).ok_or_else(unusable)?;
        let is_ours = bool::from(hash_of(token).as_bytes().ct_eq(link.hash.as_bytes()));
        if !is_ours || !self.snapshot(TenantId::DEFAULT).await?.users.is_empty() {
            return Err(unusable());
        }
        let system = Caller::system(TenantId::DEFAULT, "default");
        let person = NewUser { roles: vec!["admin".to_owned()], workspaces: Vec::new(), ..person };
        self.check_new_user(&system, &person).await?;
        // Of two at once, one makes the account.
        let claim: Uuid = self.ids.uuid();
        let claimed = self.stores.settings.get_or_init(MADE, claim.as_bytes()).await?;
        if claimed != claim.as_bytes() {
            return Err(unusable());
        }
        self.create_user(&system, person).await
    }
}
