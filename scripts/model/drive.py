"""Runs of agents with a real language model, through the real server: `make test-model`.

    drive.py TOOLGATE        TOOLGATE is the binary; it needs nothing else

Nothing that the model says is known before, so the stories ask for what must be true whatever it says: the wire, the loop, the
stream, the approval, the restart, the receipts, the replay.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

TOOLGATE = str(pathlib.Path(sys.argv[1]).resolve())
HERE = pathlib.Path(__file__).resolve().parent
# The model computes on one thread, and so may everything else.
PATIENCE_S = 300

SETTINGS = """
default_model = "streaming/smollm2"

[[providers]]
name = "streaming"
api = "openai_compatible"
base_url = "http://127.0.0.1:{port}/v1"
models = ["smollm2"]

[[providers]]
name = "whole"
api = "openai_compatible"
base_url = "http://127.0.0.1:{port}/v1"
models = ["smollm2"]
stream = false
"""

ANNOUNCE = {
    "name": "announce",
    "version": "1.0.0",
    "description": "Tells the world what you say.",
    "egress_class": "write",
    "input_schema": {
        "type": "object",
        "properties": {"ms": {"type": "integer", "minimum": 0, "maximum": 10}},
        "required": ["ms"],
        "additionalProperties": False,
    },
    "execution": {"kind": "builtin", "handler": "wait"},
}


def first_line(process, start):
    """The rest of the first line that begins so."""
    for line in process.stdout:
        if line.startswith(start):
            return line[len(start) :].strip()
    raise SystemExit(f"{process.args[0]} ended before it said `{start}`")


class Server:
    """The server, in a directory that stays when it is killed."""

    def __init__(self, home):
        self.home = home
        self.start()

    def start(self):
        command = [TOOLGATE, "serve", "--listen", "127.0.0.1:0", "--data-dir", "state"]
        self.process = subprocess.Popen(command, cwd=self.home, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = first_line(self.process, "listening on ")
        if not self.url.startswith("http"):
            self.url = "http://" + self.url

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def command(self, *arguments, expect=(0,)):
        """What the command prints."""
        command = [TOOLGATE, *arguments, "--url", self.url, "--data-dir", "state"]
        ran = subprocess.run(command, cwd=self.home, capture_output=True, text=True, timeout=PATIENCE_S)
        said = f"{' '.join(arguments)} exits with {ran.returncode}: {ran.stdout}{ran.stderr}"
        check(ran.returncode in expect, said)
        return ran.stdout

    def ask(self, *arguments, expect=(0,)):
        return json.loads(self.command("--json", *arguments, expect=expect) or "null")

    def events(self, run):
        return [json.loads(line) for line in self.command("--json", "run", "events", run, "--follow").splitlines()]

    def agent(self, handle, model, tools, is_free=True):
        given = [part for tool in tools for part in ("--tool", tool)]
        self.command("agent", "create", handle, "--name", handle, "--model", model, *given)
        for tool in tools if is_free else ():
            self.command("agent", "permit", handle, "--tool", tool, "--status", "always_allow")


def check(is_true, otherwise):
    if not is_true:
        raise SystemExit(f"FAILED: {otherwise}")


def told(story, began, run):
    outputs = run["outputs"]
    calls = [receipt_of(outputs, call) for call in outputs["tool_order"]]
    names = ", ".join(f"{call['name']} ({'failed' if call.get('error') else 'ok'})" for call in calls)
    words = " ".join(outputs["response"].split())
    print(f"ok  {story}: {len(calls)} calls: {names}; {time.monotonic() - began:.1f} s")
    print(f"    the model says: {words[:100]!r}")


def receipt_of(outputs, call_id):
    check(call_id in outputs["tools_by_id"], f"{call_id} has no receipt")
    return outputs["tools_by_id"][call_id]


def several_tools(server, model):
    """One question, two calls side by side, an answer."""
    began = time.monotonic()
    message = "What is 12 plus 30, and what is the hash of hello?"
    run = server.ask("run", "start", f"helper-{model}", message, expect=(0, 3))
    check(run["status"] == "completed", f"the run ended as {run['status']}: {run}")
    outputs = run["outputs"]
    names = {receipt_of(outputs, call)["name"] for call in outputs["tool_order"]}
    check(len(names) >= 2, f"two tools were to be called: {names}")
    check(outputs["response"].strip() != "", "the model said nothing")
    events = server.events(run["id"])
    kinds = [event["type"] for event in events]
    for kind in ("run.started", "tool.started", "text.delta", "usage", "run.finished"):
        check(kind in kinds, f"no {kind} among {kinds}")
    pieces = kinds.count("text.delta")
    check(pieces > 1 if model == "streaming" else pieces == 1, f"{pieces} pieces of text from the provider `{model}`")
    text = "".join(event["data"]["text"] for event in events if event["type"] == "text.delta")
    check(text == outputs["response"], "the pieces are not the answer")
    usage = [event["data"]["usage"] for event in events if event["type"] == "usage"]
    check(all(turn["input_tokens"] > 0 and turn["output_tokens"] > 0 for turn in usage), f"tokens: {usage}")
    told(f"several tools, provider `{model}`, text in {pieces} piece(s)", began, run)
    return run["id"]


def parked(server):
    """A call that asks a person, a power cut while it waits, and the rest of the run on another process."""
    began = time.monotonic()
    run = server.ask("run", "start", "announcer", "Announce that lunch is ready.", expect=(8,))
    waiting = server.ask("approvals")["items"]
    check(waiting != [] and all(row["tool_name"] == "announce" for row in waiting), f"what waits: {waiting}")
    server.kill()
    server.start()
    run = server.ask("run", "show", run["id"])
    check(run["status"] == "running", f"the run stands as {run['status']}")
    for row in waiting:
        server.command("tool", "approve", row["id"])
    server.events(run["id"])
    run = server.ask("run", "show", run["id"])
    check(run["status"] == "completed", f"the run ended as {run['status']}: {run}")
    calls = server.ask("invocations", "--tool", "announce")["items"]
    check(len(calls) == len(waiting), f"{len(waiting)} calls were made {len(calls)} times")
    told("an approval in the middle, kill -9 while it waits", began, run)
    return run["id"]


def replayed(server, runs):
    files = []
    for run in runs:
        files.append(str(server.home / f"{run}.json"))
        server.command("run", "export", run, "-o", files[-1])
    server.kill()
    print(server.command("run", "replay", *files), end="")
    print(f"ok  {len(files)} runs replayed from their bundles, with neither model nor server")


def main():
    model = subprocess.Popen([sys.executable, str(HERE / "serve.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with tempfile.TemporaryDirectory(prefix="toolgate-model-") as home:
        home = pathlib.Path(home)
        try:
            (home / "toolgate.toml").write_text(SETTINGS.format(port=first_line(model, "ready ")))
            (home / "announce.json").write_text(json.dumps(ANNOUNCE))
            server = Server(home)
            try:
                for provider in ("streaming", "whole"):
                    server.agent(f"helper-{provider}", f"{provider}/smollm2", ["calculate", "generate_ids", "hash_text"])
                server.command("tool", "register", "--file", "announce.json", "--apply")
                server.agent("announcer", "streaming/smollm2", ["announce"], is_free=False)
                runs = [several_tools(server, provider) for provider in ("streaming", "whole")]
                runs.append(parked(server))
                replayed(server, runs)
            finally:
                server.kill()
        finally:
            model.kill()
            model.wait()


if __name__ == "__main__":
    main()
