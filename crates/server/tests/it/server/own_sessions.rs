//! Sessions end with the password, and people see and end theirs.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolgate_domain::{Limits, TenantId};
use toolgate_store::{Kind, RecordWrite};

use crate::server::{
    common::{House, limits},
    sessions::{Browser, PASSWORD, add},
};

const ADA: &str = "ada@example.org";
const NEW: &str = "another battery staple";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn person(house: &House, email: &str, roles: &[&str]) -> String {
    add(house, &house.key, json!({"email": email, "roles": roles})).await;
    let (_, users) = house.get("/api/users").await;
    let found = users["items"].as_array().unwrap().iter().find(|user| user["email"] == email).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

async fn signed_in<'a>(house: &'a House, email: &str) -> Browser<'a> {
    let mut browser = Browser::new(house);
    browser.sign_in(email, None).await;
    browser
}

async fn is_in(browser: &Browser<'_>) -> bool {
    browser.get("/api/auth/me").await.0 == StatusCode::OK
}

async fn change(house: &House, id: &str, patch: Value) {
    let (status, told) = house.ask(&house.key, Method::PATCH, &format!("/api/users/{id}"), Some(patch)).await;
    assert_eq!(status, StatusCode::OK, "{told}");
}

fn items(list: &Value) -> &Vec<Value> {
    list["items"].as_array().unwrap_or_else(|| panic!("{list}"))
}

#[tokio::test]
async fn a_password_that_an_admin_sets_ends_every_session() {
    let house = House::new().await;
    let id = person(&house, ADA, &["operator"]).await;
    person(&house, "bob@example.org", &["member"]).await;
    let (first, second) = (signed_in(&house, ADA).await, signed_in(&house, ADA).await);
    let bob = signed_in(&house, "bob@example.org").await;
    change(&house, &id, json!({"name": "Ada Lovelace"})).await;
    assert!(is_in(&first).await && is_in(&second).await, "a name is no reason");

    change(&house, &id, json!({"password": NEW})).await;
    assert!(!is_in(&first).await && !is_in(&second).await);
    assert_eq!(first.get("/api/agents").await.0, StatusCode::UNAUTHORIZED);
    assert!(is_in(&bob).await, "only hers");
    let (_, ends) = house.get("/api/audit?action=login.end").await;
    assert_eq!(items(&ends).iter().filter(|event| event["target"] == id.as_str()).count(), 2, "{ends}");
    let mut again = Browser::new(&house);
    let (status, _) =
        again.send(Method::POST, "/api/auth/login", json!({"email": ADA, "password": NEW})).await;
    assert!(status == StatusCode::OK && is_in(&again).await);
}

#[tokio::test]
async fn the_session_that_changes_its_own_password_goes_on_alone() {
    let house = House::new().await;
    let id = person(&house, ADA, &["admin"]).await;
    let path = format!("/api/users/{id}");
    let (mut here, there) = (signed_in(&house, ADA).await, signed_in(&house, ADA).await);
    let (status, told) = here.send(Method::PATCH, &path, json!({"password": NEW})).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    assert!(is_in(&here).await && !is_in(&there).await);

    let (_, made) = house.post("/api/keys", json!({"name": "ada", "scopes": ["admin"], "user": id})).await;
    let key = made["key"].as_str().unwrap();
    let (status, _) = house.ask(key, Method::PATCH, &path, Some(json!({"password": PASSWORD}))).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!is_in(&here).await, "a key is no session, even her own");
}

#[tokio::test]
async fn a_session_that_a_change_of_the_password_overtook_is_none() {
    let house = House::new().await;
    let id = person(&house, ADA, &["member"]).await;
    let browser = signed_in(&house, ADA).await;
    let records = &house.engine.stores().records;
    let begun = records.all(TenantId::DEFAULT, Kind::Login).await.unwrap();
    change(&house, &id, json!({"password": NEW})).await;
    // The old password was right when it was looked at; the session is written only now.
    let late = begun.into_iter().map(RecordWrite::Insert).collect();
    records.commit(TenantId::DEFAULT, late, Vec::new()).await.unwrap();
    assert_eq!(records.all(TenantId::DEFAULT, Kind::Login).await.unwrap().len(), 1);
    assert!(!is_in(&browser).await);
}

#[tokio::test]
async fn a_person_who_was_disabled_signs_in_again() {
    let house = House::new().await;
    let id = person(&house, ADA, &["member"]).await;
    let browser = signed_in(&house, ADA).await;
    change(&house, &id, json!({"status": "disabled"})).await;
    change(&house, &id, json!({"status": "active"})).await;
    assert!(!is_in(&browser).await);
}

