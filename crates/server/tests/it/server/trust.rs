//! A named person decides, and nobody widens themselves: what was tried by those who go around a rule and not through it.

use reqwest::{Method, StatusCode, header};
use serde_json::{Map, Value, json};
use toolgate_domain::{Scope, Surface};
use toolgate_engine::{Answer, Approval, Call, DecideError, Ruling};

use crate::server::common::{House, definition, read};

const PASSWORD: &str = "correct horse battery";

/// A person with a browser.
struct Person<'a> {
    house: &'a House,
    id: String,
    email: String,
    cookies: String,
    csrf: String,
}

impl<'a> Person<'a> {
    /// Made by whoever holds the key.
    async fn new(house: &'a House, name: &str, role: &str) -> Self {
        let email = format!("{name}@example.com");
        let user = json!({"email": email, "name": name, "roles": [role], "password": PASSWORD});
        let (status, made) = house.post("/api/users", user).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        Self::signed_in(house, &email, made["id"].as_str().unwrap()).await
    }

    async fn signed_in(house: &'a House, email: &str, id: &str) -> Self {
        let login = json!({"email": email, "password": PASSWORD});
        let request = house.http.post(format!("{}/api/auth/login", house.url));
        let response = request.header(header::ORIGIN, &house.url).json(&login).send().await.unwrap();
        let set = response.headers().get_all(header::SET_COOKIE).iter();
        let set: Vec<_> = set.filter_map(|cookie| cookie.to_str().ok()?.split(';').next()).collect();
        let cookies = set.join("; ");
        let (status, told) = read(response).await;
        assert_eq!(status, StatusCode::OK, "{told}");
        let csrf = told["csrf_token"].as_str().unwrap().to_owned();
        Self { house, id: id.to_owned(), email: email.to_owned(), cookies, csrf }
    }

    async fn ask(&self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.house.http.request(method, format!("{}{path}", self.house.url)).json(&body);
        let request = request.header(header::ORIGIN, &self.house.url).header("x-csrf-token", &self.csrf);
        read(request.header(header::COOKIE, &self.cookies).send().await.unwrap()).await
    }

    async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.ask(Method::POST, path, body).await
    }

    /// A key that the person makes for themselves.
    async fn key(&self, scopes: &[&str]) -> String {
        let (status, made) =
            self.post("/api/keys", json!({"name": "own", "scopes": scopes, "user": "me"})).await;
        assert_eq!(status, StatusCode::CREATED, "{made}");
        made["key"].as_str().unwrap().to_owned()
    }

    async fn approve(&self, row: &Value) -> (StatusCode, Value) {
        self.approve_with(row, json!({})).await
    }

    async fn approve_with(&self, row: &Value, body: Value) -> (StatusCode, Value) {
        self.post(&path_of(row, "approve"), body).await
    }
}

fn path_of(row: &Value, what: &str) -> String {
    format!("/api/invocations/{}/{what}", row["id"].as_str().unwrap())
}

/// A key that somebody makes; `patch` says for whom.
async fn key_made_by(house: &House, key: &str, scopes: &[&str], patch: Value) -> (StatusCode, Value) {
    let mut body = json!({"name": "made", "scopes": scopes});
    body.as_object_mut().unwrap().extend(patch.as_object().unwrap().clone());
    house.ask(key, Method::POST, "/api/keys", Some(body)).await
}

async fn push(house: &House) {
    house.register(definition("push", "wait", json!({"egress_class": "write"}))).await;
}

/// A call that waits, made with a key.
async fn asked_with(house: &House, key: &str) -> Value {
    let (status, row) = house.ask(key, Method::POST, "/api/tools/push/invoke", Some(json!({"ms": 1}))).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{row}");
    row
}

async fn approve_with_key(house: &House, key: &str, row: &Value) -> (StatusCode, Value) {
    house.ask(key, Method::POST, &path_of(row, "approve"), Some(json!({}))).await
}

