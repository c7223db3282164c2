import { expect, test } from "vitest";

import { blocksOf, isAttached, namesFiles, pictureIn, readText, textIn, type Block } from "./content";

test("blocks are told from an answer that happens to have a content", () => {
  expect(blocksOf({ content: [{ type: "text", text: "hi" }, { type: "image", data: "AA==", mimeType: "image/png" }] })).toHaveLength(2);
  expect([{ content: [] }, { content: ["text"] }, { content: [{ type: "memo" }] }, { content: [{ type: "text" }], total: 1 }, "text", null].map(blocksOf)).toEqual(Array(6).fill(undefined));
});

test("a picture is shown only as a picture; text may be JSON; what lies in a file is not shown twice", () => {
  const picture: Block = { type: "image", data: "AA==", mimeType: "image/png" };
  expect(pictureIn(picture)).toBe("data:image/png;base64,AA==");
  expect([pictureIn({ ...picture, mimeType: "text/html" }), pictureIn({ ...picture, mimeType: "image/png,<script>" })]).toEqual([undefined, undefined]);
  expect([readText(' {"a": 1}'), readText("{not json"), readText("plain")]).toEqual([{ a: 1 }, "{not json", "plain"]);
  expect(textIn({ type: "resource", resource: { text: "inside" } })).toBe("inside");
  expect([isAttached({ type: "image", attachment: 0 }), isAttached({ type: "resource", resource: { attachment: 1 } }), isAttached(picture)]).toEqual([true, true, false]);
});

test("an answer names its files wherever they stand in it", () => {
  expect(namesFiles({ status: 200, body: { attachment: 0, bytes: 5 } })).toBe(true);
  expect([{ attachment: "a.pdf" }, [1, { a: [] }], null, "attachment"].map((value) => namesFiles(value))).toEqual([false, false, false, false]);
});
