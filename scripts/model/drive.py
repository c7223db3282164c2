"""Runs of agents with a real language model, through the real server: `make test-model`.

    drive.py TOOLGATE        TOOLGATE is the binary; it needs nothing else

Nothing that the model says is known before, so the stories ask for what must be true whatever it says: the wire, the loop, the
stream, the approval, the restart, the receipts, the replay.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

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
        self.process = subprocess.Popen(command, cwd=self.home, stdout=subprocess.PIPE, text=True)
        self.url = first_line(self.process, "listening on ")
        if not self.url.startswith("http"):
            self.url = "http://" + self.url

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def cli(self, *arguments, expect=(0,)):
        command = [TOOLGATE, "--json", *arguments, "--url", self.url]
        environment = {**os.environ, "TOOLGATE_DATA_DIR": str(self.home / "state")}
        ran = subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)
        check(ran.returncode in expect, f"{' '.join(arguments)} exits with {ran.returncode}: {ran.stdout}{ran.stderr}")
        return json.loads(ran.stdout) if ran.stdout.strip() else None

    def agent(self, handle, model, tools):
        given = [part for tool in tools for part in ("--tool", tool)]
        self.cli("agent", "create", handle, "--name", handle, "--model", model, *given)
        for tool in tools:
            self.cli("agent", "permit", handle, "--tool", tool, "--status", "always_allow")

    def ended(self, run):
        """Follows a run to its end."""
        self.cli_text("run", "events", run, "--follow")
        return self.cli("run", "show", run)

    def cli_text(self, *arguments):
        command = [TOOLGATE, *arguments, "--url", self.url]
        environment = {**os.environ, "TOOLGATE_DATA_DIR": str(self.home / "state")}
        ran = subprocess.run(command, cwd=self.home, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)
        check(ran.returncode in (0, 3), f"{' '.join(arguments)} exits with {ran.returncode}: {ran.stderr}")
        return ran.stdout


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
    message = "What is 12 plus 30, and what time is it?"
    run = server.cli("run", "start", f"helper-{model}", message, expect=(0, 3))
    check(run["status"] == "completed", f"the run ended as {run['status']}: {run}")
    outputs = run["outputs"]
    check(len(outputs["tool_order"]) >= 2, f"two tools were to be called: {outputs['tool_order']}")
    check(outputs["response"].strip() != "", "the model said nothing")
    events = server.cli_lines("run", "events", run["id"])
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
    run = server.cli("run", "start", "announcer", "Announce that lunch is ready.", expect=(8,))
    waiting = server.cli("approvals")["items"]
    check([row["tool_name"] for row in waiting] == ["announce"], f"what waits: {waiting}")
    server.kill()
    server.start()
    run = server.cli("run", "show", run["id"])
    check(run["status"] == "running", f"the run stands as {run['status']}")
    server.cli("tool", "approve", waiting[0]["id"])
    run = server.ended(run["id"])
    check(run["status"] == "completed", f"the run ended as {run['status']}: {run}")
    calls = server.cli("invocations", "--tool", "announce")["items"]
    check(len(calls) == 1, f"the call was made {len(calls)} times")
    told("an approval in the middle, kill -9 while it waits", began, run)
    return run["id"]


def replayed(server, runs):
    files = []
    for run in runs:
        files.append(str(server.home / f"{run}.json"))
        server.cli("run", "export", run, "-o", files[-1])
    server.kill()
    print(server.cli_text("run", "replay", *files), end="")
    print(f"ok  {len(files)} runs replayed from their bundles, with neither model nor server")


def cli_lines(self, *arguments):
    return [json.loads(line) for line in self.cli_text("--json", *arguments).splitlines() if line.strip()]


Server.cli_lines = cli_lines


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
                    server.agent(f"helper-{provider}", f"{provider}/smollm2", ["calculate", "get_time"])
                server.cli("tool", "register", "--file", "announce.json", "--apply")
                server.agent("announcer", "streaming/smollm2", ["announce"])
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
