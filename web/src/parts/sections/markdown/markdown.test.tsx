import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import { blocksOf } from "./blocks";
import { Markdown, safeAddress } from "./Markdown";

describe("Markdown of a tool", () => {
  it("is read block by block", () => {
    const text = "# Head\n\nOne\ntwo\n\n- a\n- b\n  more\n\n1. x\n\n```py\n<b>\n```\n> said\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n---";
    expect(blocksOf(text)).toEqual([
      { kind: "heading", level: 1, text: "Head" },
      { kind: "paragraph", text: "One\ntwo" },
      { kind: "list", isOrdered: false, items: ["a", "b more"] },
      { kind: "list", isOrdered: true, items: ["x"] },
      { kind: "code", text: "<b>" },
      { kind: "quote", text: "said" },
      { kind: "table", head: ["A", "B"], rows: [["1", "2"]] },
      { kind: "rule" },
    ]);
  });

  it("never becomes HTML of its own", () => {
    const html = renderToStaticMarkup(<Markdown text={'<img src=x onerror="alert(1)"> **bold** [x](javascript:alert(1)) ![i](https://a.example/p.png)'} />);
    expect(html).not.toContain("<img");
    expect(html).not.toContain('href="javascript');
    expect(html).toContain("<strong>bold</strong>");
    expect(html).toContain('<a href="https://a.example/p.png"');
  });

  it("leads only where a link may lead", () => {
    expect(safeAddress("https://a.example")).toBe("https://a.example");
    expect(safeAddress("/tools/x")).toBe("/tools/x");
    for (const bad of ["//evil.example", "javascript:x", "data:text/html,x", "vbscript:x"]) expect(safeAddress(bad)).toBeUndefined();
  });

  it("takes a fence that never ends, and text without end", () => {
    expect(blocksOf("```\nx")).toEqual([{ kind: "code", text: "x" }]);
    expect(renderToStaticMarkup(<Markdown text={"x".repeat(200_000)} />)).toContain("<pre");
  });
});
