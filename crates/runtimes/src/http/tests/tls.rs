//! Encrypted hosts: whom the client believes, and that it stays with what is encrypted.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};
use toolgate_domain::ErrorCode;

use super::{
    bench::{Bench, Names},
    host::{Asked, Host, Reply, json as answer, redirect},
};
use crate::http::{HttpOptions, HttpRuntime, HttpSetupError};

/// A certificate authority that no system knows.
pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new([]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    /// A server that this authority vouches for, by name.
    fn acceptor(&self, name: &str) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new([name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(
            tokio_rustls::rustls::crypto::aws_lc_rs::default_provider(),
        ))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key)
        .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    pub(super) async fn host(
        &self,
        name: &str,
        reply: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    ) -> Host {
        Host::start_tls(self.acceptor(name), reply).await
    }
}

fn here(name: &str) -> Arc<Names> {
    Names::of(&[(name, &[&["127.0.0.1"]])])
}

fn asking(host: &Host, name: &str) -> Value {
    json!({
        "method": "GET", "url": format!("https://{name}:{}/x", host.port()), "retries": {"max": 0},
        "auth": {"type": "bearer", "secret": "KEY"},
    })
}

#[tokio::test]
async fn a_host_that_a_trusted_authority_vouches_for_is_talked_to() {
    let authority = Authority::new();
    let host = authority.host("inside.example", |_, _| answer(200, &json!({"well": "met"}))).await;
    let bench = Bench::trusting(&authority.pem(), &["127.0.0.1"], here("inside.example"));
    let answered = bench.secret("KEY", "s3cret-key").call(asking(&host, "inside.example"), json!({})).await;
    assert_eq!(answered.unwrap().value["body"], json!({"well": "met"}));
    assert_eq!(host.last().header("authorization"), Some("Bearer s3cret-key"));
}

#[tokio::test]
async fn a_host_for_whom_nobody_vouches_is_told_nothing() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let names = || here("inside.example");
    let unknown = stranger.host("inside.example", |_, _| answer(200, &json!({}))).await;
    let renamed = authority.host("other.example", |_, _| answer(200, &json!({}))).await;
    let trusting = || Bench::trusting(&authority.pem(), &["127.0.0.1"], names()).secret("KEY", "s3cret-key");
    let plain = Bench::with(&["127.0.0.1"], names(), crate::http::HttpLimits::default());
    for (bench, host, case) in [
        (trusting(), &unknown, "an authority that nobody trusts"),
        (trusting(), &renamed, "the certificate of another name"),
        (plain.secret("KEY", "s3cret-key"), &unknown, "the system alone"),
    ] {
        let refused = bench.call(asking(host, "inside.example"), json!({})).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::NetworkError, "{case}: {refused}");
        assert!(refused.message.contains("certificate"), "{case}: {refused}");
        assert_eq!(host.asked().len(), 0, "{case}");
    }
}

#[tokio::test]
async fn a_redirect_to_what_is_not_encrypted_is_not_followed() {
    let authority = Authority::new();
    let open = Host::start(|_, _| answer(200, &json!({}))).await;
    let location = open.url("/x");
    let host = authority.host("inside.example", move |_, _| redirect(302, &location)).await;
    let bench = Bench::trusting(&authority.pem(), &["127.0.0.1"], here("inside.example"));
    let refused = bench.secret("KEY", "s3cret-key").call(asking(&host, "inside.example"), json!({})).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code, ErrorCode::ProviderError);
    assert_eq!(refused.details.as_ref().unwrap()["reason"], "redirect", "{refused}");
    assert!(refused.message.contains("not encrypted"), "{refused}");
    assert_eq!((host.asked().len(), open.asked().len()), (1, 0));
}

#[tokio::test]
async fn what_is_no_certificate_is_not_trusted() {
    for text in ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let options = HttpOptions { trusted_pem: Some(text.into()), ..HttpOptions::default() };
        let clock = Arc::new(toolgate_domain::time::SystemClock);
        let refused = HttpRuntime::new(clock, options).err();
        assert!(
            matches!(refused, Some(HttpSetupError::Trusted | HttpSetupError::Client(_))),
            "{text}: {refused:?}"
        );
    }
}
