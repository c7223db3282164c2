//! What the operator sets.

use std::sync::Arc;

use toolgate_domain::{Clock, TenantId, UpstreamId, time::SystemClock};

use super::{AllowedCommands, Outlet, UpstreamLimits, auth::Logins};

/// How the connections to upstreams are set up.
pub struct UpstreamOptions {
    pub clock: Arc<dyn Clock>,
    pub limits: UpstreamLimits,
    /// The programs that may be started; none, unless the operator names some.
    pub commands: AllowedCommands,
    /// The way to upstreams over HTTP; without it there are none.
    pub outlet: Option<Arc<dyn Outlet>>,
    /// The logins to upstreams that want OAuth; without it they are asked without one.
    pub logins: Option<Arc<Logins>>,
}

impl Default for UpstreamOptions {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            limits: UpstreamLimits::default(),
            commands: AllowedCommands::default(),
            outlet: None,
            logins: None,
        }
    }
}

/// An upstream says that its list of tools is another now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListChanged {
    pub tenant_id: TenantId,
    pub upstream_id: UpstreamId,
}
