"""An MCP server over stdio, polite or not: `upstream.py REVISION [MANNER]`.

Its tools each do one thing that servers do, well or badly. It needs nothing beside the standard library.
"""
import json
import os
import subprocess
import sys

REVISION = sys.argv[1]
MANNER = sys.argv[2] if len(sys.argv) > 2 else "polite"
TOOLS = ["echo", "pid", "env", "crash", "hang", "wait_for_cancel", "flood", "huge", "endless_line", "bad_json",
         "wrong_id", "twice", "progress", "ask", "refuse", "fail", "change", "family", "shapeless", "trace"]
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
cancelled = []
waiting = []
subscriptions = []


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def result(id, value):
    if REVISION >= "2026":
        value = {"resultType": "complete", **value}
    send({"id": id, "result": value})


def text(id, value):
    result(id, {"content": [{"type": "text", "text": str(value)}]})


def notify(method, params):
    send({"method": method, "params": params})


def tell_of_change():
    """In the newest revision only those hear of it who asked."""
    if REVISION < "2026":
        notify("notifications/tools/list_changed", {})
    for subscription in subscriptions:
        notify("notifications/tools/list_changed", {"_meta": {SUBSCRIPTION: subscription}})


def info():
    return {"name": "rude", "version": "1"}


def tools():
    names = list(TOOLS)
    if MANNER == "changed":
        names.append("another")
    return [{"name": name, "description": "The tool " + name + ".",
             "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}} for name in names]


def call(id, name, arguments, meta):
    global MANNER
    if name == "echo":
        text(id, arguments.get("text", ""))
    elif name == "pid":
        text(id, os.getpid())
    elif name == "env":
        print("my token is " + os.environ.get("TOKEN", "none"), file=sys.stderr, flush=True)
        text(id, ",".join(sorted(os.environ)))
    elif name == "trace":
        text(id, meta.get("traceparent"))
    elif name == "crash":
        os._exit(3)
    elif name == "hang":
        notify("notifications/progress", {"progressToken": meta["progressToken"], "progress": 1})
    elif name == "wait_for_cancel":
        waiting.append(id)
    elif name == "flood":
        while True:
            notify("notifications/message", {"level": "info", "data": "again"})
    elif name == "huge":
        text(id, "x" * 50_000_000)
    elif name == "endless_line":
        while True:
            sys.stdout.write("x" * 65536)
    elif name == "bad_json":
        sys.stdout.write("{this is no JSON\n")
        sys.stdout.flush()
    elif name == "wrong_id":
        text(987654, "not yours")
        text("nobody's", "not yours")
        text(id, "yours")
    elif name == "twice":
        text(id, "first")
        text(id, "second")
    elif name == "progress":
        for step in range(3):
            notify("notifications/progress", {"progressToken": meta["progressToken"], "progress": step, "total": 3})
        notify("notifications/progress", {"progressToken": "somebody else's", "progress": 99})
        notify("notifications/message", {"level": "warning", "logger": "me", "data": {"n": 1}})
        text(id, "done")
    elif name == "ask":
        send({"id": "q1", "method": "elicitation/create",
              "params": {"message": "who?", "requestedSchema": {"type": "object", "properties": {}}}})
        waiting.append(id)
    elif name == "refuse":
        send({"id": id, "error": {"code": -32602, "message": "no such thing"}})
    elif name == "fail":
        result(id, {"content": [{"type": "text", "text": "it did not work"}], "isError": True})
    elif name == "change":
        MANNER = "changed"
        tell_of_change()
        text(id, "changed")
    elif name == "family":
        child = subprocess.Popen(["sleep", "1000"])
        text(id, f"{os.getpid()} {child.pid}")
    elif name == "shapeless":
        send({"id": id, "result": "a text where an object belongs"})


def read(message):
    method, id = message.get("method"), message.get("id")
    params = message.get("params", {})
    if method == "initialize":
        if MANNER == "mute":
            return
        result(id, {"protocolVersion": REVISION, "capabilities": {"tools": {"listChanged": True}, "resources": {}},
                    "serverInfo": info()})
    elif method == "server/discover" and REVISION >= "2026":
        result(id, {"supportedVersions": [REVISION], "capabilities": {"tools": {"listChanged": True}},
                    "_meta": {"io.modelcontextprotocol/serverInfo": info()}, "ttlMs": 0, "cacheScope": "private"})
    elif method == "subscriptions/listen" and REVISION >= "2026":
        subscriptions.append(id)
        notify("notifications/subscriptions/acknowledged",
               {"notifications": params["notifications"], "_meta": {SUBSCRIPTION: id}})
        if MANNER == "changed":
            tell_of_change()
    elif method == "server/discover" and MANNER == "fragile":
        os._exit(1)
    elif method == "server/discover" and MANNER == "mute":
        return
    elif method == "tools/list":
        result(id, {"tools": tools()})
    elif method == "tools/call":
        call(id, params["name"], params.get("arguments", {}), params.get("_meta", {}))
    elif method == "resources/list":
        result(id, {"resources": [{"uri": "file:///huge", "name": "huge"}]})
    elif method == "resources/read":
        result(id, {"contents": [{"uri": params["uri"], "text": "x" * 50_000_000}]})
    elif method == "notifications/cancelled":
        cancelled.append(params["requestId"])
    elif id is not None and method is not None:
        send({"id": id, "error": {"code": -32601, "message": "no such method"}})
    elif id == "q1":
        text(waiting.pop(), message.get("error", {}).get("code"))
    if cancelled and waiting:
        text(waiting.pop(), len(cancelled))


if MANNER == "dead":
    sys.exit(1)
if MANNER == "greets":
    print("Welcome to this server!", flush=True)
for line in sys.stdin:
    read(json.loads(line))
