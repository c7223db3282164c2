//! Secrets: set and listed, resolved for whoever calls, and never out of their scope.

use std::time::Duration;

use crate::common::{House, call, caller, code, start};
use serde_json::{Value, json};
use toolgate_domain::{Caller, Envelope, ErrorCode, Limits, Scope, TenantId, UserId, WorkspaceId};
use toolgate_engine::{
    Answer, Approval, Call, NewUser, Ruling, SecretError, SecretInfo, SecretName, SecretTarget, SecretValue,
};
use toolgate_store::{AuditFilter, KeyBinding};
use toolgate_test_databases::stores_in;

pub const SECRET: &str = "s3cr3t/va+lue\"=é";

pub fn name(text: &str) -> SecretName {
    text.parse().unwrap()
}

pub fn value(text: &str) -> SecretValue {
    SecretValue::new(text.to_owned()).unwrap()
}

pub async fn set(house: &House, by: &Caller, secret: &str, target: SecretTarget, text: &str) -> SecretInfo {
    house.engine.secrets().set(by, &name(secret), &target, &value(text)).await.unwrap()
}

pub async fn set_for_tenant(house: &House, secret: &str, text: &str) -> SecretInfo {
    set(house, &caller(), secret, SecretTarget::Tenant, text).await
}

pub async fn workspace(house: &House, slug: &str) -> WorkspaceId {
    house.engine.rules().create_workspace(&caller(), slug, slug).await.unwrap().id
}

/// A person, as a caller.
pub async fn person(house: &House, email: &str, role: &str, workspaces: &[WorkspaceId]) -> Caller {
    let new = NewUser {
        email: email.to_owned(),
        name: email.to_owned(),
        roles: vec![role.to_owned()],
        workspaces: workspaces.to_vec(),
        password: None,
    };
    let user: UserId = house.engine.rules().create_user(&caller(), new).await.unwrap().id;
    let bound = KeyBinding { user_id: Some(user), ..KeyBinding::default() };
    let keys = house.engine.keys();
    let key = keys.create_bound(&caller(), email, &[Scope::Admin], None, bound).await.unwrap();
    keys.authenticate(&key.secret).await.unwrap().unwrap()
}

pub async fn called_by(house: &House, by: &Caller, tool: &str, input: Value) -> Envelope {
    let asked = Call { caller: by.clone(), ..call(tool, input) };
    match house.engine.invoke(asked).await.unwrap() {
        Answer::Done(envelope) => *envelope,
        other => panic!("not done: {other:?}"),
    }
}

/// What the tool compares its secret with; whether it is the same.
async fn uses(house: &House, by: &Caller, expected: &str) -> bool {
    let receipt = called_by(house, by, "which", json!({"where": "compare", "token": expected})).await;
    receipt.output == Some(json!({"got": true}))
}

async fn house_that_compares() -> House {
    let house = House::new().await;
    house.tool("which", "leak", json!({"secrets": ["API_KEY"]})).await;
    house
}

#[tokio::test]
async fn the_narrowest_secret_is_used_and_the_tenants_warns() {
    let house = house_that_compares().await;
    let team = workspace(&house, "team").await;
    let ada = person(&house, "ada@example.com", "operator", &[team]).await;

    set_for_tenant(&house, "API_KEY", "of-the-tenant").await;
    assert!(uses(&house, &ada, "of-the-tenant").await);
    let receipt = called_by(&house, &ada, "which", json!({"where": "compare"})).await;
    assert!(receipt.warnings[0].contains("`API_KEY` is the whole tenant's"), "{:?}", receipt.warnings);
    let evidence = house.row(receipt.invocation_id).await.decision.evidence;
    assert!(evidence.iter().any(|e| e.rule == "secrets" && e.because.contains("whole tenant")));

    set(&house, &ada, "API_KEY", SecretTarget::Workspace(None), "of-the-team").await;
    assert!(uses(&house, &ada, "of-the-team").await);
    set(&house, &ada, "API_KEY", SecretTarget::User, "of-ada").await;
    assert!(uses(&house, &ada, "of-ada").await);
    let receipt = called_by(&house, &ada, "which", json!({"where": "compare"})).await;
    assert_eq!(receipt.warnings, Vec::<String>::new());

    assert!(
        uses(&house, &caller(), "of-the-tenant").await,
        "who has no scope of their own uses the tenant's"
    );
    let receipt = called_by(&house, &caller(), "which", json!({"where": "compare"})).await;
    assert_eq!(receipt.warnings, Vec::<String>::new(), "which is no fall-back for them");
}

