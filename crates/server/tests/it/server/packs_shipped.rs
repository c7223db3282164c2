//! The packs that ship: each is installed into a real server with the real sandbox, and every example of every tool is called
//! through the door.

use std::collections::BTreeSet;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{ErrorCode, Limits, json::canonical_bytes, tool::Example};
use toolgate_engine::Pack;
use toolgate_server::{shipped_pack, shipped_packs};

use crate::server::common::House;

fn shipped(name: &str) -> Pack {
    Pack::read(&shipped_pack(name).unwrap(), &Limits::default()).unwrap()
}

/// Calls one example, and holds the answer against its promise.
async fn call(house: &House, key: &str, tool: &str, example: &Example) -> Result<(), String> {
    let path = format!("/api/tools/{tool}/invoke");
    let (status, answer) = house.ask(key, Method::POST, &path, Some(json!({"input": example.input}))).await;
    let name = example.name.as_deref().unwrap_or_default();
    let differs = |expected: &Value| format!("{tool}, {name}: expected {expected}, came {status} {answer}");
    match (&example.output, example.error) {
        (Some(expected), None) => {
            let same = canonical_bytes(expected).ok() == canonical_bytes(&answer["output"]).ok();
            (status == StatusCode::OK && same).then_some(()).ok_or_else(|| differs(expected))
        }
        (None, Some(code)) => {
            let came = answer["error"]["code"].as_str();
            (came == Some(code.as_str())).then_some(()).ok_or_else(|| differs(&json!(code)))
        }
        _ => Err(format!("{tool}, {name}: an example that promises nothing")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_example_of_every_shipped_tool_gives_what_it_promises() {
    let house = House::with_python().await;
    let mut keys = vec![("default".to_owned(), house.key.clone())];
    for slug in ["ims", "oci"] {
        keys.push((slug.to_owned(), house.tenant(slug).await.1));
    }
    let mut failures = Vec::new();
    for pack in shipped_packs().iter().map(|name| shipped(name)) {
        let mut tried = BTreeSet::new();
        for (slug, key) in &keys {
            let mine = |slugs: &[String]| slugs.is_empty() || slugs.contains(slug);
            if !pack.tools.iter().any(|spec| mine(&spec.tenant_slugs)) {
                continue;
            }
            let body = json!({"name": pack.manifest.name});
            let (status, plan) = house.ask(key, Method::POST, "/api/packs", Some(body)).await;
            assert_eq!(status, StatusCode::CREATED, "{plan}");
            for spec in pack.tools.iter().filter(|spec| mine(&spec.tenant_slugs)) {
                for example in &spec.examples {
                    failures.extend(call(&house, key, spec.name.as_str(), example).await.err());
                }
                tried.insert(spec.name.clone());
            }
        }
        assert_eq!(tried.len(), pack.tools.len(), "a tool of {} was tried nowhere", pack.manifest.name);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_shipped_tool_is_documented_bounded_and_tried() {
    let mut count = 0;
    for pack in shipped_packs().iter().map(|name| shipped(name)) {
        for spec in &pack.tools {
            let name = &spec.name;
            assert!(!name.is_unconventional(), "{name}");
            assert!(spec.output_schema.is_some() && !spec.output_sections.is_empty(), "{name}");
            let outputs = &spec.output_schema.as_ref().unwrap()["properties"];
            assert!(spec.output_sections.iter().all(|section| outputs.get(&section.key).is_some()), "{name}");
            assert_eq!(spec.input_schema["additionalProperties"], false, "{name}");
            let answered = spec.examples.iter().filter(|example| example.output.is_some()).count();
            let refused = |example: &&Example| example.error == Some(ErrorCode::ValidationError);
            assert!(answered >= 4 && spec.examples.iter().any(|example| refused(&example)), "{name}");
            count += 1;
        }
    }
    assert_eq!(count, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_tenant_gets_its_own_tools_of_the_commerce_pack_and_the_others_do_not_exist() {
    let house = House::with_python().await;
    let (_, ims) = house.tenant("ims").await;
    let (_, oci) = house.tenant("oci").await;
    let commerce = || Some(json!({"name": "commerce"}));
    let (status, refused) = house.post("/api/packs", commerce().unwrap()).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let detail = refused["detail"].as_str().unwrap();
    assert!(detail.contains("`default`") && detail.contains("estimateCoverage"), "{detail}");

    let of_ims = ["estimateCoverage", "screenRisk", "selectProduct"];
    let of_oci = ["estimateOrder", "generateComparison"];
    for (key, own, foreign) in [(&ims, &of_ims[..], &of_oci[..]), (&oci, &of_oci[..], &of_ims[..])] {
        let (status, plan) = house.ask(key, Method::POST, "/api/packs", commerce()).await;
        assert_eq!(status, StatusCode::CREATED, "{plan}");
        let skipped = plan["steps"].as_array().unwrap().iter().filter(|step| step["does"] == "skip").count();
        assert_eq!(skipped, foreign.len(), "{plan}");
        let (_, listed) = house.ask(key, Method::GET, "/api/tools?category=commerce", None).await;
        let names: Vec<_> =
            listed["items"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, own);
        for name in foreign {
            let (status, _) = house.ask(key, Method::GET, &format!("/api/tools/{name}"), None).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{name}");
        }
    }
    let (_, available) = house.ask(&ims, Method::GET, "/api/packs/available", None).await;
    let installed: Vec<_> = available["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pack| (pack["name"].as_str().unwrap(), pack["installed"].as_str()))
        .collect();
    assert_eq!(installed, [("analysis", None), ("commerce", Some("1.0.0"))]);
}
