//! Browsers' sessions: what a page is told, whose pages may change something, and one person in several tenants.

use reqwest::{Method, RequestBuilder, StatusCode, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolgate_server::{AppState, ServerOptions, serve};

use crate::server::common::{Events, House, read};

pub const PASSWORD: &str = "correct horse battery";

/// A browser keeps the cookies that it is given.
pub struct Browser<'a> {
    house: &'a House,
    pub cookies: Vec<(String, String)>,
    csrf: String,
    /// What it calls itself.
    pub agent: &'static str,
}

impl<'a> Browser<'a> {
    pub fn new(house: &'a House) -> Self {
        Self { house, cookies: Vec::new(), csrf: String::new(), agent: "curl/8.5.0" }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.house.http.request(method, format!("{}{path}", self.house.url));
        request.header(header::COOKIE, cookies.join("; ")).header(header::USER_AGENT, self.agent)
    }

    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        read(self.request(Method::GET, path).send().await.unwrap()).await
    }

    /// As a page of ours does it.
    async fn post(&mut self, path: &str, body: Value) -> (StatusCode, Value) {
        self.send(Method::POST, path, body).await
    }

    pub async fn send(&mut self, method: Method, path: &str, body: Value) -> (StatusCode, Value) {
        let request = self.request(method, path).header("x-csrf-token", &self.csrf);
        let response = request.header(header::ORIGIN, &self.house.url).json(&body).send().await.unwrap();
        for set in response.headers().get_all(header::SET_COOKIE) {
            let (name, value) = set.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.retain(|(known, _)| known != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value.to_owned()));
            }
        }
        let (status, told) = read(response).await;
        if let Some(csrf) = told["csrf_token"].as_str() {
            self.csrf = csrf.to_owned();
        }
        (status, told)
    }

    pub async fn sign_in(&mut self, email: &str, tenant: Option<&str>) {
        let body = json!({"email": email, "password": PASSWORD, "tenant": tenant});
        let (status, told) = self.post("/api/auth/login", body).await;
        assert_eq!(status, StatusCode::OK, "{told}");
    }
}

pub async fn add(house: &House, key: &str, user: Value) {
    let mut new = json!({"name": "Ada", "password": PASSWORD});
    new.as_object_mut().unwrap().extend(user.as_object().unwrap().clone());
    let (status, made) = house.ask(key, Method::POST, "/api/users", Some(new)).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
}

#[tokio::test]
async fn a_page_learns_who_sits_in_front_of_it() {
    let house = House::new().await;
    let (_, team) = house.post("/api/workspaces", json!({"slug": "night", "name": "Night shift"})).await;
    house.post("/api/workspaces", json!({"slug": "day", "name": "Day shift"})).await;
    let approver = json!({"email": "ada@example.org", "roles": ["approver"], "workspaces": [team["id"]]});
    add(&house, &house.key, approver).await;
    let mut browser = Browser::new(&house);
    browser.sign_in("ada@example.org", None).await;
    let (status, me) = browser.get("/api/auth/me").await;
    assert_eq!(status, StatusCode::OK, "{me}");
    assert_eq!(
        (&me["user"]["email"], &me["user"]["name"], &me["user"]["has_password"]),
        (&json!("ada@example.org"), &json!("Ada"), &json!(true))
    );
    assert_eq!(me["principal"], me["user"]["id"]);
    assert_eq!(
        (&me["tenant"], me["tenant_name"].as_str().map(str::is_empty)),
        (&json!("default"), Some(false))
    );
    assert_eq!(
        me["workspaces"],
        json!([team]),
        "of the teams only her own, which she may not list otherwise"
    );
    assert_eq!(me["scopes"], json!([]));
    let may: Vec<_> =
        me["allowed_scopes"].as_array().unwrap().iter().map(|scope| scope.as_str().unwrap()).collect();
    assert!(may.contains(&"approvals:decide") && !may.contains(&"tools:execute"), "{may:?}");
    assert_eq!(me["csrf_token"], browser.csrf.as_str());

    let (_, of_key) = house.get("/api/auth/me").await;
    assert_eq!(
        (&of_key["user"], &of_key["tenants"], &of_key["csrf_token"]),
        (&Value::Null, &json!([]), &Value::Null)
    );
}

