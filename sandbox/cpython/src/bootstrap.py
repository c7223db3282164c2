"""The guest's side of the worker: one script, run once.

Everything here could be done by the script itself, through the same door. The limits are held by the worker.
"""


def _main():
    import _host
    import ast
    import json
    import keyword
    import linecache
    import sys
    import traceback
    import types

    # What scripts import most, so that a warm worker has it already.
    import collections
    import datetime
    import functools
    import itertools
    import math
    import random
    import re

    door = _host.call
    name = "script.py"
    text_max = 4_000

    class ToolError(RuntimeError):
        """A call that failed. Its text is `CODE: message`."""

        def __init__(self, code, message):
            super().__init__(f"{code}: {message}" if code else message)
            self.code = code
            self.message = message

    def plain(value):
        """What has no JSON form of its own, but an obvious one."""
        if isinstance(value, (set, frozenset)):
            return list(value)
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if callable(getattr(type(value), "tolist", None)):
            return value.tolist()
        raise TypeError(f"a value of type {type(value).__name__} has no JSON form")

    dumps = json.JSONEncoder(
        allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=plain
    ).encode
    loads = json.loads

    memory_text = "the script used up its memory"
    out_of_memory = {"op": "error", "kind": "memory", "message": memory_text}
    out_of_memory = dumps({**out_of_memory, "exception_type": "MemoryError"}).encode()

    def function(tool):
        def call(*args, **kwargs):
            try:
                request = dumps({"op": "call", "function": tool, "args": args, "kwargs": kwargs})
                request = request.encode()
            except (TypeError, ValueError) as error:
                raise TypeError(f"{tool}(): {error}") from None
            answer = loads(door(request))
            if "refused" in answer:
                raise TypeError(f"{tool}(): {answer['refused']}")
            if "error" in answer:
                error = answer["error"]
                raise ToolError(error.get("code"), error.get("message") or "")
            return answer.get("ok")

        call.__name__ = call.__qualname__ = tool
        return call

    def shown(error):
        try:
            return str(error)[:text_max]
        except BaseException:
            return ""

    def fail(kind, error, *, line=None, message=None):
        """Ends the run. Lines are the script's own; the frames of this file are left out."""
        text, lines = "", []
        try:
            frames = traceback.extract_tb(error.__traceback__)
            while frames and frames[0].filename != name:
                del frames[0]
            lines = [frame.lineno for frame in frames]
            own = [frame.lineno for frame in frames if frame.filename == name]
            line = line or (own[-1] if own else None)
            head = ["Traceback (most recent call last):\n", *frames.format()] if frames else []
            text = "".join(head + traceback.format_exception_only(type(error), error))
            if len(text) > 4 * text_max:
                text = text[: 2 * text_max] + "\n…\n" + text[-2 * text_max :]
        except BaseException:
            pass
        report = {
            "op": "error",
            "kind": kind,
            "message": shown(error) or message or type(error).__name__,
            "traceback": text or None,
            "line": line,
            "exception_type": type(error).__name__,
        }
        if kind == "memory":
            report["lines"] = lines
        door(dumps(report).encode("utf-8", "replace"))

    start = loads(door(b'{"op":"ready"}'))
    random.seed()
    sys.setrecursionlimit(start["max_recursion"])
    source = start["code"]
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)

    try:
        tree = ast.parse(source, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = compile(ast.Expression(tree.body.pop().value), name, "eval", dont_inherit=True)
        body = compile(tree, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        return fail("syntax", error, line=error.lineno)
    except RecursionError as error:
        return fail("recursion", error)
    except MemoryError:
        return door(out_of_memory)
    except ValueError as error:
        return fail("syntax", error)
    if start["check"]:
        return door(b'{"op":"checked"}')

    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    scope = vars(module)
    for key, value in start["inputs"].items():
        if key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("__"):
            scope[key] = value
    scope["ToolError"] = ToolError
    for tool in start["functions"]:
        if not tool.startswith("__"):
            scope[tool] = function(tool)
    scope["input"] = start["inputs"]

    value = None
    try:
        exec(body, scope)
        if last is not None:
            value = eval(last, scope)
        sys.stdout.flush()
    except RecursionError as error:
        return fail("recursion", error)
    except MemoryError as error:
        try:
            return fail("memory", error, message=memory_text)
        except MemoryError:
            return door(out_of_memory)
    except BaseException as error:
        try:
            sys.stdout.flush()
        except BaseException:
            pass
        return fail("exception", error)

    try:
        done = (b'{"op":"done","value":', dumps(value).encode(), b"}")
        done = b"".join(done)
    except MemoryError:
        return door(out_of_memory)
    except BaseException as error:
        return fail("result", error)
    door(done)


_main()
