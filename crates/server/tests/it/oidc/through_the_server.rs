//! A browser signs in to Toolgate with a real provider, and comes back as a person.

use std::sync::Arc;

use reqwest::StatusCode;
use serde_json::{Value, json};
use toolgate_domain::time::SystemClock;
use toolgate_server::{Elsewhere, ServerOptions};
use url::Url;

use crate::oidc::{browser::Browser, client, config, house::Serving, provider::RealProvider};

struct House {
    serving: Serving,
    url: String,
    _provider: RealProvider,
}

impl House {
    async fn open() -> Self {
        let (listener, url) = Serving::listen().await;
        let redirect_uri = format!("{url}/api/auth/oidc/callback");
        let provider = RealProvider::start(&[&format!("redirect-uri={redirect_uri}")]).await;
        let mut config = config(&provider.issuer, "public", None);
        config.redirect_uri = redirect_uri;
        let elsewhere = Elsewhere { client: client(config, Arc::new(SystemClock)), key: [3; 32] };
        let options = ServerOptions { elsewhere: Some(elsewhere), ..ServerOptions::default() };
        Self { serving: Serving::open(listener, options).await, url, _provider: provider }
    }

    async fn add(&self, email: &str) {
        self.serving.add(json!({"email": email, "name": "Alice"})).await;
    }

    async fn sign_in(&self, browser: &mut Browser, login: &str) -> reqwest::Response {
        let start = format!("{}/api/auth/oidc/start?return_to=/library", self.url);
        let back =
            browser.sign_in_until(&start, login, &format!("{}/api/auth/oidc/callback", self.url)).await;
        browser.get(&back).await
    }
}

async fn me(browser: &mut Browser, house: &House) -> (StatusCode, Value) {
    let answer = browser.get(&Url::parse(&format!("{}/api/auth/me", house.url)).unwrap()).await;
    (answer.status(), serde_json::from_str(&answer.text().await.unwrap()).unwrap())
}

#[tokio::test]
async fn a_person_whom_somebody_entered_comes_in_by_a_verified_address() {
    let house = House::open().await;
    house.add("alice@people.example").await;
    let mut browser = Browser::new();
    let answer = house.sign_in(&mut browser, "alice").await;
    assert_eq!(
        (answer.status(), &answer.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/library".parse().unwrap())
    );
    let (status, told) = me(&mut browser, &house).await;
    assert_eq!((status, &told["roles"]), (StatusCode::OK, &json!(["member"])), "{told}");
    assert!(told["csrf_token"].is_string());
    // The next time the subject is enough.
    assert_eq!(house.sign_in(&mut Browser::new(), "alice").await.status(), StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_stranger_stays_outside_and_an_answer_cannot_be_brought_by_another_browser() {
    let house = House::open().await;
    let mut browser = Browser::new();
    assert_eq!(house.sign_in(&mut browser, "mallory").await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(me(&mut browser, &house).await.0, StatusCode::UNAUTHORIZED);

    house.add("alice@people.example").await;
    let start = format!("{}/api/auth/oidc/start", house.url);
    let callback = format!("{}/api/auth/oidc/callback", house.url);
    let mut alice = Browser::new();
    let back = alice.sign_in_until(&start, "alice", &callback).await;
    let mut other = Browser::new();
    assert_eq!(other.get(&back).await.status(), StatusCode::BAD_REQUEST, "it did not begin this sign-in");
    let person = reqwest::Client::builder()
        .no_proxy()
        .tls_certs_only([])
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let page = person.get(back.clone()).header("accept", "text/html,*/*;q=0.8").send().await.unwrap();
    assert_eq!(
        (page.status(), &page.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/sign-in?failed=stale".parse().unwrap()),
        "a person reads it on the page"
    );
    assert_eq!(alice.get(&back).await.status(), StatusCode::SEE_OTHER);
    let elsewhere = Url::parse(&format!("{start}?return_to=//evil.example")).unwrap();
    assert_eq!(Browser::new().get(&elsewhere).await.status(), StatusCode::BAD_REQUEST);
}