fn says(answer: &(StatusCode, Value), status: StatusCode, words: &str) {
    assert_eq!(answer.0, status, "{}", answer.1);
    assert!(answer.1["detail"].as_str().unwrap_or_default().contains(words), "{}", answer.1);
}

const EVERYTHING: &[&str] = &[
    "tools:read",
    "tools:execute",
    "tools:write",
    "invocations:read",
    "approvals:decide",
    "tasks:work",
    "metrics:read",
    "agents:read",
    "agents:write",
    "policies:read",
    "policies:write",
    "secrets:write",
    "people:read",
    "people:write",
    "audit:read",
    "webhooks:write",
    "admin",
];

#[tokio::test]
async fn an_agents_key_changes_nothing_whatever_its_scopes_and_whichever_route() {
    let house = House::new().await;
    let (agent, _) = house.agent("ada").await;
    let (_, made) = key_made_by(&house, &house.key, EVERYTHING, json!({"agent": agent})).await;
    let key = made["key"].as_str().unwrap();
    let document: Value = serde_json::from_str(&toolgate_server::openapi().to_json().unwrap()).unwrap();
    let mut closed = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method = method.to_uppercase();
            if operation["security"].is_null() || toolgate_server::is_open_to_agents(&method, path) {
                continue;
            }
            let address =
                path.replace("{id}", &agent).replace("{name}", "calculate").replace("{tool}", "calculate");
            let (status, told) = house.ask(key, method.parse().unwrap(), &address, Some(json!({}))).await;
            assert_eq!(
                (status, &told["reason"]),
                (StatusCode::FORBIDDEN, &json!("agent")),
                "{method} {path}: {told}"
            );
            closed += 1;
        }
    }
    assert!(closed >= 50, "{closed}");
    let tools = json!({"tools": [{"toolName": "calculate", "permissionStatus": "always_allow"}]});
    let path = format!("/ai/agents/{agent}/tools");
    let answer = house.ask(key, Method::PUT, &path, Some(tools)).await;
    says(&answer, StatusCode::FORBIDDEN, "agent's key");
}

#[tokio::test]
async fn the_engine_holds_an_agent_to_the_same_rule_when_no_route_stands_before_it() {
    let house = House::new().await;
    let (agent, _) = house.agent("ada").await;
    let (_, made) = key_made_by(&house, &house.key, EVERYTHING, json!({"agent": agent})).await;
    let caller = house.engine.keys().authenticate(made["key"].as_str().unwrap()).await.unwrap().unwrap();
    let rules = house.engine.rules();
    let patch = |text: Value| text.as_object().unwrap().clone();
    let id = agent.parse().unwrap();
    assert!(rules.update_agent(&caller, id, patch(json!({"custom_tools": ["calculate"]}))).await.is_err());
    assert!(rules.set_permissions(&caller, id, vec![]).await.is_err());
    assert!(rules.set_settings(&caller, Default::default()).await.is_err());
    assert!(rules.set_tool_settings(&caller, "calculate", Default::default()).await.is_err());
    let new = serde_json::from_value(json!({"email": "x@example.com", "name": "X"})).unwrap();
    assert!(rules.create_user(&caller, new).await.is_err());
    assert!(house.engine.keys().create(&caller, "k", &[Scope::ToolsRead], None).await.is_err());
    let spec = toolgate_engine::definition_from_json(definition("mine", "wait", json!({}))).unwrap();
    assert!(house.engine.registry().register(&caller, spec, false).await.is_err());
    let blocked = toolgate_domain::Lifecycle::Blocked;
    assert!(house.engine.registry().set_lifecycle(&caller, "calculate", blocked).await.is_err());
}

