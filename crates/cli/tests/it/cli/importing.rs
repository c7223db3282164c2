//! An OpenAPI document becomes tools that can be called.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::{
    http::Host,
    support::{Ran, Server},
};

fn petshop() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtimes/src/http/openapi/tests/petshop.yaml");
    std::fs::read_to_string(path).unwrap()
}

/// A shop that has one pet.
fn shop() -> Host {
    Host::start("application/json", |request| {
        let rex = json!({"id": 7, "name": "Rex", "status": "sold", "owner": null});
        let is_list = request.starts_with("GET /v2/pets?") || request.starts_with("GET /v2/pets ");
        if is_list { json!([rex]).to_string().into_bytes() } else { rex.to_string().into_bytes() }
    })
}

struct Shop {
    host: Host,
    server: Server,
}

impl Shop {
    fn open() -> Self {
        let host = shop();
        let server = Server::start_with(&["--allow-host", &host.address.to_string()]);
        let this = Self { host, server };
        this.write(&petshop());
        this
    }

    fn write(&self, document: &str) {
        std::fs::write(self.server.home.path().join("petshop.yaml"), document).unwrap();
    }

    fn import(&self, more: &[&str]) -> Ran {
        let at = format!("http://{}/v2", self.host.address);
        let fixed = ["tool", "import", "openapi", "petshop.yaml", "--server", &at];
        self.server.run(&[fixed.as_slice(), more].concat())
    }

    fn call(&self, tool: &str, input: &Value) -> Ran {
        self.server.run(&["tool", "call", tool, "--input-json", &input.to_string(), "--json"])
    }
}

fn statuses(answer: &Value) -> Vec<(&str, &str)> {
    let tools = answer["tools"].as_array().unwrap().iter();
    tools.map(|tool| (tool["name"].as_str().unwrap(), tool["status"].as_str().unwrap())).collect()
}

#[test]
fn a_dry_run_changes_nothing_and_what_is_applied_twice_is_no_change() {
    let shop = Shop::open();
    let only = ["--only", "pets"];
    shop.import(&only)
        .exits(0)
        .says("would publish")
        .says("GET /pets/{petId}")
        .says("dry run: nothing has changed")
        .says(&format!("calls go to http://{}\n", shop.host.address))
        .says("PET_SHOP_ADMIN_PASSWORD, PET_SHOP_ADMIN_USERNAME, PET_SHOP_SHOPTOKEN");
    shop.server.run(&["tool", "show", "listPets"]).exits(5);

    let applied = shop.import(&["--only", "pets", "--apply", "--json"]).exits(0).json();
    let names = ["listPets", "createPet", "getPet", "changePet", "deletePet"];
    assert_eq!(statuses(&applied), names.map(|name| (name, "created")));
    let classes: Vec<_> =
        applied["tools"].as_array().unwrap().iter().map(|tool| &tool["egress_class"]).collect();
    assert_eq!(classes, ["read_only", "write", "read_only", "write", "write"]);

    let again = shop.import(&["--only", "pets", "--apply", "--json"]).exits(0).json();
    assert_eq!(statuses(&again), names.map(|name| (name, "unchanged")));
    assert!(shop.host.asked().is_empty());
}

