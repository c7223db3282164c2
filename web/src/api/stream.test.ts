import { expect, test } from "vitest";

import { EventReader, eventsOf } from "./stream";

test("events are given when they are whole, wherever the wire cut them", () => {
  const reader = new EventReader();
  expect(reader.push("event: started\nda")).toEqual([]);
  expect(reader.push('ta: {"a":1}\n')).toEqual([]);
  expect(reader.push("\n: still here\n\nevent: output\ndata: \"x\"\n\nevent: fin")).toEqual([
    { name: "started", data: { a: 1 } },
    { name: "output", data: "x" },
  ]);
  expect(reader.push("ished\r\ndata: 2\r\n\r\n")).toEqual([{ name: "finished", data: 2 }]);
});

test("whoever has read enough closes the connection", async () => {
  let isClosed = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
    cancel() {
      isClosed = true;
    },
  });
  const seen: unknown[] = [];
  for await (const { data } of eventsOf(new Response(body))) {
    seen.push(data);
    if (seen.length === 2) break;
  }
  expect(seen).toEqual([1, 1]);
  await expect.poll(() => isClosed).toBe(true);
});
