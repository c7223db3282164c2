//! An invisible tool does not exist: it is neither listed nor named in an error.

use std::collections::HashMap;

use toolgate_domain::{
    Caller, Surface, Tool,
    governance::ToolSettings,
    tool::{Origin, Visibility},
};

/// What the tenant, and the installation for all tenants, decided about tools, by name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Switches<'a> {
    pub tenant: Option<&'a HashMap<String, ToolSettings>>,
    pub everyone: Option<&'a HashMap<String, ToolSettings>>,
}

impl Switches<'_> {
    /// Opt-in for system tools, opt-out for the rest. A tenant cannot switch on what is switched off for everyone.
    fn show(self, tool: &Tool) -> bool {
        let of = |all: Option<&HashMap<String, ToolSettings>>| {
            all.and_then(|all| all.get(tool.spec.name.as_str())).and_then(|settings| settings.enabled)
        };
        let (own, everyone) = (of(self.tenant), of(self.everyone));
        if own == Some(false) || everyone == Some(false) {
            return false;
        }
        !tool.needs_opt_in() || own == Some(true) || everyone == Some(true)
    }
}

/// Whether the tool exists for this caller, coming through this surface.
pub fn is_visible(caller: &Caller, surface: Surface, tool: &Tool, switches: Switches<'_>) -> bool {
    is_known(caller, surface, tool) && switches.show(tool)
}

/// Whether it would exist if it were switched on.
pub fn is_known(caller: &Caller, surface: Surface, tool: &Tool) -> bool {
    let of_tenant = tool.tenant_id == caller.tenant_id || tool.origin == Origin::Code;
    let listed = tool.spec.tenant_slugs.is_empty()
        || tool.spec.tenant_slugs.iter().any(|slug| **slug == *caller.tenant_slug);
    let reachable = tool.spec.visibility == Visibility::External || surface == Surface::Internal;
    of_tenant && listed && reachable
}