#[test]
fn an_imported_tool_sends_what_the_document_says() {
    let shop = Shop::open();
    shop.import(&["--only", "pets", "--apply"]).exits(0);
    shop.server
        .run_with_stdin(&["secret", "set", "PET_SHOP_SHOPTOKEN", "--scope", "tenant"], "t0ken-of-the-shop")
        .exits(0);

    let listed = json!({"tags": ["a b", "c&d"], "filter": {"status": "sold"}, "limit": 5, "X-Trace": "t1"});
    let listed = shop.call("listPets", &listed).exits(0).json();
    assert_eq!(listed["output"]["body"][0]["name"], "Rex");
    let got = json!({"petId": 7, "query_petId": "x/../y?z", "session": "abc"});
    shop.call("getPet", &got).exits(0);
    let asked = shop.host.asked();
    let list = &asked[0];
    assert!(
        list.starts_with("GET /v2/pets?filter%5Bstatus%5D=sold&limit=5&tags=a+b&tags=c%26d HTTP/1.1"),
        "{list}"
    );
    for header in ["authorization: Bearer t0ken-of-the-shop", "x-trace: t1", "accept: application/json"] {
        assert!(list.contains(header), "{header} is not in {list}");
    }
    let get = &asked[1];
    assert!(get.starts_with("GET /v2/pets/7?petId=x%2F..%2Fy%3Fz HTTP/1.1"), "{get}");
    assert!(get.contains("cookie: session=abc\r\n"), "{get}");

    // A cookie cannot begin another, a number cannot be a way up, and what writes asks a person.
    shop.call("getPet", &json!({"petId": 7, "session": "abc; admin=1"})).exits(6);
    shop.call("getPet", &json!({"petId": "..", "session": "abc"})).exits(6);
    shop.call("listPets", &json!({"filter": {"owner": "x"}})).exits(6);
    shop.call("createPet", &json!({"body": {"name": "Rex", "status": "free"}})).exits(8);
    assert_eq!(shop.host.asked().len(), 2);
}

#[test]
fn what_cannot_be_made_is_listed_and_the_rest_is_made() {
    let shop = Shop::open();
    let applied = shop.import(&["--apply", "--json"]).exits(6).json();
    assert_eq!(applied["tools"].as_array().unwrap().len(), 9);
    assert!(statuses(&applied).iter().all(|(_, status)| *status == "created"), "{applied}");
    assert_eq!(
        applied["left_out"],
        json!([
            {"operation": "POST /orders/{id}/notes", "reason": "it is deprecated; --include-deprecated takes it", "failed": false},
            {"operation": "PUT /pets/{petId}/photos/{file name}", "reason": "its body is image/png, which cannot be sent", "failed": true},
        ])
    );
    shop.server.run(&["tool", "show", "categories_tree"]).exits(0);

    // The shop changes an operation and forgets the version: that one is refused, all others are as they were.
    shop.write(&petshop().replace("maximum: 100", "maximum: 50"));
    let changed = shop.import(&["--only", "pets", "--apply", "--json"]).exits(9).json();
    let (first, others) = changed["tools"].as_array().unwrap().split_first().unwrap();
    assert_eq!(first["status"], "failed");
    assert!(first["error"].as_str().unwrap().contains("publish a new version"), "{first}");
    assert!(others.iter().all(|tool| tool["status"] == "unchanged"), "{changed}");
    shop.import(&["--only", "pets"]).exits(9).says("failed").says("listPets (GET /pets)");
}

#[test]
fn the_wall_stands_before_imported_tools_as_well() {
    let host = shop();
    let server = Server::start();
    std::fs::write(server.home.path().join("petshop.yaml"), petshop()).unwrap();
    let at = format!("http://{}", host.address);
    server
        .run(&["tool", "import", "openapi", "petshop.yaml", "--server", &at, "--only", "getPet", "--apply"])
        .exits(6)
        .says("loopback")
        .says("--allow-host");
}

#[test]
fn a_document_comes_from_stdin_and_must_be_one() {
    let server = Server::start();
    let import = |document: &str| server.run_with_stdin(&["tool", "import", "openapi", "-"], document);
    import("swagger: '2.0'").exits(6).says("Swagger 2.0");
    import("openapi: 3.1.0\npaths: {/x: {get: {}}}").exits(6).says("--server");
    import("openapi: 3.1.0\nservers: [{url: 'https://a.example'}]\npaths: {/x: {get: {}}}")
        .exits(0)
        .says("get_x")
        .says("would publish");
    server.run(&["tool", "import", "openapi", "gone.yaml"]).exits(1).says("gone.yaml cannot be read");
}
