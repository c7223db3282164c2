//! People: accounts, roles, browsers' sessions.

use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use toolgate_domain::governance::{BUILT_IN_ROLES, PERMISSIONS, Role};

use crate::server::common::{House, read};

const PASSWORD: &str = "correct horse battery";

async fn user(house: &House, email: &str, roles: &[&str]) -> String {
    let new = json!({"email": email, "name": "Somebody", "roles": roles, "password": PASSWORD});
    let (status, made) = house.post("/api/users", new).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    assert!(!made.to_string().contains("argon2"), "{made}");
    made["id"].as_str().unwrap().to_owned()
}

/// A browser: its cookie, and the token its pages know.
struct Browser<'a> {
    house: &'a House,
    cookie: String,
    csrf: String,
}

async fn sign_in<'a>(house: &'a House, email: &str) -> Browser<'a> {
    let body = json!({"email": email, "password": PASSWORD});
    let response = house.http.post(format!("{}/api/auth/login", house.url)).json(&body).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let set = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    let (_, told) = read(response).await;
    let csrf = told["csrf_token"].as_str().unwrap().to_owned();
    Browser { house, cookie: set.split(';').next().unwrap().to_owned(), csrf }
}

impl Browser<'_> {
    async fn send(&self, method: Method, path: &str, body: Value, csrf: Option<&str>) -> (StatusCode, Value) {
        let url = format!("{}{path}", self.house.url);
        let mut request =
            self.house.http.request(method, url).header(header::COOKIE, &self.cookie).json(&body);
        if let Some(csrf) = csrf {
            request = request.header("x-csrf-token", csrf);
        }
        read(request.send().await.unwrap()).await
    }
}

#[tokio::test]
async fn a_person_signs_in_calls_and_signs_out() {
    let house = House::new().await;
    user(&house, "Ada@Example.org", &["member"]).await;
    let browser = sign_in(&house, " ada@example.ORG").await;
    let (status, me) = browser.send(Method::GET, "/api/auth/me", json!({}), None).await;
    assert_eq!((status, &me["roles"]), (StatusCode::OK, &json!(["member"])));
    assert_eq!(me["csrf_token"], browser.csrf.as_str());
    let call = "/api/tools/calculate/invoke";
    let (status, done) =
        browser.send(Method::POST, call, json!({"expression": "6*7"}), Some(&browser.csrf)).await;
    assert_eq!((status, &done["output"]["result"]), (StatusCode::OK, &json!("42")));
    let (_, row) = house.get(&format!("/api/invocations/{}", done["invocation_id"].as_str().unwrap())).await;
    assert!(row["caller"].as_str().unwrap().starts_with("usr_"));

    for wrong in [None, Some("0000"), Some("")] {
        let (status, problem) = browser.send(Method::POST, call, json!({"expression": "1"}), wrong).await;
        assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{wrong:?}");
    }
    let (status, _) = browser.send(Method::POST, "/api/auth/logout", json!({}), Some(&browser.csrf)).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = browser.send(Method::GET, "/api/auth/me", json!({}), None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_wrong_password_tells_nothing_and_attempts_are_counted() {
    let house = House::new().await;
    user(&house, "ada@example.org", &["member"]).await;
    let mut answers = Vec::new();
    for (email, password) in [("ada@example.org", "wrong"), ("nobody@example.org", PASSWORD)] {
        let body = json!({"email": email, "password": password});
        answers.push(house.post("/api/auth/login", body).await);
    }
    assert_eq!(answers[0], answers[1], "who exists is not told");
    assert_eq!(answers[0].0, StatusCode::UNAUTHORIZED);
    let mut last = StatusCode::OK;
    for _ in 0..12 {
        let body = json!({"email": "ada@example.org", "password": "wrong"});
        last = house.post("/api/auth/login", body).await.0;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    let other_site = house
        .http
        .post(format!("{}/api/auth/login", house.url))
        .header("sec-fetch-site", "cross-site")
        .json(&json!({"email": "a@b.c", "password": PASSWORD}));
    assert_eq!(other_site.send().await.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_person_who_is_disabled_is_out_at_once_and_so_are_their_keys() {
    let house = House::new().await;
    let id = user(&house, "ada@example.org", &["operator"]).await;
    let browser = sign_in(&house, "ada@example.org").await;
    let (_, made) = house.post("/api/keys", json!({"name": "ada", "scopes": ["admin"], "user": id})).await;
    let key = made["key"].as_str().unwrap();
    let (status, _) = house.ask(key, Method::GET, "/api/agents", None).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = house.ask(key, Method::GET, "/api/keys", None).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a person's key can do no more than the person");
    let path = format!("/api/users/{id}");
    house.ask(&house.key, Method::PATCH, &path, Some(json!({"status": "disabled"}))).await;
    let (status, _) = house.ask(key, Method::GET, "/api/agents", None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let (status, _) = browser.send(Method::GET, "/api/auth/me", json!({}), None).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn nobody_gives_what_they_do_not_have() {
    let house = House::new().await;
    user(&house, "op@example.org", &["operator"]).await;
    let (status, _) = house
        .ask(
            &house.key,
            Method::PUT,
            "/api/roles/hr",
            Some(
                json!({"permissions": ["people.tenant.read", "people.tenant.update", "entities.team.read"]}),
            ),
        )
        .await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    user(&house, "hr@example.org", &["hr"]).await;
    let browser = sign_in(&house, "hr@example.org").await;
    let csrf = Some(browser.csrf.as_str());
    let admin = json!({"email": "x@example.org", "name": "X", "roles": ["admin"]});
    let (status, problem) = browser.send(Method::POST, "/api/users", admin, csrf).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "{problem}");
    let more = json!({"permissions": ["policies.tenant.update"]});
    let (status, _) = browser.send(Method::PUT, "/api/roles/more", more, csrf).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let own = json!({"permissions": ["entities.team.read"]});
    let (status, _) = browser.send(Method::PUT, "/api/roles/reader", own, csrf).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) =
        house.ask(&house.key, Method::PUT, "/api/roles/admin", Some(json!({"permissions": []}))).await;
    assert_eq!(status, StatusCode::CONFLICT, "built-in roles stay");
}

/// The role × permission matrix, as it is committed. A change of it is a change of who may do what: look twice.
#[test]
fn the_matrix_of_roles_is_the_committed_one() {
    let mut matrix = String::from(
        "# Who may do what\n\nGenerated from the code by a test; `admin` may do everything.\n\n| permission |",
    );
    for (role, _) in BUILT_IN_ROLES {
        matrix += &format!(" {role} |");
    }
    matrix += &format!("\n|---|{}\n", "---|".repeat(BUILT_IN_ROLES.len()));
    for (permission, meaning) in PERMISSIONS {
        matrix += &format!("| `{permission}`: {meaning} |");
        for (role, _) in BUILT_IN_ROLES {
            let held = Role::built_in(role).unwrap().contains(permission);
            matrix += if held { " ✓ |" } else { "  |" };
        }
        matrix += "\n";
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/roles.md");
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(path, &matrix).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        matrix,
        "run this test with UPDATE_SNAPSHOTS=1"
    );
}