#[tokio::test]
async fn a_key_that_the_caller_minted_approves_nothing_of_theirs() {
    let house = House::new().await;
    push(&house).await;
    let eve = Person::new(&house, "eve", "admin").await;
    let _other = Person::new(&house, "grace", "approver").await;
    let (status, row) = eve.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{row}");
    let decides = ["approvals:decide", "admin"];
    let (_, sock) = eve.post("/api/keys", json!({"name": "sock", "scopes": decides})).await;
    let sock = sock["key"].as_str().unwrap();
    says(&approve_with_key(&house, sock, &row).await, StatusCode::FORBIDDEN, "speaks for no person");
    // A key of a key, and keys for another person.
    let (_, second) = key_made_by(&house, sock, &decides, json!({})).await;
    let second = second["key"].as_str().unwrap();
    says(&approve_with_key(&house, second, &row).await, StatusCode::FORBIDDEN, "speaks for no person");
    let (_, grace) = house.get("/api/users").await;
    let grace = grace["items"].as_array().unwrap().iter().find(|user| user["name"] == "grace").unwrap();
    let (_, borrowed) = key_made_by(&house, sock, &decides[..1], json!({"user": grace["id"]})).await;
    let borrowed = borrowed["key"].as_str().unwrap();
    says(
        &approve_with_key(&house, borrowed, &row).await,
        StatusCode::FORBIDDEN,
        "another person made this key",
    );
    // Their own key, and their own page.
    let own = eve.key(&decides[..1]).await;
    says(&approve_with_key(&house, &own, &row).await, StatusCode::FORBIDDEN, "you made this call");
    says(&eve.approve(&row).await, StatusCode::FORBIDDEN, "you made this call");
    // A call by a key that they made is theirs as well.
    let row = asked_with(&house, second).await;
    says(&eve.approve(&row).await, StatusCode::FORBIDDEN, "you made this call");
}

#[tokio::test]
async fn a_model_behind_a_pipe_does_not_decide_in_the_name_of_its_person() {
    let house = House::new().await;
    push(&house).await;
    let eve = Person::new(&house, "eve", "admin").await;
    let model = house.engine.rules().service_caller("default", &eve.email).await.unwrap();
    let call = Call::new(model.clone(), Surface::Mcp, "push", json!({"ms": 1}));
    let Answer::Parked(row) = house.engine.invoke(call).await.unwrap() else { panic!("it must ask") };
    let yes = || Ruling::Approve(Approval { confirm_self: true, ..Approval::default() });
    let own = house.engine.decide(&model, row.id, None, yes()).await;
    assert!(matches!(own, Err(DecideError::SameCredential)), "{own:?}");
    let (status, told) = eve.approve(&json!({"id": row.id})).await;
    assert_eq!(status, StatusCode::OK, "the person may, on the page: {told}");
}

#[tokio::test]
async fn a_question_in_a_letter_carries_no_answer() {
    let house = House::new().await;
    for method in [Method::GET, Method::POST] {
        let (status, _) = house.ask(&house.key, method, "/api/approvals/links/any", Some(json!({}))).await;
        assert!(matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED), "{status}");
    }
}

#[tokio::test]
async fn two_keys_of_one_person_are_one_vote_and_who_lost_the_right_has_none() {
    let house = House::new().await;
    push(&house).await;
    let terms = json!({"approval": {"quorum": 2}});
    house.ask(&house.key, Method::PUT, "/api/tools/push/settings", Some(terms)).await;
    let (ada, grace) =
        (Person::new(&house, "ada", "approver").await, Person::new(&house, "grace", "approver").await);
    let row = asked_with(&house, &house.key).await;
    for key in [ada.key(&["approvals:decide"]).await, ada.key(&["approvals:decide"]).await] {
        let (status, told) = approve_with_key(&house, &key, &row).await;
        assert_eq!((status, &told["status"]), (StatusCode::OK, &json!("pending")), "{told}");
    }
    let demoted = json!({"roles": ["viewer"]});
    house.ask(&house.key, Method::PATCH, &format!("/api/users/{}", ada.id), Some(demoted)).await;
    let (status, told) = grace.approve(&row).await;
    assert_eq!(
        (status, &told["status"]),
        (StatusCode::OK, &json!("pending")),
        "ada's yes ended with her right: {told}"
    );
    let joan = Person::new(&house, "joan", "approver").await;
    assert_eq!(joan.approve(&row).await.0, StatusCode::OK);
    assert_eq!(house.ended(row["id"].as_str().unwrap()).await["status"], "completed");
}

