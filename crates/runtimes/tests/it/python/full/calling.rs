//! The way out to tools, used by scripts that do not use it as they should.

use serde_json::json;
use toolgate_runtimes::python::{FailureKind, HostAnswer};

use super::{escapes::WALLS, installed::sandbox};
use crate::python::{
    common::{done, limits, run, value},
    host_calls::{HOSTILE_ARGUMENTS, Host},
};

/// What a script's function does, done by hand.
const BY_HAND: &str = "import _host, json\n\
    def by_hand(function, seq=1):\n    \
        request = {'op': 'call', 'function': function, 'args': [], 'kwargs': {}, 'seq': seq}\n    \
        return json.loads(_host.call(json.dumps(request).encode()))\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_call_by_hand_reaches_only_what_is_permitted_and_is_counted_by_the_worker() {
    let host = Host::new(|call| HostAnswer::Value(json!(call.seq)));
    let code = format!("{BY_HAND}search()\n[by_hand('search', 77).get('ok'), by_hand('admin'), send()]");
    let value = done(run(&sandbox(), &code, &host).await.unwrap()).unwrap();
    assert_eq!(value, json!([2, {"refused": "there is no such function"}, 3]));
    let asked: Vec<_> = host.asked().into_iter().map(|call| (call.seq, call.function)).collect();
    let search = || "search".to_owned();
    assert_eq!(asked, [(1, search()), (2, search()), (3, "send".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_without_end_end() {
    let host = Host::new(|_| HostAnswer::Value(json!(null)));
    let code = format!(
        "{BY_HAND}while True:\n    try:\n        by_hand('search')\n    except BaseException:\n        pass"
    );
    let failure = run(&sandbox(), &code, &host).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::HostCalls, "{failure:?}");
    assert_eq!(host.asked().len() as u64, limits().max_host_calls);
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_arguments_never_reach_the_host() {
    let sandbox = sandbox();
    for code in HOSTILE_ARGUMENTS {
        let host = Host::new(|_| HostAnswer::Value(json!(1)));
        let failure = run(&sandbox, code, &host).await.unwrap_err();
        assert!(WALLS.contains(&failure.kind), "{code}: {failure:?}");
        assert_eq!(host.asked(), [], "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_a_script_forges_fools_only_itself() {
    let host =
        Host::new(|_| HostAnswer::Error { code: "POLICY_DENIED".to_owned(), message: "no".to_owned() });
    let code = "for cell in send.__closure__:\n    \
                    if getattr(cell.cell_contents, '__name__', '') == 'loads':\n        \
                        cell.cell_contents = lambda answer: {'ok': 'forged'}\n\
                send(to='ada')";
    let sandbox = sandbox();
    assert_eq!(done(run(&sandbox, code, &host).await.unwrap()).unwrap(), json!("forged"));
    assert_eq!(host.asked()[0].kwargs["to"], "ada", "the call was made, and answered in truth");
    let failure = run(&sandbox, "send(to='ada')", &host).await.unwrap_err();
    assert!(failure.message.contains("POLICY_DENIED: no"), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_share_nothing() {
    let sandbox = sandbox();
    let code = "import builtins, json\nbuiltins.secret = json.secret = 41\nsecret + 1";
    assert_eq!(value(&sandbox, code).await.unwrap(), 42);
    for _ in 0..3 {
        let code = "import builtins, json\n[hasattr(builtins, 'secret'), hasattr(json, 'secret')]";
        assert_eq!(value(&sandbox, code).await.unwrap(), json!([false, false]));
    }
}
