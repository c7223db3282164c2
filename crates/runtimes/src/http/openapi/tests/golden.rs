//! One document with a bit of everything, and exactly what is made of it.

use serde_json::{Value, json};
use toolgate_engine::Runtime;

use super::super::{Import, ImportOptions, import};
use crate::http::{HttpOptions, HttpRuntime};

const PETSHOP: &str = include_str!("petshop.yaml");

fn shown(import: &Import) -> Value {
    let tools: Vec<Value> = import
        .tools
        .iter()
        .map(|made| json!({"operation": made.operation, "definition": made.spec, "warnings": made.warnings}))
        .collect();
    let left_out: Vec<String> = import
        .left_out
        .iter()
        .map(|left_out| format!("{}: {}", left_out.operation, left_out.reason))
        .collect();
    json!({"tools": tools, "left_out": left_out})
}

#[test]
fn the_pet_shop_becomes_these_tools() {
    let made = import(PETSHOP, &ImportOptions::default()).unwrap();
    insta::assert_json_snapshot!("petshop", shown(&made));
}

#[test]
fn the_runtime_takes_every_tool_and_asks_for_no_stricter_class() {
    let runtime =
        HttpRuntime::new(std::sync::Arc::new(toolgate_domain::time::SystemClock), HttpOptions::default())
            .unwrap();
    let options = ImportOptions { include_deprecated: true, ..ImportOptions::default() };
    let made = import(PETSHOP, &options).unwrap();
    assert_eq!(made.tools.len(), 10);
    for made in made.tools {
        runtime.check(&made.spec.execution).unwrap();
        assert_eq!(runtime.egress_floor(&made.spec.execution), made.spec.egress_class, "{}", made.operation);
    }
}

#[test]
fn json_and_yaml_are_one() {
    let document: Value = serde_saphyr::from_str(PETSHOP).unwrap();
    let options = ImportOptions::default();
    let (yaml, json) = (import(PETSHOP, &options).unwrap(), import(&document.to_string(), &options).unwrap());
    assert_eq!(shown(&yaml), shown(&json));
}

#[test]
fn an_importer_chooses_operations_names_and_place() {
    let options = ImportOptions {
        server: Some("http://127.0.0.1:8080/api/".to_owned()),
        only: vec!["photos".to_owned(), "addNote".to_owned(), "/categ*".to_owned(), "getPet".to_owned()],
        prefix: "shop_".to_owned(),
        secret_prefix: Some("SHOP_".to_owned()),
        include_deprecated: true,
    };
    let made = import(PETSHOP, &options).unwrap();
    let names: Vec<_> = made.tools.iter().map(|made| made.spec.name.as_str()).collect();
    assert_eq!(
        names,
        ["shop_categories_tree", "shop_addNote", "shop_getPet", "shop_get_pets_petId_photos_file_name"]
    );
    let tree = &made.tools[0].spec;
    assert_eq!(tree.execution.config["url"], "http://127.0.0.1:8080/api/categories");
    assert_eq!(tree.secrets, ["SHOP_KEY"]);
    // Both have this operation id; the name of the one that is made does not depend on what else is.
    assert_eq!(made.left_out.len(), 1);
    assert!(made.left_out[0].operation.starts_with("PUT /pets/"), "{:?}", made.left_out);
}
