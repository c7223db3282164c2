"""A client with the official Python SDK. It ends with an error where the server is not as it must be.

Takes as arguments `legacy` or a revision, and then, for a server behind pipes, its command; and from its environment
TOOLGATE_URL and TOOLGATE_KEY, where there is a server that others can change meanwhile.
"""

import asyncio
import hashlib
import json
import os
import sys
from contextlib import AsyncExitStack

import httpx2
import jsonschema
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

URL, KEY = os.environ.get("TOOLGATE_URL"), os.environ.get("TOOLGATE_KEY")
MODE, COMMAND = sys.argv[1], sys.argv[2:]
INVALID_PARAMS = -32602


async def list_tools(client):
    tools, pages, cursor = [], 0, None
    while True:
        page = await client.list_tools(cursor=cursor, cache_mode="bypass")
        tools += page.tools
        pages += 1
        cursor = page.next_cursor
        if cursor is None:
            return tools, pages


async def lists(client):
    tools, pages = await list_tools(client)
    assert pages > 1, "the list has pages"
    names = [tool.name for tool in tools]
    assert names == sorted(set(names)), "sorted by name, each once"
    for tool in tools:
        assert tool.input_schema["type"] == "object", tool.name
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        if tool.output_schema is not None:
            jsonschema.Draft202012Validator.check_schema(tool.output_schema)


async def calls(client):
    hashed = await client.call_tool("hash_text", {"text": "abc"})
    assert not hashed.is_error
    assert hashed.structured_content["digest"] == hashlib.sha256(b"abc").hexdigest()
    assert json.loads(hashed.content[0].text) == hashed.structured_content


async def fails(client):
    failed = await client.call_tool("calculate", {"expression": "1/(2-2)"})
    assert failed.is_error
    assert failed.content[0].text.startswith("VALIDATION_ERROR"), failed.content
    try:
        await client.call_tool("no_such_tool", {})
    except MCPError as error:
        assert error.code == INVALID_PARAMS, error
    else:
        raise AssertionError("there is no such tool")


async def follows(client):
    seen = []

    async def progressed(progress, _total, _message):
        seen.append(progress)

    waited = await client.call_tool("wait", {"ms": 60, "every_ms": 20}, progress_callback=progressed)
    assert waited.structured_content == {"waited_ms": 60}
    assert len(seen) == 3 and seen == sorted(seen), seen


async def cancels(client):
    """Takes a call back as soon as it is known to run. The record is looked at by whoever started this."""
    runs = asyncio.Event()

    async def progressed(_progress, _total, _message):
        runs.set()

    call = asyncio.create_task(client.call_tool("wait", {"ms": 60_000, "every_ms": 10}, progress_callback=progressed))
    await runs.wait()
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        return
    raise AssertionError("the call was taken back")


async def hears_of_changes(client, told):
    name = f"made_meanwhile_{MODE.replace('-', '_')}"
    definition = {
        "name": name,
        "version": "1.0.0",
        "description": "Waits, under another name",
        "input_schema": {"type": "object"},
        "egress_class": "read_only",
        "execution": {"kind": "builtin", "handler": "wait"},
    }
    async with AsyncExitStack() as open_things:
        events = None
        if MODE != "legacy":
            events = await open_things.enter_async_context(client.listen(tools_list_changed=True))
        http = await open_things.enter_async_context(httpx2.AsyncClient())
        made = await http.post(f"{URL}/api/tools", json=definition, headers={"authorization": f"Bearer {KEY}"})
        assert made.is_success, made.text
        if events is None:
            await told.wait()
        else:
            await anext(aiter(events))
    tools, _ = await list_tools(client)
    assert name in [tool.name for tool in tools]


async def main():
    told = asyncio.Event()

    async def heard(message):
        if getattr(message, "method", None) == "notifications/tools/list_changed":
            told.set()

    async with AsyncExitStack() as open_things:
        if COMMAND:
            server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=dict(os.environ))
        else:
            http = httpx2.AsyncClient(headers={"authorization": f"Bearer {KEY}"}, timeout=30)
            await open_things.enter_async_context(http)
            server = streamable_http_client(f"{URL}/mcp", http_client=http)
        client = await open_things.enter_async_context(Client(server, mode=MODE, message_handler=heard))
        await lists(client)
        await calls(client)
        await fails(client)
        await follows(client)
        await cancels(client)
        if URL is not None:
            await hears_of_changes(client, told)


asyncio.run(asyncio.wait_for(main(), timeout=60))
