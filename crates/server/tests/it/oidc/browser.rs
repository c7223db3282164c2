//! Just enough of a browser to sign in: cookies, redirects, and two forms.

use std::collections::BTreeMap;

use reqwest::{
    Client, Response, Url,
    header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE},
    redirect,
};

/// More redirects and forms than a sign-in has.
const MAX_STEPS: usize = 20;

pub struct Browser {
    http: Client,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    pub fn new() -> Self {
        let http = Client::builder()
            .no_proxy()
            .tls_certs_only([])
            .redirect(redirect::Policy::none())
            .build()
            .unwrap();
        Self { http, cookies: BTreeMap::new() }
    }

    /// Signs in as `login`, consents, and returns the first address that begins with `end`: there the client awaits the answer.
    pub async fn sign_in_until(&mut self, start: &str, login: &str, end: &str) -> Url {
        let mut at = Url::parse(start).unwrap();
        for _ in 0..MAX_STEPS {
            if at.as_str().starts_with(end) {
                return at;
            }
            let mut page = self.get(&at).await;
            if page.status().is_success() {
                let html = page.text().await.unwrap();
                let action = between(&html, "action=\"", "\"");
                let form = match between(&html, "name=\"prompt\" value=\"", "\"") {
                    "login" => format!("prompt=login&login={login}&password=any"),
                    prompt => format!("prompt={prompt}"),
                };
                page = self.post(&at.join(action).unwrap(), form).await;
            }
            assert!(page.status().is_redirection(), "{at} answered {}", page.status());
            at = at.join(page.headers()[LOCATION].to_str().unwrap()).unwrap();
        }
        panic!("the sign-in does not end");
    }

    pub async fn get(&mut self, url: &Url) -> Response {
        self.send(self.http.get(url.clone())).await
    }

    async fn post(&mut self, url: &Url, form: String) -> Response {
        let request = self.http.post(url.clone()).body(form);
        self.send(request.header(CONTENT_TYPE, "application/x-www-form-urlencoded")).await
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> Response {
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let response = request.header(COOKIE, cookies.join("; ")).send().await.unwrap();
        for cookie in response.headers().get_all(SET_COOKIE) {
            let (pair, _) = cookie.to_str().unwrap().split_once(';').unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            // An empty value is how a cookie is taken back.
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        response
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap().0
}