#[tokio::test]
async fn who_is_not_signed_in_learns_the_ways_in() {
    let house = House::new().await;
    let (status, ways) = Browser::new(&house).get("/api/auth/ways").await;
    assert_eq!((status, ways), (StatusCode::OK, json!({"password": true, "oidc": null})));
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let house = House::new().await;
    add(&house, &house.key, json!({"email": "ada@example.org", "roles": ["member"]})).await;
    let mut browser = Browser::new(&house);
    browser.sign_in("ada@example.org", None).await;
    let call = |headers: &[(&str, &str)]| {
        let mut request = browser.request(Method::POST, "/api/tools/calculate/invoke");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.header("x-csrf-token", &browser.csrf).json(&json!({"expression": "6*7"})).send()
    };
    let foreign: [&[(&str, &str)]; 6] = [
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://localhost:1")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", house.url.as_str()), ("origin", "https://evil.example")],
    ];
    for headers in foreign {
        let (status, problem) = read(call(headers).await.unwrap()).await;
        assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("FORBIDDEN")), "{headers:?}");
    }
    let ours: [&[(&str, &str)]; 2] =
        [&[("origin", house.url.as_str()), ("sec-fetch-site", "same-origin")], &[]];
    for headers in ours {
        assert_eq!(call(headers).await.unwrap().status(), StatusCode::OK, "{headers:?}");
    }
    let (_, calls) = house.get("/api/invocations").await;
    assert_eq!(calls["items"].as_array().unwrap().len(), 2, "what was refused left no call: {calls}");

    let login = json!({"email": "ada@example.org", "password": PASSWORD});
    let forced =
        house.http.post(format!("{}/api/auth/login", house.url)).header("origin", "https://evil.example");
    assert_eq!(forced.json(&login).send().await.unwrap().status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn no_script_reads_a_cookie_and_https_keeps_it_to_itself() {
    let house = House::new().await;
    add(&house, &house.key, json!({"email": "ada@example.org"})).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let public = format!("http://{}", listener.local_addr().unwrap());
    let options =
        ServerOptions { public_url: Some("https://tools.example".to_owned()), ..ServerOptions::default() };
    let state = AppState::with(house.engine.clone(), options);
    tokio::spawn(serve(listener, state, std::future::pending()));
    for (url, secure) in [(&house.url, false), (&public, true)] {
        let login = json!({"email": "ada@example.org", "password": PASSWORD});
        let answer = house.http.post(format!("{url}/api/auth/login")).json(&login).send().await.unwrap();
        let cookies: Vec<_> =
            answer.headers().get_all(header::SET_COOKIE).iter().map(|set| set.to_str().unwrap()).collect();
        assert_eq!(cookies.len(), 3, "{cookies:?}");
        for set in cookies {
            assert!(set.contains("; HttpOnly") && set.contains("; SameSite=Lax"), "{set}");
            let is_mark = set.starts_with("toolgate_device_");
            assert!(set.contains(if is_mark { "; Path=/api/auth/login;" } else { "; Path=/;" }), "{set}");
            assert_eq!(set.contains("; Secure"), secure, "{set}");
        }
    }
}

#[tokio::test]
async fn a_browser_follows_events_with_its_cookie_and_goes_on_where_it_was() {
    let house = House::new().await;
    add(&house, &house.key, json!({"email": "ada@example.org", "roles": ["operator"]})).await;
    let mut browser = Browser::new(&house);
    browser.sign_in("ada@example.org", None).await;
    // What an `EventSource` sends: no key, no token.
    let follow = |path: &str, last: Option<&str>| {
        let mut request = browser.request(Method::GET, path).header("accept", "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        request.send()
    };
    let mut events = Events::new(follow("/api/events", None).await.unwrap());
    let mut approvals = Events::new(follow("/api/approvals/stream", None).await.unwrap());
    assert_eq!(approvals.next().await.unwrap().0, "count");
    let call = || house.post("/api/tools/calculate/invoke", json!({"expression": "1+1"}));
    call().await;
    let (kind, first, _) = events.next().await.unwrap();
    assert_eq!(kind, "tool.started");
    drop(events);
    call().await;
    let mut again = Events::new(follow("/api/events", Some(&first)).await.unwrap());
    let kinds = [again.next().await.unwrap().0, again.next().await.unwrap().0, again.next().await.unwrap().0];
    assert_eq!(kinds, ["tool.completed", "tool.started", "tool.completed"], "nothing was missed");

    let stranger = Browser::new(&house);
    let refused = stranger.request(Method::GET, "/api/events").header("accept", "text/event-stream");
    assert_eq!(refused.send().await.unwrap().status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn who_is_no_longer_let_in_hears_nothing_more() {
    let house = House::new().await;
    add(&house, &house.key, json!({"email": "ada@example.org", "roles": ["approver"]})).await;
    let (_, users) = house.get("/api/users").await;
    let ada = users["items"].as_array().unwrap().iter().find(|user| user["email"] == "ada@example.org");
    let path = format!("/api/users/{}", ada.unwrap()["id"].as_str().unwrap());
    let (_, made) = house.post("/api/keys", json!({"name": "watcher", "scopes": ["invocations:read"]})).await;
    let key = format!("Bearer {}", made["key"].as_str().unwrap());
    let mut browser = Browser::new(&house);
    browser.sign_in("ada@example.org", None).await;
    let live = |request: RequestBuilder| request.header("accept", "text/event-stream").send();
    let get = |path: &str| browser.request(Method::GET, path);
    let mut events = Events::new(live(get("/api/events")).await.unwrap());
    let mut approvals = Events::new(live(get("/api/approvals/stream")).await.unwrap());
    assert_eq!(approvals.next().await.unwrap().0, "count");
    let by_key = house.http.get(format!("{}/api/events", house.url)).header(header::AUTHORIZATION, key);
    let mut watched = Events::new(live(by_key).await.unwrap());

    let call = || house.post("/api/tools/calculate/invoke", json!({"expression": "1+1"}));
    call().await;
    for followed in [&mut events, &mut watched] {
        assert_eq!(followed.next().await.unwrap().0, "tool.started");
        assert_eq!(followed.next().await.unwrap().0, "tool.completed");
    }
    let (status, told) =
        house.ask(&house.key, Method::PATCH, &path, Some(json!({"status": "disabled"}))).await;
    assert_eq!(status, StatusCode::OK, "{told}");
    let revoke = format!("/api/keys/{}", made["id"].as_str().unwrap());
    let (status, told) = house.ask(&house.key, Method::DELETE, &revoke, None).await;
    assert!(status.is_success(), "{told}");
    call().await;
    assert!(events.next().await.is_none(), "a person who was shut out");
    assert!(approvals.next().await.is_none(), "the same, as an approver");
    assert!(watched.next().await.is_none(), "a key that was revoked");
}

#[tokio::test]
async fn a_person_with_accounts_in_two_tenants_switches_between_them() {
    let house = House::new().await;
    let (_, key) = house.tenant("north").await;
    add(&house, &house.key, json!({"email": "ada@example.org", "roles": ["viewer"]})).await;
    add(&house, &key, json!({"email": "ada@north.example", "roles": ["admin"]})).await;
    let mut browser = Browser::new(&house);
    browser.sign_in("ada@example.org", None).await;
    let (status, missing) = browser.post("/api/auth/switch", json!({"tenant": "north"})).await;
    assert_eq!(
        (status, &missing["code"]),
        (StatusCode::NOT_FOUND, &json!("NOT_FOUND")),
        "an account is not enough"
    );

    browser.sign_in("ada@north.example", Some("north")).await;
    let (_, me) = browser.get("/api/auth/me").await;
    assert_eq!((&me["tenant"], &me["roles"]), (&json!("north"), &json!(["admin"])));
    let there = |slug: &str, email: &str, current: bool| {
        let known = me["tenants"].as_array().unwrap().iter().find(|tenant| tenant["slug"] == slug).unwrap();
        assert_eq!((&known["email"], &known["current"]), (&json!(email), &json!(current)), "{me}");
    };
    there("default", "ada@example.org", false);
    there("north", "ada@north.example", true);

    let before = browser.csrf.clone();
    let (status, told) = browser.post("/api/auth/switch", json!({"tenant": "default"})).await;
    assert_eq!((status, &told["tenant"]), (StatusCode::OK, &json!("default")), "{told}");
    assert_ne!(browser.csrf, before, "the token of one session is not that of another");
    let (_, me) = browser.get("/api/auth/me").await;
    assert_eq!((&me["tenant"], &me["roles"]), (&json!("default"), &json!(["viewer"])));

    let kept: Vec<_> = browser.cookies.clone();
    let (status, _) = browser.post("/api/auth/logout", json!({})).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    assert!(
        browser.cookies.iter().all(|(name, _)| name.starts_with("toolgate_device_")),
        "{:?}",
        browser.cookies
    );
    browser.cookies = kept;
    browser.cookies.retain(|(name, _)| name == "toolgate_sessions");
    browser.cookies[0].0 = "toolgate_session".to_owned();
    assert_eq!(browser.get("/api/auth/me").await.0, StatusCode::UNAUTHORIZED, "both sessions are over");
}
