use serde_json::json;
use toolgate_domain::EgressClass;

use super::Fixture;

pub async fn a_tool_that_writes_asks_whoever_wrote_the_row(f: &Fixture) {
    let tool = f.tool("pusher", "1.0.0", json!({"egress_class": "write", "requires_approval": false}));
    f.stores.tools.insert(&tool, &f.schemas(&tool), &f.audit("tool.register")).await.unwrap();
    let stored = || async { f.stores.tools.all(tool.tenant_id).await.unwrap().remove(0) };
    assert!(stored().await.spec.requires_approval, "through the trait");

    let id = f.raw.literal(tool.id.uuid());
    let off = if f.raw.literal(tool.id.uuid()).starts_with('x') { "0" } else { "false" };
    f.raw
        .execute(&format!("UPDATE tools_registry SET requires_approval = {off} WHERE id = {id}"))
        .await
        .unwrap();
    assert!(stored().await.spec.requires_approval, "around the trait");

    let reader = f.tool("reader", "1.0.0", json!({"egress_class": "read_only"}));
    f.stores.tools.insert(&reader, &f.schemas(&reader), &f.audit("tool.register")).await.unwrap();
    let id = f.raw.literal(reader.id.uuid());
    f.raw
        .execute(&format!("UPDATE tools_registry SET egress_class = 'write' WHERE id = {id}"))
        .await
        .unwrap();
    let tools = f.stores.tools.all(tool.tenant_id).await.unwrap();
    assert!(tools.iter().all(|tool| tool.spec.requires_approval), "{tools:?}");
    assert_eq!(tools[0].spec.egress_class, EgressClass::Write);
}
