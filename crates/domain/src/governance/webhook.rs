use serde::{Deserialize, Serialize};

use crate::{
    ids::{DeliveryId, InvocationId, WebhookId},
    time::Timestamp,
};

/// What a webhook is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum WebhookEvent {
    /// A call came to wait for a person.
    NeedsApproval,
}

/// Where questions are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    pub id: WebhookId,
    pub name: String,
    pub url: String,
    pub events: Vec<WebhookEvent>,
    /// Goes into the signing secret, which follows from the installation's key and is kept nowhere.
    pub salt: String,
    /// Calls that came to wait before this moment are not its business.
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum DeliveryStatus {
    /// Not yet sent, or to be sent again.
    Pending,
    Delivered,
    /// Every attempt failed.
    Failed,
    /// The question was answered, or its webhook deleted, before it could be delivered.
    Cancelled,
}

/// One question on its way to one webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    pub id: DeliveryId,
    pub webhook_id: WebhookId,
    pub invocation_id: InvocationId,
    pub status: DeliveryStatus,
    /// Attempts that were begun.
    pub attempts: u32,
    /// While pending: not before this moment. It also keeps others away while one process sends.
    pub next_attempt_at: Timestamp,
    /// The HTTP status of the last answer.
    pub last_status: Option<u16>,
    pub last_error: Option<String>,
    /// Makes the links of this delivery unlike those of any other.
    pub nonce: String,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}