#[tokio::test]
async fn a_person_who_is_alone_agrees_by_a_second_act_and_with_a_second_one_no_longer() {
    let house = House::new().await;
    push(&house).await;
    let eve = Person::new(&house, "eve", "admin").await;
    let ask = || eve.post("/api/tools/push/invoke", json!({"ms": 1}));
    let (_, row) = ask().await;
    let first = eve.approve(&row).await;
    says(&first, StatusCode::FORBIDDEN, "nobody else here may decide");
    assert_eq!(first.1["reason"], "confirm_self");
    assert_eq!(eve.approve_with(&row, json!({"confirm_self": true})).await.0, StatusCode::OK);
    let done = house.ended(row["id"].as_str().unwrap()).await;
    assert_eq!((&done["status"], &done["approval_reason"]), (&json!("completed"), &json!("self")), "{done}");
    assert_eq!(done["approval_decided_by"], json!(eve.id));

    let (_, row) = ask().await;
    let grace = Person::new(&house, "grace", "approver").await;
    let again = eve.approve_with(&row, json!({"confirm_self": true})).await;
    says(&again, StatusCode::FORBIDDEN, "another person");
    assert_eq!(grace.approve(&row).await.0, StatusCode::OK);
    let done = house.ended(row["id"].as_str().unwrap()).await;
    assert_eq!(
        (&done["approval_decided_by"], &done["approval_reason"]),
        (&json!(grace.id), &Value::Null),
        "{done}"
    );
}

#[tokio::test]
async fn allow_self_lets_nobody_through_who_set_it() {
    let house = House::new().await;
    push(&house).await;
    let eve = Person::new(&house, "eve", "operator").await;
    let grace = Person::new(&house, "grace", "operator").await;
    let terms = json!({"approval": {"quorum": 1, "allow_self": true}});
    let forged = json!({"approval": {"quorum": 1, "allow_self": true, "allow_self_by": grace.id}});
    for terms in [terms.clone(), forged] {
        assert_eq!(eve.ask(Method::PUT, "/api/tools/push/settings", terms).await.0, StatusCode::OK);
        let (_, row) = eve.post("/api/tools/push/invoke", json!({"ms": 1})).await;
        says(&eve.approve(&row).await, StatusCode::FORBIDDEN, "you made this call");
    }
    let off = json!({"approval": {"quorum": 1}});
    assert_eq!(grace.ask(Method::PUT, "/api/tools/push/settings", off).await.0, StatusCode::OK);
    assert_eq!(grace.ask(Method::PUT, "/api/tools/push/settings", terms).await.0, StatusCode::OK);
    let (_, row) = eve.post("/api/tools/push/invoke", json!({"ms": 1})).await;
    assert_eq!(eve.approve(&row).await.0, StatusCode::OK, "another person set it");
}

#[tokio::test]
async fn an_independent_approver_has_no_part_in_the_call() {
    let house = House::new().await;
    push(&house).await;
    let eve = Person::new(&house, "eve", "operator").await;
    let (owner, outsider) =
        (Person::new(&house, "owner", "approver").await, Person::new(&house, "outsider", "approver").await);
    let agent =
        json!({"handle": "robot", "display_name": "Robot", "owner": owner.id, "custom_tools": ["push"]});
    assert_eq!(house.post("/api/agents", agent).await.0, StatusCode::CREATED);
    let (_, key) = key_made_by(&house, &house.key, &["tools:execute"], json!({"agent": "robot"})).await;
    let key = key["key"].as_str().unwrap();
    let row = asked_with(&house, key).await;
    assert_eq!(owner.approve(&row).await.0, StatusCode::OK, "its owner may, where nothing else is asked");
    let terms = json!({"approval": {"quorum": 1, "independent": true}});
    house.ask(&house.key, Method::PUT, "/api/tools/push/settings", Some(terms)).await;
    let row = asked_with(&house, key).await;
    says(&owner.approve(&row).await, StatusCode::FORBIDDEN, "neither made it");
    says(&eve.approve(&row).await, StatusCode::FORBIDDEN, "neither made it");
    assert_eq!(outsider.approve(&row).await.0, StatusCode::OK);
}

