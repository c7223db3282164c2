//! Attempts that only make sense against CPython: its standard library, its descriptors, its C code.

use toolgate_runtimes::python::FailureKind::{Cpu, Exception, Memory, Recursion, Wall};

use crate::python::attempts::{
    Attempt,
    Expect::{Fails, Gives},
    attempt,
};

pub const ON_THE_HOST: &[Attempt] = &[
    // The modules of the standard library that touch the host.
    attempt(
        "a socket",
        "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
        Fails(Exception, "getaddrinfo"),
    ),
    attempt(
        "a listening socket",
        "import socket\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()",
        Fails(Exception, "Not supported"),
    ),
    attempt(
        "a name looked up",
        "import socket\nsocket.getaddrinfo('localhost', 80)",
        Fails(Exception, "getaddrinfo"),
    ),
    attempt(
        "an HTTP request",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:80/')",
        Fails(Exception, "getaddrinfo"),
    ),
    attempt(
        "a child process",
        "import subprocess\nsubprocess.run(['/bin/true'])",
        Fails(Exception, "does not support processes"),
    ),
    attempt(
        "a child by multiprocessing",
        "import multiprocessing\nmultiprocessing.Process(target=print).start()",
        Fails(Exception, "AttributeError"),
    ),
    attempt(
        "a thread",
        "import threading\nthreading.Thread(target=print).start()",
        Fails(Exception, "can't start new thread"),
    ),
    attempt(
        "an event loop",
        "import asyncio\nasync def f():\n    pass\nasyncio.run(f())",
        Fails(Exception, "Not supported"),
    ),
    attempt(
        "the C library",
        "import ctypes\nctypes.CDLL(None).getpid()",
        Fails(Exception, "ctypes is unavailable"),
    ),
    attempt(
        "memory at an address",
        "import ctypes\nctypes.string_at(0xFFFF_FFF0, 64)",
        Fails(Exception, "ctypes is unavailable"),
    ),
    attempt(
        "a write to an address",
        "import ctypes\nctypes.memset(8, 255, 1 << 30)",
        Fails(Exception, "ctypes is unavailable"),
    ),
    attempt("a memory map", "import mmap\nmmap.mmap(-1, 4096)", Fails(Exception, "mmap is unavailable")),
    attempt(
        "a file control",
        "import fcntl\nfcntl.fcntl(1, fcntl.F_GETFL)",
        Fails(Exception, "ModuleNotFoundError"),
    ),
    attempt(
        "a looser limit",
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (-1, -1))",
        Fails(Exception, "ModuleNotFoundError"),
    ),
    attempt("an alarm", "import signal\nsignal.alarm(1)", Fails(Exception, "AttributeError")),
    attempt(
        "a signal to itself",
        "import signal\nsignal.raise_signal(signal.SIGKILL)",
        Fails(Exception, "the interpreter crashed"),
    ),
    attempt("a terminal", "import pty\npty.spawn('/bin/sh')", Fails(Exception, "ModuleNotFoundError")),
    attempt(
        "a database file",
        "import sqlite3\nsqlite3.connect('/tmp/escaped.db').execute('create table t (a)')",
        Fails(Exception, "unable to open database file"),
    ),
    // Files and the process.
    attempt(
        "the environment of the process",
        "open('/proc/self/environ', 'rb').read()",
        Fails(Exception, "FileNotFoundError"),
    ),
    attempt(
        "the maps of the process",
        "open('/proc/self/maps').read()",
        Fails(Exception, "FileNotFoundError"),
    ),
    attempt(
        "a temporary file",
        "import tempfile\ntempfile.TemporaryFile()",
        Fails(Exception, "FileNotFoundError"),
    ),
    attempt(
        "out of the library",
        "open('/usr/local/lib/../../../etc/passwd').read()",
        Fails(Exception, "FileNotFoundError"),
    ),
    attempt(
        "a link out of the library",
        "import os\nos.symlink('/etc/passwd', '/usr/local/lib/x')",
        Fails(Exception, "Read-only file system"),
    ),
    attempt(
        "the library rewritten",
        "open('/usr/local/lib/python315.zip', 'r+b').write(b'x')",
        Fails(Exception, "Read-only file system"),
    ),
    attempt(
        "the library's directory",
        "import os\nos.listdir('/usr/local/lib')",
        Gives(r#"["python315.zip"]"#),
    ),
    attempt("the whole environment", "import os\ndict(os.environ)", Gives("{}")),
    attempt("the user's id", "import os\nos.getuid()", Fails(Exception, "AttributeError")),
    attempt("the process's id", "import os\nos.getpid()", Gives("42")),
    attempt(
        "where it is",
        "import os, sys\n[os.getcwd(), sys.argv, sys.executable]",
        Gives(r#"["/",["-c"],"/usr/local/bin/python.wasm"]"#),
    ),
    attempt("kill every process", "import os\nos.kill(-1, 9)", Fails(Exception, "AttributeError")),
    attempt("abort", "import os\nos.abort()", Fails(Exception, "the interpreter crashed")),
    attempt(
        "exit in a handler",
        "import atexit, os\natexit.register(lambda: os._exit(0))\nraise SystemExit",
        Fails(Exception, "SystemExit"),
    ),
    // Descriptors, where the worker speaks to the server.
    attempt(
        "read every descriptor",
        "import os\nread = []\nfor fd in range(65):\n    try:\n        read.append(os.read(fd, 1024).hex())\n    except OSError:\n        pass\nread",
        Gives(r#"[""]"#),
    ),
    attempt(
        "a forged end on every descriptor",
        "import os, struct\nframe = b'{\"type\":\"done\",\"value\":\"forged\",\"stdout\":\"\"}'\nframe = struct.pack('<I', len(frame)) + frame\nfor fd in range(65):\n    try:\n        os.write(fd, frame)\n    except OSError:\n        pass\n'mine'",
        Gives(r#""mine""#),
    ),
    attempt(
        "a forged call on the output",
        "import os, struct, sys\nframe = b'{\"type\":\"host_call\",\"seq\":1,\"function\":\"admin\",\"args\":[],\"kwargs\":{}}'\nsys.stdout.buffer.write(struct.pack('<I', len(frame)) + frame)\nsys.stdout.flush()\n'mine'",
        Gives(r#""mine""#),
    ),
    attempt(
        "close every descriptor",
        "import os\nfor fd in range(65):\n    try:\n        os.close(fd)\n    except OSError:\n        pass\n'mine'",
        Gives(r#""mine""#),
    ),
    attempt(
        "descriptors without end",
        "held = []\nwhile True:\n    held.append(open('/usr/local/lib/python315.zip', 'rb', buffering=0))",
        Fails(Exception, "No file descriptors available"),
    ),
    attempt("the input", "import sys\nsys.stdin.read()", Gives(r#""""#)),
    attempt("wait for input by select", "import select\nselect.select([0], [], [])", Gives("[[0],[],[]]")),
    // Time and memory, where C code spends them.
    attempt("sleep past the wall", "import time\ntime.sleep(60)", Fails(Wall, "")),
    attempt(
        "wait on a lock",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
        Fails(Exception, "the interpreter crashed"),
    ),
    attempt("a huge factorial", "import math\nmath.factorial(10**7)", Fails(Cpu, "")),
    attempt(
        "a huge number as text",
        "import sys\nsys.set_int_max_str_digits(0)\nstr(1 << 20_000_000)",
        Fails(Cpu, ""),
    ),
    attempt(
        "generators in generators",
        "def g(n):\n    yield from g(n + 1)\nlist(g(0))",
        Fails(Recursion, "RecursionError"),
    ),
    attempt("a generator without end", "import itertools\nlist(itertools.repeat('x'))", Fails(Memory, "")),
    attempt(
        "a hash that collides",
        "class H:\n    def __hash__(self):\n        return 1\nx = {H(): i for i in range(1_000_000)}",
        Fails(Cpu, ""),
    ),
    // Recursion in C code.
    attempt(
        "a chain of iterators",
        "x = iter(())\nfor _ in range(200_000):\n    x = map(abs, x)\nlist(x)",
        Fails(Recursion, ""),
    ),
    attempt(
        "json nested in text",
        "import json\njson.loads('[' * 1_000_000)",
        Fails(Recursion, "RecursionError"),
    ),
    attempt(
        "a deep repr with the limit lifted",
        "import sys\nsys.setrecursionlimit(10**9)\nx = []\nfor _ in range(200_000):\n    x = [x]\nrepr(x)",
        Fails(Recursion, ""),
    ),
    attempt(
        "a deep pickle",
        "import pickle, sys\nsys.setrecursionlimit(10**9)\nx = []\nfor _ in range(200_000):\n    x = [x]\npickle.dumps(x)",
        Fails(Recursion, ""),
    ),
    attempt(
        "a deep pattern",
        "import re\nre.compile('(' * 100_000 + ')' * 100_000)",
        Fails(Recursion, "RecursionError"),
    ),
    attempt(
        "getattr without end",
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __getattr__(self, name):\n        return getattr(self, name)\nA().x",
        Fails(Recursion, ""),
    ),
    // Breaking the interpreter itself.
    attempt(
        "byte code of its own",
        "c = (lambda: 0).__code__\nexec(c.replace(co_code=bytes([255, 254, 253, 252] * 8), co_stacksize=0))",
        Fails(Exception, "the interpreter crashed"),
    ),
    attempt(
        "a stopper of last resort",
        "import faulthandler\nfaulthandler._sigsegv()",
        Fails(Exception, "the interpreter crashed"),
    ),
];
