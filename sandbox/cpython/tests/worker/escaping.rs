//! Scripts that want out.

use serde_json::json;

use crate::support::{Worker, run, value};

/// The type of the exception that an attempt ends in.
fn refused(code: &str) -> String {
    let end = run(code);
    assert_eq!((&end["type"], &end["kind"]), (&json!("error"), &json!("exception")), "{code}: {end:#}");
    end["exception_type"].as_str().unwrap().to_owned()
}

#[test]
fn there_are_no_files_but_the_library() {
    for path in
        ["/etc/passwd", "/proc/self/environ", "/", ".", "/usr/local/lib/../../../etc/passwd", "/dev/null"]
    {
        let kind = refused(&format!("open({path:?}).read()"));
        assert!(kind.ends_with("Error"), "{path}: {kind}");
    }
    assert_eq!(value("import os\nos.listdir('/usr/local/lib')"), json!(["python315.zip"]));
    assert_eq!(value("open('/usr/local/lib/python315.zip', 'rb').read(2).decode()"), json!("PK"));
}

#[test]
fn nothing_can_be_written() {
    for code in [
        "open('/tmp/x', 'w')",
        "open('x', 'w')",
        "open('/usr/local/lib/x', 'w')",
        "open('/usr/local/lib/python315.zip', 'r+b')",
        "open('/usr/local/lib/python315.zip', 'wb')",
        "import os; os.mkdir('/usr/local/lib/d')",
        "import os; os.remove('/usr/local/lib/python315.zip')",
        "import os; os.rename('/usr/local/lib/python315.zip', '/usr/local/lib/x')",
        "import os; os.symlink('/etc/passwd', '/usr/local/lib/x')",
        "import os; os.truncate('/usr/local/lib/python315.zip', 0)",
        "import tempfile; tempfile.TemporaryFile()",
        "import sqlite3; sqlite3.connect('/tmp/x.db').execute('create table t (a)')",
    ] {
        refused(code);
    }
}

#[test]
fn there_is_no_network_no_process_and_no_native_code() {
    for code in [
        "import socket; socket.create_connection(('127.0.0.1', 1))",
        "import socket; socket.socket().bind(('127.0.0.1', 0))",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1')",
        "import os; os.fork()",
        "import os; os.execv('/bin/sh', ['sh'])",
        "import os; os.kill(1, 9)",
        "import os; os.pipe()",
        "import subprocess; subprocess.run(['/bin/true'])",
        "import os; os.system('true')",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
        "import threading; threading.Thread(target=print).start()",
        "import ctypes; ctypes.CDLL('libc.so.6')",
        "import ctypes; ctypes.CDLL(None).system(b'true')",
        "import mmap; mmap.mmap(-1, 4096)",
    ] {
        refused(code);
    }
}

#[test]
fn the_environment_of_the_server_is_not_there() {
    assert_eq!(value("import os\ndict(os.environ)"), json!({}));
    let shown = value("import sys, os\nstr([sys.argv, sys.path, sys.flags, os.getcwd(), sys.executable])")
        .to_string();
    assert!(!shown.contains("hunter2") && !shown.contains("/root"), "{shown}");
}

#[test]
fn descriptors_run_out_for_the_script_alone() {
    let code = "
held = []
try:
    while True: held.append(open('/usr/local/lib/python315.zip', 'rb', buffering=0))
except OSError as error:
    held.clear()
[1 + 1]";
    assert_eq!(value(code), json!([2]));
    refused(
        "import os\nfor fd in range(100):\n    try: os.close(fd)\n    except OSError: pass\nimport colorsys",
    );
}

#[test]
fn a_crash_of_the_interpreter_is_an_error_like_any_other() {
    let code = "import types\nc = (lambda: 0).__code__\nexec(c.replace(co_code=bytes([255, 254, 253, 252] * 8), co_stacksize=0))";
    let end = run(code);
    assert_eq!(end["type"], "error", "{end:#}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_is_locked_down_before_it_says_that_it_is_ready() {
    let worker = Worker::start();
    let process = format!("/proc/{}", worker.pid());
    let status = std::fs::read_to_string(format!("{process}/status")).unwrap();
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2"] {
        assert!(status.contains(line), "{line} is missing in {status}");
    }
    for thread in std::fs::read_dir(format!("{process}/task")).unwrap() {
        let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        assert!(status.contains("Seccomp:\t2"), "{status}");
    }
    let limits = std::fs::read_to_string(format!("{process}/limits")).unwrap();
    for limit in ["Max core file size", "Max file size", "Max processes"] {
        let line = limits.lines().find(|line| line.starts_with(limit)).unwrap();
        assert_eq!(line[limit.len()..].split_whitespace().next(), Some("0"), "{line}");
    }
}
