//! Letters to webhooks pass the same wall as HTTP tools, and their failures say nothing of what is behind it.

use std::{collections::BTreeSet, io, net::TcpListener, sync::Arc};

use rstest::rstest;
use tokio::io::AsyncWriteExt;
use toolgate_domain::Limits;
use toolgate_engine::{Letter, Notifier, SendError};

use super::{
    bench::Names,
    forms,
    host::{Host, Reply, redirect, respond},
    tls::Authority,
};
use crate::http::{
    HttpNotifier,
    wall::{AllowHosts, Wall},
};

fn notifier_with(allow: AllowHosts, names: Arc<Names>, timeout_ms: u64) -> HttpNotifier {
    let limits = Limits { webhook_timeout_ms: timeout_ms, ..Limits::default() };
    HttpNotifier::new(Wall::new(allow, names), &limits)
}

fn notifier(allow: &[&str]) -> HttpNotifier {
    notifier_with(AllowHosts::parse(allow).unwrap(), Names::of(&[]), 20_000)
}

fn letter(url: &str) -> Letter {
    Letter {
        url: url.to_owned(),
        delivery: "dlv_1".to_owned(),
        sent_at_s: 1,
        signature: "t=1,v1=00".to_owned(),
        body: "{}".to_owned(),
    }
}

/// Listens at every address of this machine.
fn everywhere() -> (TcpListener, String) {
    let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0")).unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    (listener, port)
}

fn nobody_knocked(listener: &TcpListener) -> bool {
    listener.accept().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

#[tokio::test]
async fn no_form_of_an_address_inside_is_saved_or_sent_to_without_the_operators_word() {
    let (listener, port) = everywhere();
    let notifier = notifier(&[]);
    for form in forms::INSIDE.iter().chain(forms::AMBIGUOUS) {
        let plain = form.replace("PORT", &port);
        for url in [plain.clone(), plain.replacen("http:", "https:", 1)] {
            assert!(notifier.check(&url).await.is_err(), "{url} was saved");
            assert!(notifier.send(letter(&url)).await.is_err(), "{url} was sent to");
        }
    }
    assert!(nobody_knocked(&listener));
}

#[tokio::test]
async fn with_the_operators_word_the_same_address_is_knocked_at() {
    let (listener, port) = everywhere();
    let open = notifier_with(AllowHosts::default().and_inside(), Names::of(&[]), 20_000);
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let url = format!("https://127.0.0.1:{port}/");
    let (sent, knocked) = tokio::join!(open.send(letter(&url)), async { listener.accept().await.map(drop) });
    assert!(sent.is_err() && knocked.is_ok());
}

#[rstest]
#[case("https://hooks.example.com/x", true)]
#[case("https://93.184.216.34/x", true)]
#[case("http://127.0.0.1:9000/x", false)]
#[case("http://localhost:9000/x", false)]
#[case("http://[::1]:9000/x", false)]
#[case("http://hooks.example.com/x", false)]
#[case("https://user:word@hooks.example.com/x", false)]
#[case("https://10.0.0.1/x", false)]
#[case("https://169.254.169.254/latest/meta-data", false)]
#[case("https://100.64.0.1/x", false)]
#[case("https://0.0.0.0/x", false)]
#[case("https://2130706434.example", true)]
#[case("https://0x0a000001/x", false)]
#[case("https://[fe80::1]/x", false)]
#[case("https://[fd00::1]/x", false)]
#[case("https://[::ffff:10.0.0.1]/x", false)]
#[case("https://[64:ff9b::a00:1]/x", false)]
#[case("https://[2606:2800::5efe:7f00:1]/x", false)]
#[case("https://192.88.99.1/x", false)]
#[case("ftp://hooks.example.com/x", false)]
#[case("hooks.example.com", false)]
#[tokio::test]
async fn only_addresses_outside_are_saved(#[case] url: &str, #[case] allowed: bool) {
    let outside: &[&[&str]] = &[&["93.184.216.34"]];
    let names = Names::of(&[("hooks.example.com", outside), ("2130706434.example", outside)]);
    let notifier = notifier_with(AllowHosts::default(), names, 20_000);
    assert_eq!(notifier.check(url).await.is_ok(), allowed, "{url}");
}

#[tokio::test]
async fn the_operator_can_allow_what_is_inside_and_nothing_in_the_open() {
    let names = || Names::of(&[("localhost", &[&["127.0.0.1"]]), ("meta.example", &[&["169.254.169.254"]])]);
    let inside = notifier_with(AllowHosts::default().and_inside(), names(), 20_000);
    for url in
        ["https://10.0.0.1/x", "http://127.0.0.1:9000/x", "http://localhost:9000/x", "http://[::1]:9000/x"]
    {
        inside.check(url).await.unwrap_or_else(|error| panic!("{url}: {error}"));
    }
    for url in
        ["http://10.0.0.1/x", "https://0.0.0.0/x", "https://169.254.169.254/x", "https://meta.example/x"]
    {
        assert!(inside.check(url).await.is_err(), "{url}");
    }
    let one = notifier_with(AllowHosts::parse(["127.0.0.1:9000"]).unwrap(), names(), 20_000);
    one.check("http://127.0.0.1:9000/x").await.unwrap();
    assert!(one.check("http://127.0.0.1:9001/x").await.is_err(), "one port opens no other");
    assert!(one.check("https://10.0.0.1/x").await.is_err());
}

#[tokio::test]
async fn in_the_clear_a_letter_stays_on_this_machine_whatever_localhost_leads_to() {
    let names = Names::of(&[("localhost", &[&["93.184.216.34"]])]);
    let notifier = notifier_with(AllowHosts::default().and_inside(), names, 20_000);
    assert!(notifier.check("http://localhost:9000/x").await.is_err());
}

#[tokio::test]
async fn a_letter_arrives_and_its_status_is_told() {
    let host = Host::start(|_, _| respond(204, &[], "")).await;
    let answered = notifier(&["127.0.0.1"]).send(letter(&host.url("/hook"))).await;
    assert_eq!(answered, Ok(204));
    let asked = host.last();
    assert_eq!((asked.line.as_str(), asked.body.as_str()), ("POST /hook HTTP/1.1", "{}"));
    assert_eq!(asked.header("toolgate-delivery"), Some("dlv_1"));
}

#[tokio::test]
async fn a_redirect_is_a_status_and_nothing_is_sent_on() {
    let (listener, port) = everywhere();
    let there = format!("http://127.0.0.1:{port}/");
    let host = Host::start(move |_, _| redirect(307, &there)).await;
    assert_eq!(notifier(&["127.0.0.1"]).send(letter(&host.url("/"))).await, Ok(307));
    assert!(nobody_knocked(&listener));
}

#[tokio::test]
async fn a_name_that_turns_inside_after_it_was_saved_is_not_connected_to() {
    let (listener, port) = everywhere();
    let names = Names::of(&[("rebind.example", &[&["93.184.216.34"], &["127.0.0.1"]])]);
    let notifier = notifier_with(AllowHosts::default(), names, 20_000);
    let url = format!("https://rebind.example:{port}/");
    notifier.check(&url).await.unwrap();
    assert!(notifier.send(letter(&url)).await.is_err());
    assert!(nobody_knocked(&listener));
}

#[tokio::test]
async fn a_name_that_leads_inside_and_one_that_leads_nowhere_read_alike() {
    let names = Names::of(&[("inner.example", &[&["10.0.0.1"]])]);
    let notifier = notifier_with(AllowHosts::default(), names, 20_000);
    let said = |name: &'static str| {
        let notifier = &notifier;
        async move { notifier.check(&format!("https://{name}/x")).await.unwrap_err().replace(name, "HOST") }
    };
    assert_eq!(said("inner.example").await, said("nobody.example").await);
}

