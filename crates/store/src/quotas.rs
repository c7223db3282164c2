use async_trait::async_trait;
use toolgate_domain::{
    Timestamp,
    quota::{Amount, Claim, QuotaDecision, Settlement, Window},
};

use crate::StoreError;

/// What was spent in a window, one account per name. The time is the caller's: it decides which window is meant.
///
/// After an error nobody knows whether it was done. A take whose answer was lost stays counted until its window ends, which
/// errs on the side of the cap.
#[async_trait]
pub trait Quotas: Send + Sync {
    /// Takes every claim, or none if one of them does not fit under its cap. Claims are weighed in their order, so a later one
    /// on the same account sees the earlier.
    async fn take(&self, claims: &[Claim], now: Timestamp) -> Result<QuotaDecision, StoreError>;

    /// Replaces what was taken for a call by what it cost, even above the cap: the truth is recorded, and later calls are
    /// refused. Each settlement counts, so a claim is settled once. After `Window::kept_until` it changes nothing: nobody can
    /// spend from that window any more.
    async fn settle(&self, settlements: &[Settlement], now: Timestamp) -> Result<(), StoreError>;

    /// What counts against a cap in the window around `now`: spent, or taken and not settled yet.
    async fn spent(&self, account: &str, window: Window, now: Timestamp) -> Result<Amount, StoreError>;
}
