//! An invisible tool does not exist: it is neither listed nor named in an error.

use toolgate_domain::{
    Caller, Surface, Tool,
    tool::{Origin, Visibility},
};

/// Whether the tool exists for this caller, coming through this surface.
pub fn is_visible(caller: &Caller, surface: Surface, tool: &Tool) -> bool {
    let of_tenant = tool.tenant_id == caller.tenant_id || tool.origin == Origin::Code;
    let listed = tool.spec.tenant_slugs.is_empty() || tool.spec.tenant_slugs.contains(&caller.tenant_slug);
    let reachable = tool.spec.visibility == Visibility::External || surface == Surface::Internal;
    of_tenant && listed && reachable
}
