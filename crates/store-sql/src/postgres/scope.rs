//! Whose rows a transaction is about. Without that, row-level security shows it nothing.

use sqlx::{AssertSqlSafe, PgPool, Postgres as Server, Transaction};
use toolgate_domain::TenantId;
use toolgate_store::StoreError;

use super::{Postgres, database::refused};

/// What every connection but the migration's and the writer's works as. It owns nothing and cannot bypass the policies.
pub(super) const ROLE: &str = "toolgate_app";

/// What the ledger is written as: it adds and changes rows of all tenants, and reads next to nothing.
pub(super) const LEDGER_ROLE: &str = "toolgate_ledger";

/// The value of `app.tenant`.
pub(super) fn list<'a>(tenants: impl IntoIterator<Item = &'a TenantId>) -> String {
    let ids: Vec<_> = tenants.into_iter().map(|tenant| tenant.uuid().to_string()).collect();
    ids.join(",")
}

impl Postgres {
    /// To read rows of one tenant. It is never committed: the rollback travels with whatever the connection does next.
    pub(super) async fn of(&self, tenant: TenantId) -> Result<Transaction<'static, Server>, StoreError> {
        self.of_all(&[tenant]).await
    }

    pub(super) async fn of_all(
        &self,
        tenants: &[TenantId],
    ) -> Result<Transaction<'static, Server>, StoreError> {
        begin(&self.pool, "READ ONLY", tenants, "").await
    }

    /// To change rows of one tenant that no chain is told about.
    pub(super) async fn change_of(
        &self,
        tenant: TenantId,
    ) -> Result<Transaction<'static, Server>, StoreError> {
        begin(&self.pool, "", &[tenant], "").await
    }
}

/// Begins, says whose rows it is about, and does `then`, in one trip to the server.
pub(super) async fn begin(
    pool: &PgPool,
    mode: &'static str,
    tenants: &[TenantId],
    then: &'static str,
) -> Result<Transaction<'static, Server>, StoreError> {
    // Only ids are put into the text: hexadecimal digits, hyphens, and commas between them.
    let text = format!("BEGIN {mode}; SET LOCAL app.tenant = '{}'; {then}", list(tenants));
    pool.begin_with(AssertSqlSafe(text)).await.map_err(refused)
}
