//! Logging in to an MCP server of somebody else: a real authorization server, a browser, and the whole of Toolgate.

#[path = "../../../../server/tests/it/oidc/browser.rs"]
mod browser;
mod protected;
#[path = "../../../../server/tests/it/oidc/provider.rs"]
mod provider;

use std::{
    io::{BufReader, Read},
    path::Path,
    process::{Command, Stdio},
};

use memchr::memmem;
use reqwest::{StatusCode, Url};
use serde_json::{Value, json};

use self::{browser::Browser, protected::Protected, provider::RealProvider};
use crate::cli::support::{Ran, Server, read_line};

/// Shorter than the time before its end at which a token is renewed: each call finds one that is as good as expired.
const SOON_OVER: [&str; 2] = ["registration", "access-token-ttl=20"];
const LASTING: [&str; 2] = ["registration", "access-token-ttl=3600"];
const ALLOWED: [&str; 2] = ["--allow-host", "127.0.0.0/8"];

struct World {
    server: Server,
    upstream: Protected,
    provider: RealProvider,
}

impl World {
    async fn new(provider: &[&str]) -> Self {
        let provider = RealProvider::start(provider).await;
        let upstream = Protected::start(&provider.issuer);
        Self { server: Server::start_with(&ALLOWED), upstream, provider }
    }

    fn add(&self, more: &[&str]) -> Ran {
        let add = ["mcp", "server", "add", "tracker", "--to", self.upstream.url(), "--egress", "read_only"];
        self.server.run(&[&add, more].concat())
    }

    fn call(&self, key: &[&str], text: &str) -> Value {
        let text = format!("text={text}");
        let call = ["tool", "call", "tracker_say", "--input", &text, "--json"];
        self.server.run(&[key, &call].concat()).json()
    }

    /// `toolgate mcp login`, and `who` says yes in the browser.
    async fn log_in(&self, key: &[&str], who: &str) -> Ran {
        let command = self.server.command(&[key, &["mcp", "login", "tracker", "--json"]].concat());
        log_in(command, who).await
    }

    /// A key of somebody who is not anybody else.
    fn person(&self, name: &str, role: &str) -> String {
        let address = format!("{name}@example.com");
        self.server.run(&["user", "create", &address, "--name", name, "--role", role]).exits(0);
        let scopes = "tools:read,tools:write,tools:execute,secrets:write";
        let key = ["key", "create", name, "--scope", scopes, "--user", &address, "--json"];
        self.server.run(&key).exits(0).json()["key"].as_str().unwrap().to_owned()
    }

    async fn post(&self, key: &str, step: &str, body: Value) -> (StatusCode, Value) {
        let url = format!("{}/api/mcp/servers/tracker/oauth/{step}", self.server.url);
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        let request = http.post(url).bearer_auth(key).header("content-type", "application/json");
        let answer = request.body(body.to_string()).send().await.unwrap();
        let status = answer.status();
        (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap_or_default())
    }

    /// Starts over REST, and returns what the browser would bring back.
    async fn start(&self, key: &str) -> Value {
        let back = "http://127.0.0.1:4711/callback";
        let (status, started) = self.post(key, "start", json!({"redirect_uri": back})).await;
        assert_eq!(status, StatusCode::OK, "{started}");
        let url = started["authorization_url"].as_str().unwrap();
        let back = Browser::new().sign_in_until(url, "ada", back).await;
        let value = |name: &str| back.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
        json!({"code": value("code"), "state": value("state"), "iss": value("iss")})
    }

    /// The provider forgets all it gave out, and says which refresh tokens that were.
    async fn forget(&self) -> Vec<String> {
        let http = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap();
        let told = http.get(format!("{}/forget", self.provider.issuer)).send().await.unwrap();
        serde_json::from_str(&told.text().await.unwrap()).unwrap()
    }

    fn restart(&mut self) {
        let fresh = Server::start();
        let (_, code, home) = std::mem::replace(&mut self.server, fresh).stop();
        assert_eq!(code, Some(0));
        self.server = Server::start_again_with(home, &ALLOWED);
    }
}

async fn log_in(mut command: Command, who: &str) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let told: Value = serde_json::from_str(&read_line(&mut lines)).unwrap();
    let url = told["authorization_url"].as_str().unwrap();
    let parsed = Url::parse(url).unwrap();
    let (_, redirect_uri) = parsed.query_pairs().find(|(key, _)| key == "redirect_uri").unwrap();
    let mut browser = Browser::new();
    let back = browser.sign_in_until(url, who, &redirect_uri).await;
    assert_eq!(browser.get(&back).await.status(), StatusCode::OK);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    let mut ran = Ran::of(child.wait_with_output().unwrap());
    ran.out = rest;
    ran
}

