//! Escape attempts, as data. Any sandbox of Python scripts can be held against them.

use toolgate_runtimes::python::FailureKind::{
    self, Cpu, Exception, HostCalls, Memory, Output, Recursion, Syntax, Unsupported,
};

/// What the default runtime makes of an attempt.
#[derive(Clone, Copy, Debug)]
pub enum Expect {
    /// The run fails so; the error says this.
    Fails(FailureKind, &'static str),
    /// A limit stops it, of processor time or of memory: which of them comes first is a matter of the processor's speed.
    Exhausts,
    /// The run ends, with a value (JSON) that gives nothing away.
    Gives(&'static str),
}
use Expect::{Exhausts, Fails, Gives};

pub struct Attempt {
    pub name: &'static str,
    pub code: &'static str,
    pub expect: Expect,
}

pub const fn attempt(name: &'static str, code: &'static str, expect: Expect) -> Attempt {
    Attempt { name, code, expect }
}

const NO_FILES: Expect = Fails(Exception, "PermissionError: the sandbox has no files");

pub const ATTEMPTS: &[Attempt] = &[
    // Imports.
    attempt("import socket", "import socket\nsocket.socket()", Fails(Unsupported, "`socket`")),
    attempt(
        "import subprocess",
        "import subprocess\nsubprocess.run(['id'])",
        Fails(Unsupported, "`subprocess`"),
    ),
    attempt("import ctypes", "import ctypes\nctypes.CDLL(None)", Fails(Unsupported, "`ctypes`")),
    attempt(
        "import from inside a function",
        "def f():\n    import shutil\nf()",
        Fails(Unsupported, "`shutil`"),
    ),
    attempt(
        "import in a branch not taken",
        "if False:\n    import signal\n1",
        Fails(Unsupported, "`signal`"),
    ),
    attempt("import a submodule", "import urllib.request", Fails(Unsupported, "`urllib.request`")),
    attempt("import by name", "__import__('socket')", Fails(Exception, "")),
    attempt("import by exec", "exec('import socket')", Fails(Exception, "ModuleNotFoundError")),
    attempt(
        "import by importlib",
        "import importlib\nimportlib.import_module('os')",
        Fails(Unsupported, "`importlib`"),
    ),
    attempt(
        "import builtins",
        "import builtins\nbuiltins.open('/etc/passwd')",
        Fails(Unsupported, "`builtins`"),
    ),
    attempt("relative import", "from . import secrets", Fails(Syntax, "ImportError")),
    // Files.
    attempt("read a file", "open('/etc/passwd').read()", NO_FILES),
    attempt("write a file", "open('/tmp/escaped', 'w').write('x')", NO_FILES),
    attempt("append to a file", "open('/tmp/escaped', 'a')", NO_FILES),
    attempt("read by path", "from pathlib import Path\nPath('/etc/passwd').read_text()", NO_FILES),
    attempt("write by path", "from pathlib import Path\nPath('/tmp/escaped').write_text('x')", NO_FILES),
    attempt("walk out of the root", "open('../../../../etc/shadow')", NO_FILES),
    attempt("look for a file", "from pathlib import Path\nPath('/etc/passwd').exists()", NO_FILES),
    attempt("read the process's own memory", "open('/proc/self/mem', 'rb').read(1)", NO_FILES),
    attempt("read a descriptor", "open(0).read()", Fails(Exception, "")),
    attempt("list a directory", "import os\nos.listdir('/')", NO_FILES),
    attempt("remove a file", "import os\nos.remove('/etc/passwd')", NO_FILES),
    attempt("make a directory", "import os\nos.mkdir('/tmp/escaped')", NO_FILES),
    attempt("rename a file", "import os\nos.rename('/etc/passwd', '/tmp/p')", NO_FILES),
    // Environment and processes.
    attempt("read the environment", "import os\nos.environ['PATH']", NO_FILES),
    attempt("read one variable", "import os\nos.getenv('HOME')", NO_FILES),
    attempt("start a shell", "import os\nos.system('id')", Fails(Exception, "AttributeError")),
    attempt("fork", "import os\nos.fork()", Fails(Exception, "AttributeError")),
    attempt("exec a program", "import os\nos.execv('/bin/sh', ['sh'])", Fails(Exception, "AttributeError")),
    attempt("kill the parent", "import os\nos.kill(os.getppid(), 9)", Fails(Exception, "AttributeError")),
    attempt(
        "open descriptors without end",
        "import os\nwhile True:\n    os.dup(1)",
        Fails(Exception, "AttributeError"),
    ),
    attempt("a raw pipe", "import os\nos.pipe()", Fails(Exception, "AttributeError")),
    attempt("end the process", "import sys\nsys.exit(3)", Fails(Exception, "")),
    attempt("end the process at once", "import os\nos._exit(0)", Fails(Exception, "AttributeError")),
    attempt("raise SystemExit", "raise SystemExit('bye')", Fails(Exception, "SystemExit")),
    // Introspection.
    attempt(
        "the class of a value",
        "().__class__.__bases__[0].__subclasses__()",
        Fails(Exception, "AttributeError"),
    ),
    attempt("subclasses of object", "object.__subclasses__()", Fails(Exception, "AttributeError")),
    attempt(
        "the globals of a function",
        "def f():\n    pass\nf.__globals__['x']",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "the code of a function",
        "def f():\n    pass\nf.__code__.co_consts",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "the builtins of a function",
        "print.__self__.open('/etc/passwd')",
        Fails(Exception, "AttributeError"),
    ),
    attempt("frames", "import sys\nsys._getframe(0).f_globals", Fails(Exception, "AttributeError")),
    attempt(
        "the frame of a traceback",
        "try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "loaded modules",
        "import sys\nsys.modules['os'].system('id')",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "format into attributes",
        "'{0.__class__.__mro__}'.format(1)",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "getattr into dunders",
        "getattr(getattr(1, '__class__'), '__mro__')",
        Fails(Exception, "AttributeError"),
    ),
    attempt("compile and eval", "eval(compile('1', 'x', 'eval'))", Fails(Exception, "NameError")),
    attempt("eval a file read", "eval(\"open('/etc/passwd').read()\")", NO_FILES),
    attempt("collect the heap", "import gc\ngc.get_objects()", Fails(Unsupported, "`gc`")),
    // Time.
    attempt("loop for ever", "while True:\n    pass", Fails(Cpu, "TimeoutError")),
    attempt(
        "loop and catch everything",
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        Fails(Cpu, ""),
    ),
    attempt(
        "loop in finally",
        "try:\n    1 / 0\nfinally:\n    while True:\n        pass",
        Fails(Cpu, "TimeoutError"),
    ),
    attempt("a long range", "sum(range(10**12))", Fails(Cpu, "")),
    attempt("sleep", "import time\ntime.sleep(1_000_000)", Gives("null")),
    attempt("sleep without end", "import time\nwhile True:\n    time.sleep(3600)", Fails(Cpu, "")),
    attempt(
        "refused calls without end",
        "while True:\n    try:\n        open('/x')\n    except Exception:\n        pass",
        Fails(HostCalls, "too many refused calls"),
    ),
    attempt("a catastrophic regex", "import re\nre.match('(a+)+$', 'a' * 64 + 'b')", Gives("null")),
    attempt(
        "a regex with backreferences",
        "import re\nre.match(r'(a*)*(a*)*(a*)*(a*)*\\1$', 'a' * 4_000 + 'b')",
        Fails(Exception, ""),
    ),
    attempt("a sort of everything", "sorted(range(10**9))", Fails(Memory, "")),
    // Memory.
    attempt("one huge string", "'x' * 10**10", Fails(Memory, "")),
    attempt("one huge list", "[0] * 10**10", Fails(Memory, "")),
    attempt(
        "a list that grows",
        "x = []\nwhile True:\n    x.append('x' * 100_000)",
        Fails(Memory, "MemoryError"),
    ),
    attempt("a list that doubles", "x = [1]\nwhile True:\n    x = x + x", Fails(Memory, "")),
    attempt("a string that doubles", "x = 'x'\nwhile True:\n    x += x", Fails(Memory, "")),
    attempt(
        "a dict that grows",
        "x = {}\ni = 0\nwhile True:\n    x[i] = str(i) * 100\n    i += 1",
        Fails(Memory, "MemoryError"),
    ),
    attempt(
        "memory, and catch everything",
        "x = []\nwhile True:\n    try:\n        x.append('x' * 100_000)\n    except BaseException:\n        pass",
        Fails(Memory, ""),
    ),
    attempt("a huge power", "10 ** 10 ** 8", Fails(Memory, "")),
    attempt("a huge shift", "1 << 10**10", Fails(Memory, "")),
    attempt("a product that grows", "x = 3\nwhile True:\n    x = x * x", Exhausts),
    attempt("a large product, for ever", "x = 3 ** 100_000\nwhile True:\n    y = x * x", Fails(Cpu, "")),
    attempt("a wide format", "f'{1:>10000000000}'", Fails(Memory, "")),
    attempt("a replace that explodes", "('a' * 100_000).replace('a', 'b' * 100_000)", Fails(Memory, "")),
    attempt("a join that explodes", "('x' * 100_000).join(['y'] * 100_000)", Fails(Memory, "")),
    attempt(
        "json that explodes",
        "import json\nx = ['x' * 1_000]\nfor _ in range(30):\n    x = [x, x]\njson.dumps(x)",
        Fails(Memory, ""),
    ),
    // Recursion.
    attempt("a function calls itself", "def f():\n    return f()\nf()", Fails(Recursion, "RecursionError")),
    attempt(
        "two functions call each other",
        "def f():\n    return g()\ndef g():\n    return f()\nf()",
        Fails(Recursion, "RecursionError"),
    ),
    attempt("a lambda calls itself", "f = lambda: f()\nf()", Fails(Recursion, "RecursionError")),
    attempt(
        "recursion in repr",
        "class A:\n    def __repr__(self):\n        return repr(self)\nrepr(A())",
        Fails(Recursion, "RecursionError"),
    ),
    attempt(
        "recursion in sorting",
        "def key(x):\n    return sorted([2, 1], key=key)\nkey(1)",
        Fails(Recursion, "RecursionError"),
    ),
    attempt(
        "a deep list compared",
        "a = []\nb = []\nfor _ in range(100_000):\n    a = [a]\n    b = [b]\na == b",
        Fails(Recursion, "RecursionError"),
    ),
    attempt("deeply nested source", NESTED, Fails(Syntax, "")),
    // Output.
    attempt("print for ever", "while True:\n    print('x' * 10_000)", Fails(Output, "printed more than")),
    attempt("print one huge line", "print('x' * 20_000_000)", Fails(Output, "printed more than")),
    attempt(
        "print, and catch everything",
        "while True:\n    try:\n        print('x' * 10_000)\n    except BaseException:\n        pass",
        Fails(Output, ""),
    ),
    // Values that must not leave.
    attempt("a value inside itself", "x = []\nx.append(x)\nx", Fails(FailureKind::Result, "contains itself")),
    attempt(
        "a deep value",
        "x = 1\nfor _ in range(10_000):\n    x = [x]\nx",
        Fails(FailureKind::Result, "nests deeper"),
    ),
    attempt(
        "a value that shares its parts",
        "x = ['x']\nfor _ in range(60):\n    x = [x, x]\nx",
        Fails(FailureKind::Result, ""),
    ),
    attempt("a huge value", "'x' * 5_000_000", Fails(FailureKind::Result, "larger than")),
    attempt("not a number", "float('nan')", Fails(FailureKind::Result, "NaN")),
    attempt("infinity in a list", "[float('inf')]", Fails(FailureKind::Result, "infinity")),
    attempt("bytes", "b'\\x00\\xff'", Fails(FailureKind::Result, "bytes")),
    attempt("a function", "print", Fails(FailureKind::Result, "no JSON form")),
    attempt("a class", "class A:\n    pass\nA", Fails(FailureKind::Result, "no JSON form")),
    attempt("an instance", "class A:\n    pass\nA()", Fails(FailureKind::Result, "no JSON form")),
    attempt("a module", "import os\nos", Fails(FailureKind::Result, "no JSON form")),
    attempt("a huge integer", "2 ** 70", Fails(FailureKind::Result, "2^53")),
    attempt("a dict with odd keys", "{(1, 2): 3}", Fails(FailureKind::Result, "key of type tuple")),
    attempt("half a character", "'\\ud800'", Gives("\"\u{fffd}\"")),
];

/// Parentheses within parentheses.
const NESTED: &str = include_str!("nested.py.txt");