#[tokio::test]
async fn what_is_missing_is_named_before_anything_runs() {
    let house = House::new().await;
    house.tool("two", "echo", json!({"secrets": ["API_KEY", "OTHER"]})).await;
    house.tool("push", "echo", json!({"secrets": ["API_KEY"], "egress_class": "write"})).await;
    let refused = house.done("two", json!({})).await;
    assert_eq!(code(&refused), ErrorCode::AuthRequired);
    assert_eq!(refused.error.unwrap().details.unwrap(), json!({"missing": ["API_KEY", "OTHER"]}));
    assert_eq!(code(&house.done("push", json!({})).await), ErrorCode::AuthRequired, "nobody is asked");

    set_for_tenant(&house, "API_KEY", SECRET).await;
    let refused = house.done("two", json!({})).await;
    assert_eq!(refused.error.unwrap().details.unwrap(), json!({"missing": ["OTHER"]}));
    let names = ["API_KEY".to_owned(), "OTHER".to_owned()];
    assert_eq!(house.engine.secrets().missing(&caller(), &names).await.unwrap(), ["OTHER"]);
    let explained = house.engine.explain(call("two", json!({}))).await.unwrap();
    assert_eq!(explained.error.unwrap().code, ErrorCode::AuthRequired);
    assert_eq!(house.runs(), 0);
}

#[tokio::test]
async fn a_secret_is_set_rotated_listed_and_deleted_and_the_trail_holds_no_value() {
    let house = house_that_compares().await;
    let secrets = house.engine.secrets();
    let (key, tenant) = (name("API_KEY"), SecretTarget::Tenant);
    let missing = secrets.rotate(&caller(), &key, &tenant, &value("too-early")).await;
    assert!(matches!(missing, Err(SecretError::NotFound(_))));
    let first = set_for_tenant(&house, "API_KEY", "first-value").await;
    let second = secrets.rotate(&caller(), &key, &tenant, &value("second-value")).await.unwrap();
    assert_eq!((first.revision, second.revision), (1, 2));
    assert_eq!((first.id, first.created_at), (second.id, second.created_at));
    assert_eq!(secrets.list(&caller()).await.unwrap(), [second]);
    assert!(uses(&house, &caller(), "second-value").await);
    secrets.delete(&caller(), &key, &tenant).await.unwrap();
    assert!(matches!(secrets.delete(&caller(), &key, &tenant).await, Err(SecretError::NotFound(_))));
    assert_eq!(secrets.list(&caller()).await.unwrap(), []);
    assert_eq!(code(&house.done("which", json!({"where": "compare"})).await), ErrorCode::AuthRequired);

    let filter = AuditFilter { action: Some("secret.".to_owned()), limit: 100, ..AuditFilter::default() };
    let trail = house.stores.audit.events(TenantId::DEFAULT, &filter).await.unwrap();
    let actions: Vec<_> = trail.iter().rev().map(|e| (e.action.as_str(), e.target.as_str())).collect();
    assert_eq!(
        actions,
        [("secret.set", "API_KEY"), ("secret.rotate", "API_KEY"), ("secret.delete", "API_KEY")]
    );
    let text = serde_json::to_string(&trail).unwrap();
    assert!(text.contains("\"scope\":\"tenant\"") && !text.contains("-value"), "{text}");
    assert!(!text.contains("ciphertext"), "nor the sealed one: {text}");
}