fn text(called: &Value) -> &str {
    called["output"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{called}"))
}

/// The files below a directory that hold one of the texts.
fn holding(directory: &Path, texts: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, texts));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let holds = |text: &&String| memmem::find(&bytes, text.as_bytes()).is_some();
            found.extend(texts.iter().find(holds).map(|_| path.display().to_string()));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_renewed_outlives_a_restart_and_ends_when_it_is_taken_back() {
    let mut world = World::new(&SOON_OVER).await;
    world.add(&["--oauth"]).exits(1).says("toolgate mcp login tracker");
    world.server.run(&["mcp", "server", "show", "tracker"]).exits(0).says("one for the whole tenant");
    world.log_in(&[], "ada").await.exits(0).says("\"logged_in\":true");
    world.server.run(&["mcp", "server", "refresh", "tracker"]).exits(0).says("tracker_say").says("accepted");

    let mut shown = String::new();
    let mut call = |world: &World, said: &str| {
        let called = world.call(&[], said);
        shown += &called.to_string();
        called
    };
    let mark = "[redacted:MCP_TRACKER_OAUTH]";
    assert_eq!(text(&call(&world, "one")), format!("ada said \"one\" with Bearer {mark}"));
    let before = world.upstream.tokens().len();
    assert_eq!(text(&call(&world, "two")), format!("ada said \"two\" with Bearer {mark}"));
    assert!(world.upstream.tokens().len() > before, "it was renewed: {before}");
    let failed = call(&world, "fail");
    assert_eq!(failed["error"]["code"], "PROVIDER_ERROR", "{failed}");
    assert!(failed["error"]["message"].as_str().unwrap().contains(mark), "{failed}");

    // A refresh token is good for one use here: only one that was written back is of use now.
    world.restart();
    assert_eq!(text(&call(&world, "three")), format!("ada said \"three\" with Bearer {mark}"));

    let refresh_tokens = world.forget().await;
    assert!(refresh_tokens.len() >= 4, "{}", refresh_tokens.len());
    world.upstream.refuse_all();
    let refused = call(&world, "four");
    assert_eq!(refused["error"]["code"], "AUTH_REQUIRED", "{refused}");
    assert!(
        refused["error"]["message"].as_str().unwrap().contains("toolgate mcp login tracker"),
        "{refused}"
    );
    world.log_in(&[], "ada").await.exits(0);
    assert_eq!(text(&call(&world, "five")), format!("ada said \"five\" with Bearer {mark}"));

    let shown = shown + &world.server.run(&["mcp", "server", "show", "tracker", "--json"]).exits(0).out;
    let shown = shown + &world.server.run(&["events", "--json"]).exits(0).out;
    assert!(shown.contains(mark));
    let secrets = [world.upstream.tokens(), refresh_tokens].concat();
    assert!(secrets.len() >= 10, "{}", secrets.len());
    for secret in &secrets {
        assert!(!shown.contains(secret.as_str()), "{secret} is shown");
    }
    let (_, _, home) = world.server.stop();
    assert_eq!(holding(home.path(), &secrets), [""; 0], "nothing keeps a token in the clear");
    let log = std::fs::read_to_string(home.path().join("log")).unwrap();
    assert!(log.contains("TRACE"), "it was told to say everything");
    assert!(!log.contains(" rmcp::"), "the SDK of the protocol is not heard, whatever is set");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_refused_is_renewed_in_the_middle_of_a_call_and_is_not_shown_either() {
    let world = World::new(&LASTING).await;
    world.add(&["--oauth"]).exits(1);
    world.log_in(&[], "ada").await.exits(0);
    world.server.run(&["mcp", "server", "refresh", "tracker"]).exits(0);
    assert_eq!(world.upstream.tokens().len(), 1);
    world.upstream.refuse_all();
    let called = world.call(&[], "again");
    assert_eq!(text(&called), "ada said \"again\" with Bearer [redacted:MCP_TRACKER_OAUTH]");
    let tokens = world.upstream.tokens();
    assert_eq!(tokens.len(), 2, "the call itself got another one");
    let (_, _, home) = world.server.stop();
    assert_eq!(holding(home.path(), &tokens), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_each_person_logs_in_nobody_uses_the_login_of_another() {
    let world = World::new(&LASTING).await;
    let (ada, bob) = (world.person("ada", "admin"), world.person("bob", "member"));
    let (ada, bob) = (["--key", ada.as_str()], ["--key", bob.as_str()]);
    world.add(&["--oauth", "--oauth-per", "user"]).exits(1);
    world.log_in(&ada, "ada").await.exits(0);
    let refresh = ["mcp", "server", "refresh", "tracker"];
    world.server.run(&[&ada[..], &refresh].concat()).exits(0).says("accepted");
    assert!(text(&world.call(&ada, "hello")).starts_with("ada said"));

    let refused = world.call(&bob, "hello");
    assert_eq!(refused["error"]["code"], "AUTH_REQUIRED", "{refused}");
    assert_eq!(refused["error"]["details"]["reason"], "login_needed", "{refused}");
    assert!(
        refused["error"]["message"].as_str().unwrap().contains("toolgate mcp login tracker"),
        "{refused}"
    );
    world.log_in(&bob, "bob").await.exits(0);
    for _ in 0..2 {
        assert!(text(&world.call(&bob, "hello")).starts_with("bob said"));
        assert!(text(&world.call(&ada, "hello")).starts_with("ada said"));
    }
    // Logging out is deleting the secret, and it is one's own.
    world.server.run(&[&bob[..], &["secret", "delete", "MCP_TRACKER_OAUTH"]].concat()).exits(0);
    assert_eq!(world.call(&bob, "hello")["error"]["code"], "AUTH_REQUIRED");
    assert!(text(&world.call(&ada, "hello")).starts_with("ada said"));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_logs_in_anew_is_the_one_whose_calls_they_are_from_then_on() {
    let world = World::new(&LASTING).await;
    world.add(&["--oauth"]).exits(1);
    world.log_in(&[], "ada").await.exits(0);
    world.server.run(&["mcp", "server", "refresh", "tracker"]).exits(0);
    assert!(text(&world.call(&[], "hello")).starts_with("ada said"));
    world.log_in(&[], "eve").await.exits(0);
    assert!(
        text(&world.call(&[], "hello")).starts_with("eve said"),
        "the token before is still good, and not used"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_finished_once_by_the_one_who_started_it() {
    let world = World::new(&LASTING).await;
    let (ada, eve) = (world.person("ada", "admin"), world.person("eve", "admin"));
    world.add(&["--oauth"]).exits(1);
    let conflict = StatusCode::CONFLICT;
    let finish = async |key: &str, answer: &Value| world.post(key, "finish", answer.clone()).await.0;

    let answer = world.start(&ada).await;
    assert_eq!(finish(&eve, &answer).await, conflict, "somebody else started it");
    let mut other = answer.clone();
    other["state"] = json!("another");
    assert_eq!(finish(&ada, &other).await, conflict, "another state");
    assert_eq!(finish(&ada, &answer).await, StatusCode::NO_CONTENT);
    assert_eq!(finish(&ada, &answer).await, conflict, "a second time");

    let mut forged = world.start(&ada).await;
    let genuine = forged["iss"].take();
    forged["iss"] = json!("https://elsewhere.example");
    assert_eq!(finish(&ada, &forged).await, conflict, "another authorization server answers");
    forged["iss"] = genuine;
    assert_eq!(finish(&ada, &forged).await, conflict, "it is used up");
    let (status, told) = world.post(&ada, "start", json!({"redirect_uri": "http://evil.example/"})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{told}");
    world.server.run(&["mcp", "server", "refresh", "tracker"]).exits(0).says("tracker_say");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_may_set_secrets_of_the_tenant_logs_in_for_all_and_other_tenants_see_nothing() {
    let world = World::new(&LASTING).await;
    world.add(&["--oauth"]).exits(1);
    let bob = world.person("bob", "member");
    let start = json!({"redirect_uri": "http://127.0.0.1:4711/callback"});
    assert_eq!(world.post(&bob, "start", start.clone()).await.0, StatusCode::FORBIDDEN);
    let made = world.server.run(&["tenant", "create", "other", "--name", "Other"]).exits(0);
    let foreign = made.out.trim();
    assert_eq!(world.post(foreign, "start", start).await.0, StatusCode::NOT_FOUND);
    let answer = json!({"code": "c", "state": "s"});
    assert_eq!(world.post(foreign, "finish", answer).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_allowed_itself_needs_nobody_and_its_token_is_not_shown() {
    let world = World::new(&LASTING).await;
    let secret = "m4chine-s3cret-of-the-tests";
    let grant = ["--oauth-grant", "client_credentials"];
    world.add(&grant).exits(6).says("needs client_id and client_secret");
    let client = ["--oauth-client-id", "machine", "--oauth-client-secret", "TRACKER_SECRET"];
    world.add(&[&grant[..], &client].concat()).exits(1).says("TRACKER_SECRET");
    let set = ["secret", "set", "TRACKER_SECRET", "--scope", "tenant"];
    world.server.run_with_stdin(&set, secret).exits(0);
    world.server.run(&["mcp", "server", "refresh", "tracker"]).exits(0).says("accepted");
    world.server.run(&["mcp", "server", "show", "tracker"]).exits(0).says("the client itself");
    let mark = "[redacted:MCP_TRACKER_OAUTH]";
    assert_eq!(text(&world.call(&[], "hello")), format!("machine said \"hello\" with Bearer {mark}"));
    world.upstream.refuse_all();
    assert_eq!(text(&world.call(&[], "again")), format!("machine said \"again\" with Bearer {mark}"));
    world.server.run(&["mcp", "login", "tracker"]).exits(6).says("logs in by itself");
    let secrets = [world.upstream.tokens(), vec![secret.to_owned()]].concat();
    let (_, _, home) = world.server.stop();
    assert_eq!(holding(home.path(), &secrets), [""; 0]);
}
