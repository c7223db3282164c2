import { expect, test } from "vitest";

import { everyPage } from "./pages";

test("a list that is needed whole is read to its last page", async () => {
  const asked: (string | undefined)[] = [];
  const pages: Record<string, { items: number[]; next_cursor?: string | null }> = { first: { items: [1, 2], next_cursor: "b" }, b: { items: [3], next_cursor: null } };
  const rows = await everyPage((cursor) => {
    asked.push(cursor);
    return Promise.resolve(pages[cursor ?? "first"] ?? { items: [] });
  });
  expect(rows).toEqual([1, 2, 3]);
  expect(asked).toEqual([undefined, "b"]);
});

test("a server that goes on for ever is not followed for ever", async () => {
  const rows = await everyPage(() => Promise.resolve({ items: ["more"], next_cursor: "again" }));
  expect(rows).toHaveLength(50);
});