/// What a tenant is told where no answer came, and what the log is told.
async fn unreached(notifier: &HttpNotifier, url: &str) -> (String, String) {
    match notifier.send(letter(url)).await {
        Err(error @ SendError::Unreached { .. }) => {
            let told = error.to_string();
            let SendError::Unreached { detail } = error else { unreachable!() };
            (told, detail)
        }
        other => panic!("{url}: {other:?}"),
    }
}

/// A server without TLS, which does not wait for the end of what it cannot read.
async fn answers_in_the_clear() -> std::net::SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    address
}

#[tokio::test]
async fn an_open_port_a_closed_one_and_a_broken_tls_read_alike_but_in_the_log() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let plain = answers_in_the_clear().await;
    let untrusted = Authority::new().host("127.0.0.1", |_, _| respond(200, &[], "")).await;
    let hangs_up = Host::start(|_, _| Reply::Bytes(Vec::new())).await;
    let chatters = Host::start(|_, _| Reply::Bytes(b"220 mail.example ESMTP\r\n".to_vec())).await;
    let silent = Host::start(|_, _| Reply::Hang(Vec::new())).await;
    let names = || Names::of(&[("turned.example", &[&["10.0.0.1"]])]);
    let allow = || AllowHosts::parse(["127.0.0.1"]).unwrap();
    let patient = notifier_with(allow(), names(), 20_000);
    let hasty = notifier_with(allow(), names(), 1);
    let (mut told, mut logged) = (BTreeSet::new(), BTreeSet::new());
    for (notifier, url) in [
        (&patient, format!("http://{closed}/")),
        (&patient, format!("https://{plain}/")),
        (&patient, format!("https://{}/", untrusted.address)),
        (&patient, hangs_up.url("/")),
        (&patient, chatters.url("/")),
        (&hasty, silent.url("/")),
        (&patient, "https://turned.example/".to_owned()),
        (&patient, "https://nobody.example/".to_owned()),
    ] {
        let (text, detail) = unreached(notifier, &url).await;
        told.insert(text);
        logged.insert(detail);
    }
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(logged.len() >= 6, "the operator reads the causes: {logged:?}");
}
