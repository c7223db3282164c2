import { expect, test } from "vitest";

import { newestOf, withNews, type CallRow, type Pages } from "./rows";

const row = (id: string, status = "completed") => ({ id, status }) as CallRow;
const ids = (pages: Pages) => pages.flatMap(({ items }) => items.map(({ id }) => id));
const pages: Pages = [{ items: [row("inv_5"), row("inv_4", "running")], next_cursor: "inv_4" }, { items: [row("inv_3"), row("inv_2")] }];

test("new calls come on top in their order, and nothing is there twice", () => {
  const after = withNews(pages, [row("inv_7"), row("inv_6"), row("inv_5")], new Set());
  expect(ids(after)).toEqual(["inv_7", "inv_6", "inv_5", "inv_4", "inv_3", "inv_2"]);
  expect(newestOf(after)).toBe("inv_7");
  expect(after[0]?.next_cursor).toBe("inv_4");
});

test("what changed changes in its place; what no longer fits the filter goes", () => {
  const after = withNews(pages, [row("inv_4", "failed")], new Set(["inv_3"]));
  expect(ids(after)).toEqual(["inv_5", "inv_4", "inv_2"]);
  expect(after[0]?.items[1]?.status).toBe("failed");
});

test("an empty list takes its first call", () => {
  expect(ids(withNews([{ items: [] }], [row("inv_1")], new Set()))).toEqual(["inv_1"]);
});
