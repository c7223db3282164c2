//! Attempts to sign in are bounded: a stranger guesses little, and keeps nobody out.

use reqwest::{StatusCode, header};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use toolgate_domain::Limits;
use toolgate_server::{AppState, ServerOptions, TrustedProxies, serve};

use crate::server::{
    common::{House, limits, read},
    sessions::{PASSWORD, add},
};

const ADA: &str = "ada@example.org";
const BOB: &str = "bob@example.org";
const AT_HOME: &str = "192.0.2.1";
const STRANGER: &str = "203.0.113.9";

/// The same server behind a proxy that it trusts: the tests are that proxy, and say where people are.
struct Fronted {
    house: House,
    url: String,
}

/// What came of an attempt, and the mark that the browser was given.
struct Attempt {
    status: StatusCode,
    problem: Value,
    mark: Option<String>,
}

impl Fronted {
    async fn with(limits: Limits) -> Self {
        let house = House::with(limits).await;
        for email in [ADA, BOB] {
            add(&house, &house.key, json!({"email": email})).await;
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let trusted_proxies = TrustedProxies::parse(["127.0.0.1"]).unwrap();
        let options = ServerOptions { trusted_proxies, ..ServerOptions::default() };
        let state = AppState::with(house.engine.clone(), options);
        tokio::spawn(serve(listener, state, std::future::pending()));
        Self { house, url }
    }

    async fn attempt(&self, from: &str, email: &str, password: &str, mark: Option<&str>) -> Attempt {
        let login = json!({"email": email, "password": password});
        let mut request = self.house.http.post(format!("{}/api/auth/login", self.url)).json(&login);
        request = request.header("x-forwarded-for", from);
        if let Some(mark) = mark {
            request = request.header(header::COOKIE, mark);
        }
        let response = request.send().await.unwrap();
        let cookies = response.headers().get_all(header::SET_COOKIE).iter();
        let mut pairs = cookies.map(|set| set.to_str().unwrap().split(';').next().unwrap().to_owned());
        let mark = pairs.find(|pair| pair.starts_with("toolgate_device_"));
        let (status, problem) = read(response).await;
        Attempt { status, problem, mark }
    }

    async fn wrong(&self, from: &str, email: &str) -> StatusCode {
        self.attempt(from, email, "wrong", None).await.status
    }

    async fn right(&self, from: &str, mark: Option<&str>) -> Attempt {
        self.attempt(from, ADA, PASSWORD, mark).await
    }
}

#[tokio::test]
async fn one_address_tries_few_accounts_whether_or_not_there_are_any() {
    let server = Fronted::with(Limits { sign_in_address_attempts: 6, ..limits() }).await;
    for n in 0..6 {
        let invented = format!("person{n}@example.org");
        assert_eq!(server.wrong(STRANGER, &invented).await, StatusCode::UNAUTHORIZED, "{n}");
    }
    let refused = server.attempt(STRANGER, "person7@example.org", "wrong", None).await;
    assert_eq!(
        (refused.status, &refused.problem["code"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("TOO_MANY_ATTEMPTS"))
    );
    assert!(refused.problem["retry_after_s"].as_u64().unwrap() > 0, "{}", refused.problem);
    assert_eq!(server.right(AT_HOME, None).await.status, StatusCode::OK, "elsewhere nothing is counted");
}

#[tokio::test]
async fn wrong_passwords_of_a_stranger_do_not_keep_the_right_one_out() {
    let server = Fronted::with(limits()).await;
    for n in 0..10 {
        assert_eq!(server.wrong(STRANGER, ADA).await, StatusCode::UNAUTHORIZED, "{n}");
    }
    assert_eq!(server.wrong(STRANGER, ADA).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.right(STRANGER, None).await.status, StatusCode::TOO_MANY_REQUESTS, "not looked at");
    assert_eq!(server.right(AT_HOME, None).await.status, StatusCode::OK);
}

#[tokio::test]
async fn strangers_from_everywhere_keep_out_no_browser_that_was_in_before() {
    let bounds = Limits { sign_in_account_attempts: 4, ..limits() };
    let server = Fronted::with(bounds).await;
    let mark = server.right(AT_HOME, None).await.mark.unwrap();
    for n in 0..3 {
        assert_eq!(server.wrong(&format!("203.0.113.{n}"), ADA).await, StatusCode::UNAUTHORIZED, "{n}");
    }
    assert_eq!(server.wrong(STRANGER, ADA).await, StatusCode::TOO_MANY_REQUESTS, "guessing has an end");
    assert_eq!(server.right(AT_HOME, None).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.right(AT_HOME, Some(&mark)).await.status, StatusCode::OK, "the browser is known");
    assert_eq!(server.right(STRANGER, Some(&mark)).await.status, StatusCode::OK, "wherever it is");
    assert_eq!(server.wrong(STRANGER, BOB).await, StatusCode::UNAUTHORIZED, "another account");
}

#[tokio::test]
async fn a_mark_counts_for_its_own_account_and_bounds_its_own_guesses() {
    let server = Fronted::with(Limits { sign_in_attempts: 2, ..limits() }).await;
    let ada = server.right(AT_HOME, None).await.mark.unwrap();
    let bob = server.attempt(AT_HOME, BOB, PASSWORD, None).await.mark.unwrap();
    for _ in 0..2 {
        server.wrong(STRANGER, ADA).await;
    }
    let (name, value) = (ada.split_once('=').unwrap().0, bob.split_once('=').unwrap().1);
    let (signed, _) = ada.rsplit_once('.').unwrap();
    let later = ada.replacen('=', "=9", 1);
    for forged in [format!("{name}={value}"), format!("{signed}."), later, format!("{name}=1.2.3"), bob] {
        let attempt = server.right(STRANGER, Some(&forged)).await;
        assert_eq!(attempt.status, StatusCode::TOO_MANY_REQUESTS, "{forged}");
    }
    for _ in 0..2 {
        let attempt = server.attempt(STRANGER, ADA, "wrong", Some(&ada)).await;
        assert_eq!(attempt.status, StatusCode::UNAUTHORIZED, "it has a count of its own");
    }
    assert_eq!(server.right(STRANGER, Some(&ada)).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(server.right(AT_HOME, None).await.status, StatusCode::OK, "which is nobody else's");
}

#[tokio::test]
async fn a_mark_ends() {
    let server = Fronted::with(Limits { sign_in_attempts: 1, sign_in_device_s: 0, ..limits() }).await;
    let over = server.right(AT_HOME, None).await.mark.unwrap();
    assert_eq!(server.right(AT_HOME, Some(&over)).await.status, StatusCode::TOO_MANY_REQUESTS);
}