#[tokio::test]
async fn what_a_key_makes_is_bounded_by_its_maker_and_falls_with_it() {
    let house = House::new().await;
    let eve = Person::new(&house, "eve", "admin").await;
    let (_, made) = eve.post("/api/keys", json!({"name": "first", "scopes": ["admin"]})).await;
    let (first, first_id) = (made["key"].as_str().unwrap(), made["id"].as_str().unwrap());
    let (_, made) = key_made_by(&house, first, &["tools:read", "people:read"], json!({})).await;
    let second = made["key"].as_str().unwrap();
    let reads = |path: &'static str| house.ask(second, Method::GET, path, None);
    assert_eq!((reads("/api/tools").await.0, reads("/api/users").await.0), (StatusCode::OK, StatusCode::OK));
    let path = format!("/api/users/{}", eve.id);
    house.ask(&house.key, Method::PATCH, &path, Some(json!({"roles": ["viewer"]}))).await;
    assert_eq!(
        (reads("/api/tools").await.0, reads("/api/users").await.0),
        (StatusCode::OK, StatusCode::FORBIDDEN)
    );
    house.ask(&house.key, Method::PATCH, &path, Some(json!({"roles": ["admin"]}))).await;
    assert_eq!(reads("/api/users").await.0, StatusCode::OK);
    house.request(Method::DELETE, &format!("/api/keys/{first_id}")).send().await.unwrap();
    assert_eq!(reads("/api/tools").await.0, StatusCode::UNAUTHORIZED, "its maker is gone");
}

#[tokio::test]
async fn a_persons_key_makes_no_other_and_grants_no_more_than_they_have() {
    let house = House::new().await;
    let ada = Person::new(&house, "ada", "member").await;
    let own = ada.key(&["tools:execute"]).await;
    let mine = json!({"user": "me"});
    says(&key_made_by(&house, &own, &["tools:execute"], mine).await, StatusCode::FORBIDDEN, "admin");
    let body = |scope: &str, user: &str| json!({"name": "k", "scopes": [scope], "user": user});
    says(
        &ada.post("/api/keys", body("approvals:decide", "me")).await,
        StatusCode::FORBIDDEN,
        "approvals:decide",
    );
    says(
        &ada.post("/api/keys", json!({"name": "k", "scopes": ["tools:execute"]})).await,
        StatusCode::FORBIDDEN,
        "admin",
    );
    let grace = Person::new(&house, "grace", "member").await;
    says(&ada.post("/api/keys", body("tools:execute", &grace.id)).await, StatusCode::FORBIDDEN, "admin");
    assert!(!ada.email.is_empty());
}

#[tokio::test]
async fn a_schema_whose_references_multiply_is_refused_wherever_it_comes_from() {
    let house = House::new().await;
    let mut definitions = Map::new();
    definitions.insert("a0".into(), json!({"type": "string"}));
    for level in 1..=11 {
        let before = json!({"$ref": format!("#/$defs/a{}", level - 1)});
        definitions.insert(format!("a{level}"), json!({"anyOf": vec![before; 8]}));
    }
    let schema =
        json!({"type": "object", "$defs": definitions, "properties": {"t": {"$ref": "#/$defs/a11"}}});
    for key in ["input_schema", "output_schema"] {
        let (status, told) = house.register(definition("bomb", "wait", json!({key: schema}))).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{told}");
        assert!(told.to_string().contains("multiply"), "{told}");
    }
    let tried =
        json!({"definition": definition("bomb", "wait", json!({"input_schema": schema})), "input": {"t": 5}});
    let (status, _) = house.post("/api/tools/bomb/test", tried).await;
    assert!(status.is_client_error(), "{status}");
    let input = json!({"document": {"t": 5}, "schema": schema});
    let (status, told) = house.post("/api/tools/validate_json/invoke", input).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{told}");
}