#[tokio::test]
async fn a_person_sees_their_sessions_and_ends_one() {
    let house = House::new().await;
    person(&house, ADA, &["viewer"]).await;
    person(&house, "bob@example.org", &["viewer"]).await;
    let mut laptop = Browser::new(&house);
    laptop.agent = FIREFOX;
    laptop.sign_in(ADA, None).await;
    let program = signed_in(&house, ADA).await;
    let mut bob = signed_in(&house, "bob@example.org").await;

    let (status, list) = laptop.get("/api/auth/sessions").await;
    assert_eq!((status, items(&list).len()), (StatusCode::OK, 2), "{list}");
    let of = |n: usize, key: &str| items(&list)[n][key].clone();
    assert_eq!((of(0, "client"), of(0, "current")), (json!("Firefox on Linux"), json!(true)), "{list}");
    assert_eq!((of(1, "client"), of(1, "current")), (json!("curl/8.5.0"), json!(false)), "{list}");
    for moment in ["begun_at", "used_at", "expires_at"] {
        assert!(of(1, moment).is_string(), "{list}");
    }
    for (_, value) in laptop.cookies.iter().chain(&program.cookies) {
        assert!(!list.to_string().contains(value.as_str()), "never a token");
    }
    let (_, page) = laptop.get("/api/auth/sessions?limit=1").await;
    let rest = format!("/api/auth/sessions?cursor={}", page["next_cursor"].as_str().unwrap());
    assert_eq!(items(&laptop.get(&rest).await.1)[0]["id"], of(1, "id"));

    let other = format!("/api/auth/sessions/{}", of(1, "id").as_str().unwrap());
    assert_eq!(bob.send(Method::DELETE, &other, json!({})).await.0, StatusCode::NOT_FOUND, "not his");
    assert!(is_in(&program).await);
    assert_eq!(laptop.send(Method::DELETE, &other, json!({})).await.0, StatusCode::NO_CONTENT);
    assert!(!is_in(&program).await && is_in(&laptop).await);
    let (status, gone) = laptop.send(Method::DELETE, &other, json!({})).await;
    assert_eq!((status, &gone["code"]), (StatusCode::NOT_FOUND, &json!("NOT_FOUND")));
}

#[tokio::test]
async fn a_key_shows_the_sessions_of_its_person_only_where_it_may_all_that_they_may() {
    let house = House::new().await;
    let id = person(&house, ADA, &["operator"]).await;
    signed_in(&house, ADA).await;
    let ask = async |scope: &str| {
        let new = json!({"name": "hers", "scopes": [scope], "user": id});
        let (_, made) = house.post("/api/keys", new).await;
        house.ask(made["key"].as_str().unwrap(), Method::GET, "/api/auth/sessions", None).await
    };
    let (status, refused) = ask("tools:read").await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{refused}");
    assert_eq!(items(&ask("admin").await.1).len(), 1);
    assert!(items(&house.get("/api/auth/sessions").await.1).is_empty(), "a key that is nobody's has none");
}

#[tokio::test]
async fn an_admin_of_people_ends_their_sessions_but_not_of_those_who_can_do_more() {
    let house = House::new().await;
    let permissions =
        json!({"permissions": ["people.tenant.read", "people.tenant.update", "tools.tenant.read"]});
    house.ask(&house.key, Method::PUT, "/api/roles/hr", Some(permissions)).await;
    let ids = [person(&house, ADA, &["hr"]).await, person(&house, "boss@example.org", &["admin"]).await];
    let (mut hr, boss) = (signed_in(&house, ADA).await, signed_in(&house, "boss@example.org").await);
    let [own, of_boss] = ids.map(|id| format!("/api/users/{id}/sessions"));
    let (_, list) = hr.get(&of_boss).await;
    assert_eq!((items(&list).len(), &items(&list)[0]["current"]), (1, &json!(false)));
    let path = format!("{of_boss}/{}", items(&list)[0]["id"].as_str().unwrap());
    let (status, refused) = hr.send(Method::DELETE, &path, json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{refused}");
    assert!(is_in(&boss).await);

    let (_, list) = boss.get(&own).await;
    let session = items(&list)[0]["id"].as_str().unwrap();
    let (status, _) = house.ask(&house.key, Method::DELETE, &format!("{of_boss}/{session}"), None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "a session of somebody else");
    let (status, _) = house.ask(&house.key, Method::DELETE, &format!("{own}/{session}"), None).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(!is_in(&hr).await);

    let (_, key) = house.tenant("north").await;
    let (status, _) = house.ask(&key, Method::GET, &of_boss, None).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "another tenant");
}

#[tokio::test]
async fn the_use_of_a_session_is_noted_from_time_to_time() {
    let used = async |login_note_s: u64| {
        let house = House::with(Limits { login_note_s, ..limits() }).await;
        person(&house, ADA, &["member"]).await;
        let browser = signed_in(&house, ADA).await;
        // Each of these is a use, and the second tells of the first.
        browser.get("/api/auth/sessions").await;
        let (_, list) = browser.get("/api/auth/sessions").await;
        items(&list)[0]["used_at"] != items(&list)[0]["begun_at"]
    };
    assert!(used(0).await, "at once");
    assert!(!used(600).await, "not with every request");
}