#[tokio::test]
async fn cached_results_do_not_cross_scopes_or_rotations() {
    let house = House::new().await;
    house.tool("cached", "echo", json!({"secrets": ["API_KEY"], "cache": "forever"})).await;
    let ada = person(&house, "ada@example.com", "member", &[]).await;
    let bob = person(&house, "bob@example.com", "member", &[]).await;
    for (who, text) in [(&ada, "of-ada"), (&bob, "of-bob")] {
        set(&house, who, "API_KEY", SecretTarget::User, text).await;
    }
    let cached = async |who: &Caller| called_by(&house, who, "cached", json!({})).await.cached;
    assert_eq!((cached(&ada).await, cached(&ada).await), (false, true));
    assert!(!cached(&bob).await, "another's secret made that result");
    set(&house, &ada, "API_KEY", SecretTarget::User, "of-ada-2").await;
    assert!(!cached(&ada).await, "an older secret made that result");
    house.engine.secrets().delete(&ada, &name("API_KEY"), &SecretTarget::User).await.unwrap();
    let refused = called_by(&house, &ada, "cached", json!({})).await;
    assert_eq!(code(&refused), ErrorCode::AuthRequired, "no secret, no result, however it was made");
}

#[tokio::test]
async fn the_last_use_is_noted_beside_the_calls_and_at_most_once_a_minute() {
    let house = house_that_compares().await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    for _ in 0..5 {
        house.done("which", json!({"where": "compare"})).await;
    }
    let listed = || async { house.engine.secrets().list(&caller()).await.unwrap().remove(0) };
    let noted = async {
        while listed().await.last_used_at.is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), noted).await.expect("the use is noted");
    let record = house.stores.records.all(TenantId::DEFAULT, toolgate_store::Kind::Secret).await.unwrap();
    assert_eq!(record[0].revision, 2, "one note for five calls");
    assert_eq!(listed().await.revision, 1, "a note is no new value");
    assert_eq!(listed().await.updated_at, listed().await.created_at);
}

#[tokio::test]
async fn an_approved_call_runs_with_the_secret_that_was_shown_to_the_approver_or_not_at_all() {
    let house = House::new().await;
    house.tool("push", "leak", json!({"secrets": ["API_KEY"], "egress_class": "write"})).await;
    let ada = person(&house, "ada@example.com", "member", &[]).await;
    set_for_tenant(&house, "API_KEY", "of-the-tenant").await;
    let mut outcomes = Vec::new();
    for sets_own in [false, true] {
        let asked = Call { caller: ada.clone(), ..call("push", json!({"where": "compare"})) };
        let Ok(Answer::Parked(row)) = house.engine.invoke(asked).await else { panic!("it must ask") };
        assert!(row.warnings[0].contains("whole tenant's"), "{:?}", row.warnings);
        if sets_own {
            set(&house, &ada, "API_KEY", SecretTarget::User, "of-ada").await;
        }
        house
            .engine
            .decide(&crate::approvals::approver(), row.id, None, Ruling::Approve(Approval::default()))
            .await
            .unwrap();
        let mut ledger = house.stores.signals.ledger();
        let ended = loop {
            ledger.mark_unchanged();
            let now = house.row(row.id).await;
            if now.phase.is_terminal() {
                break now;
            }
            ledger.changed().await.unwrap();
        };
        outcomes.push(ended.outcome.error.map(|error| error.details.unwrap()["reason"].clone()));
    }
    assert_eq!(outcomes, [None, Some(json!("secret_scope_changed"))]);
    assert_eq!(house.runs(), 1);
}

#[tokio::test]
async fn secrets_survive_a_restart() {
    let house = house_that_compares().await;
    set_for_tenant(&house, "API_KEY", SECRET).await;
    house.engine.stop().await;
    let House { engine, stores, probe, directory } = house;
    drop((engine, stores, probe));
    let stores = stores_in(directory.path()).await;
    let (engine, probe) = start(&stores, Limits::default()).await;
    let house = House { engine, probe, stores, directory };
    assert!(uses(&house, &caller(), SECRET).await);
}
