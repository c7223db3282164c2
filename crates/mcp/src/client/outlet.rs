//! The way out. Which addresses may be reached is decided where the server is put together; here nothing is connected to otherwise.

use async_trait::async_trait;
use toolgate_domain::ToolError;

/// Opens ways to addresses that tenants name.
#[async_trait]
pub trait Outlet: Send + Sync {
    /// Judges what can be judged by the looks of an address, as when it is saved. The message says why not.
    fn check(&self, url: &str) -> Result<(), String>;

    /// A client that connects to the host of this address and to no other: it judges whatever the name resolves to each time that it
    /// connects, follows no redirect, and keeps its connections for those who hold it.
    async fn client(&self, url: &str) -> Result<reqwest::Client, ToolError>;
}
