//! Nothing escapes from CPython either, hangs past its limit, or harms the run after it.

use serde_json::Value;
use toolgate_runtimes::python::{Failure, FailureKind, PythonLimits, self_test};

use super::{
    attempts::ON_THE_HOST,
    bridge_attempts::ON_THE_BRIDGE,
    installed::{directory, sandbox, worker},
};
use crate::python::{
    attempts::{ATTEMPTS, Attempt},
    common::{limits, value},
    escapes::{exactly, hold},
};

/// The attempts of the default runtime that CPython answers with a value, as JSON. All others end in a wall.
const HARMLESS: &[(&str, &str)] = &[
    ("import from inside a function", "null"),
    ("import in a branch not taken", "1"),
    ("import a submodule", "null"),
    ("import by exec", "null"),
    ("look for a file", "false"),
    ("read a descriptor", "\"\""),
    ("read one variable", "null"),
    ("the code of a function", "[null]"),
    ("the frame of a traceback", "null"),
    ("format into attributes", "\"(<class 'int'>, <class 'object'>)\""),
    ("compile and eval", "1"),
];

/// Everything that stops a script, and leaves its worker's word to be trusted.
pub(super) const WALLS: &[FailureKind] = &[
    FailureKind::Syntax,
    FailureKind::Exception,
    FailureKind::Memory,
    FailureKind::Cpu,
    FailureKind::Wall,
    FailureKind::Recursion,
    FailureKind::Output,
    FailureKind::Result,
];

fn a_wall_or_harmless(attempt: &Attempt, outcome: &Result<Value, Failure>) -> Option<String> {
    let harmless = HARMLESS.iter().find(|(name, _)| *name == attempt.name).map(|(_, json)| *json);
    let as_expected = match (harmless, outcome) {
        (Some(json), Ok(value)) => serde_json::to_string(value).unwrap() == json,
        (None, Err(failure)) => WALLS.contains(&failure.kind),
        _ => false,
    };
    let shown = format!("{outcome:?}").chars().take(400).collect::<String>();
    (!as_expected).then(|| format!("{} was expected, {shown} came", harmless.unwrap_or("a wall")))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_runtime_holds_against_every_attempt_on_the_default_one() {
    for (name, _) in HARMLESS {
        assert!(ATTEMPTS.iter().any(|attempt| attempt.name == *name), "no attempt is called {name:?}");
    }
    // Any wall is right here, so those who sleep need not be waited for.
    let limits = PythonLimits { wall_ms: 2_000, ..limits() };
    hold(&sandbox(), &limits, ATTEMPTS, a_wall_or_harmless).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_runtime_holds_against_the_standard_library() {
    // Some of them sleep.
    let limits = PythonLimits { wall_ms: 8_000, ..limits() };
    hold(&sandbox(), &limits, ON_THE_HOST, exactly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_runtime_holds_against_its_own_bridge() {
    hold(&sandbox(), &limits(), ON_THE_BRIDGE, exactly).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_full_runtime_passes_its_self_test() {
    assert_eq!(self_test(&sandbox()).await, Ok(()));
}

/// Whatever a script can walk to: the frames above it, the modules, the heap.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_interpreter_knows_says_nothing_of_the_host() {
    let code = "import gc, os, sys\n\
                frame, seen = sys._getframe(), []\n\
                while frame:\n    seen.append({**frame.f_globals, **frame.f_locals})\n    frame = frame.f_back\n\
                seen += [vars(module) for module in list(sys.modules.values())]\n\
                seen += [x for x in gc.get_objects() if isinstance(x, dict)]\n\
                texts = {x for names in seen for x in list(names.values()) if isinstance(x, str)}\n\
                [*sorted(t[:200] for t in texts if '/' in t or '=' in t)][:5_000]";
    let known = value(&sandbox(), code).await.unwrap();
    assert!(known.as_array().unwrap().len() > 10, "it found nothing: {known}");
    let known = known.to_string();
    let here = std::env::current_dir().unwrap();
    let path = std::env::var("PATH").unwrap();
    for secret in [worker(), directory(), here, path.into()] {
        let secret = secret.to_str().unwrap();
        assert!(!known.contains(secret), "{secret} is known inside");
    }
}

/// A script words its own failure, at no length that it likes.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_that_a_script_words_itself_is_short() {
    const MAX_BYTES: usize = 64 * 1024;
    let sandbox = sandbox();
    for code in [
        "raise ValueError('x' * 5_000_000)",
        "class E(Exception):\n    pass\nE.__name__ = 'x' * 1_000_000\nraise E",
        "import _host\n_host.call(b'{\"op\":\"error\",\"kind\":\"result\",\"traceback\":\"' + b'x' * 5_000_000 + b'\",\"message\":\"\"}')",
    ] {
        let failure = value(&sandbox, code).await.unwrap_err();
        let told = serde_json::to_string(&failure.into_tool_error()).unwrap();
        assert!(told.len() <= MAX_BYTES, "{} bytes", told.len());
    }
}
