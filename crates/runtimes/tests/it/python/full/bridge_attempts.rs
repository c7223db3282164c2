//! Attempts against what stands between the script and its worker. All of it is the script's to break; none of it holds a limit.

use toolgate_runtimes::python::FailureKind::{self, Cpu, Exception, Memory, Recursion};

use crate::python::attempts::{
    Attempt,
    Expect::{Fails, Gives},
    attempt,
};

pub const ON_THE_BRIDGE: &[Attempt] = &[
    // Requests of the script's own making.
    attempt(
        "a call of a tool that is not there",
        "import _host\n_host.call(b'{\"op\":\"call\",\"function\":\"admin\",\"args\":[],\"kwargs\":{}}').decode()",
        Gives("\"{\\\"refused\\\":\\\"there is no such function\\\"}\""),
    ),
    attempt(
        "a second start",
        "import _host\n_host.call(b'{\"op\":\"ready\"}')",
        Fails(Exception, "what it cannot read"),
    ),
    attempt(
        "a request that is no JSON",
        "import _host\n_host.call(b'{')",
        Fails(Exception, "what it cannot read"),
    ),
    attempt(
        "a request that nests",
        "import _host\n_host.call(b'[' * 1_000_000)",
        Fails(FailureKind::Result, "nested too deeply"),
    ),
    attempt(
        "a huge request",
        "import _host\n_host.call(b' ' * 9_000_000)",
        Fails(FailureKind::Result, "more than fits a frame"),
    ),
    attempt(
        "an end of its own making",
        "import _host\n_host.call(b'{\"op\":\"done\",\"value\":\"mine\"}')\nwhile True:\n    pass",
        Gives(r#""mine""#),
    ),
    attempt(
        "an end with two values",
        "import _host\n_host.call(b'{\"op\":\"done\",\"value\":1,\"value\":2}')",
        Fails(Exception, "what it cannot read"),
    ),
    attempt(
        "an end with a number too wide",
        "import _host\n_host.call(b'{\"op\":\"done\",\"value\":99999999999999999999}')",
        Fails(FailureKind::Result, "2^53"),
    ),
    attempt(
        "a failure of another kind",
        "import _host\n_host.call(b'{\"op\":\"error\",\"kind\":\"crash\",\"message\":\"x\"}')",
        Fails(Exception, "what it cannot read"),
    ),
    attempt(
        "a failure that is the server's",
        "import _host\n_host.call(b'{\"op\":\"error\",\"kind\":\"unavailable\",\"message\":\"x\"}')",
        Fails(Exception, "what it cannot read"),
    ),
    attempt(
        "a failure that asks for another runtime",
        "import _host\n_host.call(b'{\"op\":\"error\",\"kind\":\"unsupported\",\"message\":\"x\"}')",
        Fails(Exception, "x"),
    ),
    attempt(
        "a checked script",
        "import _host\n_host.call(b'{\"op\":\"checked\"}')",
        Fails(Exception, "what it cannot read"),
    ),
    // Introspection that reaches the code around the script.
    attempt(
        "the bridge's limits lifted by a frame",
        "import sys\nsys._getframe(1).f_locals['start']['max_recursion'] = 10**9\nsys.setrecursionlimit(10**9)\ndef f():\n    return f()\nf()",
        Fails(Recursion, ""),
    ),
    attempt(
        "a trace of the bridge",
        "import sys\ndef spy(frame, event, arg):\n    while True:\n        pass\nsys.settrace(spy)\ndef f():\n    pass\nf()",
        Fails(Cpu, ""),
    ),
    attempt(
        "a profiler that outlives the script",
        "import sys\ndef spy(frame, event, arg):\n    while True:\n        pass\nsys.setprofile(spy)\n1",
        Fails(Cpu, ""),
    ),
    attempt(
        "every object of the heap",
        "import gc\nfor x in gc.get_objects():\n    if isinstance(x, dict) and 'door' in x:\n        x.clear()\n1",
        Gives("1"),
    ),
    attempt(
        "the values of the bridge's closures",
        "import gc, types\nfound = [c.cell_contents for f in gc.get_objects() if isinstance(f, types.FunctionType) for c in f.__closure__ or () if c != types.CellType()]\nsorted({type(x).__name__ for x in found})[:0]",
        Gives("[]"),
    ),
    attempt(
        "json that lies",
        "import json\njson.JSONEncoder.encode = lambda *a: '\"forged\"'\njson.JSONEncoder.iterencode = lambda *a: ['\"forged\"']\n{'a': 1}",
        Fails(Exception, "the script ended the interpreter"),
    ),
    attempt(
        "json that sends nonsense",
        "import json\njson.JSONEncoder.encode = lambda *a: '} {'\n{'a': 1}",
        Gives(r#"{"a":1}"#),
    ),
    attempt(
        "json that never ends",
        "import json\ndef encode(*a):\n    while True:\n        pass\njson.JSONEncoder.iterencode = encode\njson.JSONEncoder.encode = encode\n1",
        Fails(Exception, "the script ended the interpreter"),
    ),
    attempt(
        "builtins that lie",
        "import builtins\nfor name in ['isinstance', 'type', 'getattr', 'callable', 'len', 'str']:\n    setattr(builtins, name, lambda *a: 1 / 0)\nobject()",
        Fails(Exception, "the script ended the interpreter"),
    ),
    attempt(
        "the report of a failure replaced",
        "import traceback\ntraceback.extract_tb = lambda *a: 1 / 0\ntraceback.format_exception_only = lambda *a: 1 / 0\nraise ValueError('seen')",
        Fails(Exception, "seen"),
    ),
    // Hostile values and exceptions.
    attempt(
        "a string that runs code",
        "class S(str):\n    def __str__(self):\n        while True:\n            pass\n    __repr__ = __format__ = __len__ = __str__\nS('x')",
        Gives(r#""x""#),
    ),
    attempt(
        "a dict that runs code",
        "class D(dict):\n    def items(self):\n        while True:\n            yield ('x' * 1_000_000, 1)\nD(a=1)",
        Fails(Memory, ""),
    ),
    attempt(
        "a value that reduces itself",
        "class R:\n    def __reduce__(self):\n        return (exec, ('import os; os._exit(0)',))\nR()",
        Fails(FailureKind::Result, "no JSON form"),
    ),
    attempt(
        "a pickle that runs code",
        "import pickle\nclass R:\n    def __reduce__(self):\n        return (open, ('/etc/passwd',))\npickle.loads(pickle.dumps(R()))",
        Fails(Exception, "FileNotFoundError"),
    ),
    attempt(
        "a value with a false list",
        "class L:\n    def tolist(self):\n        return L()\nL()",
        Fails(FailureKind::Result, "RecursionError"),
    ),
    attempt(
        "an exception that cannot be shown",
        "class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E",
        Fails(Cpu, ""),
    ),
    attempt(
        "an exception with a huge text",
        "raise ValueError('x' * 10_000_000)",
        Fails(Exception, "ValueError: xxx"),
    ),
    attempt(
        "an exception with a false type",
        "class E(Exception):\n    pass\nE.__name__ = 'x' * 1_000_000\nraise E",
        Fails(Exception, "xxx"),
    ),
    attempt(
        "a chain of exceptions",
        "e = None\nfor _ in range(2_000):\n    n = ValueError()\n    n.__cause__ = e\n    e = n\nraise e",
        Fails(Exception, "ValueError"),
    ),
];
