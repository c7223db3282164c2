use serde::{Deserialize, Serialize};

use crate::{
    ids::{UserId, WorkspaceId},
    time::Timestamp,
};

/// A team inside a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Workspace {
    pub id: WorkspaceId,
    pub slug: String,
    pub name: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum UserStatus {
    #[default]
    Active,
    Disabled,
}

/// Who vouches for a person, and under which name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OidcIdentity {
    pub issuer: String,
    pub subject: String,
}

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    pub id: UserId,
    pub email: String,
    pub name: String,
    pub roles: Vec<String>,
    /// The teams the person belongs to.
    pub workspaces: Vec<WorkspaceId>,
    pub status: UserStatus,
    /// argon2id, in PHC form. Absent for people who only sign in elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oidc: Option<OidcIdentity>,
    pub created_at: Timestamp,
    /// The first person of the installation: the key of the first start is theirs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_first: bool,
}
