import { describe, expect, it } from "vitest";

import { chartConfig, MAX_POINTS, radarConfig, ranked, rankingConfig, thinned, waterfall } from "./config";
import { csvOf } from "./csv";
import { columnsOf, compare, humane, isTable, rowsOf } from "./rows";
import { fileName } from "./save";

describe("rows of an output", () => {
  it("come from lists and from objects", () => {
    expect(rowsOf([{ a: 1 }, 2])).toEqual([{ a: 1 }, { value: 2 }]);
    expect(rowsOf({ x: { n: 1 }, y: { n: 2 } })).toEqual([{ key: "x", n: 1 }, { key: "y", n: 2 }]);
    expect(rowsOf({ x: 1 })).toEqual([{ key: "x", value: 1 }]);
    expect(rowsOf(null)).toEqual([]);
    expect(columnsOf([{ b: 1 }, { a: 2, b: 3 }])).toEqual(["b", "a"]);
    expect(columnsOf([{ b: 1 }], [{ key: "b" }, "c"])).toEqual(["b", "c"]);
    expect(isTable([])).toBe(false);
  });

  it("sort numbers by size and put what is missing last", () => {
    expect([10, null, 9, undefined, 100].sort(compare)).toEqual([9, 10, 100, null, undefined]);
    expect(["v10", "v9"].sort(compare)).toEqual(["v9", "v10"]);
  });

  it("have names that people read", () => {
    expect(humane("hoursPerYearSaved")).toBe("Hours per year saved");
    expect(humane("unit_price")).toBe("Unit price");
    expect(humane("npv")).toBe("Npv");
  });
});

describe("CSV", () => {
  it("quotes what needs it and runs nothing in a spreadsheet", () => {
    const rows = [{ a: 'x "y", z', b: "=1+1", c: null, d: [1], e: -2 }];
    expect(csvOf(rows, ["a", "b", "c", "d", "e"])).toBe('a,b,c,d,e\r\n"x ""y"", z",\'=1+1,,[1],-2\r\n');
    expect(fileName("calculate ROI", "Year/Year", "inv_1")).toBe("calculate-ROI-Year-Year-inv_1");
  });
});

describe("the config of a section", () => {
  const rows = [
    { name: "a", score: 1, weight: 2 },
    { name: "b", score: 3, weight: 4 },
  ];

  it("is taken as the tool wrote it", () => {
    expect(chartConfig({ x: "name", y: ["score"], kind: "line" }, rows)).toEqual({ kind: "line", x: "name", y: ["score"] });
    expect(radarConfig({ label: "name", value: ["score", "weight"], max: 10 }, rows)).toEqual({ label: "name", values: ["score", "weight"], max: 10 });
    expect(rankingConfig({ label: "name", value: "score", text: "why" }, rows)).toEqual({ label: "name", value: "score", text: "why" });
  });

  it("is guessed from the rows where the tool wrote none", () => {
    expect(chartConfig(undefined, rows)).toEqual({ kind: "bar", x: "name", y: ["score", "weight"] });
    expect(rankingConfig(null, rows)).toEqual({ label: "name", value: "score", text: undefined });
  });

  it("ranks the best first, unless the rows say otherwise", () => {
    expect(ranked(rows, "score").map((row) => row["name"])).toEqual(["b", "a"]);
    expect(ranked(rows.map((row, index) => ({ ...row, rank: index + 1 })), "score").map((row) => row["name"])).toEqual(["a", "b"]);
  });

  it("draws no more points than a screen can show", () => {
    const many = Array.from({ length: 10_001 }, (_, index) => ({ index }));
    expect(thinned(many).length).toBeLessThanOrEqual(MAX_POINTS + 1);
    expect(thinned(many).at(-1)).toEqual({ index: 10_000 });
  });

  it("lets a waterfall's bars float, and its total stand", () => {
    const steps = waterfall([{ c: "goods", v: 100 }, { c: "discount", v: -20 }, { c: "freight", v: 5 }, { c: "total", v: 85 }], "c", "v");
    expect(steps.map(({ base, size }) => [base, size])).toEqual([[0, 100], [80, 20], [80, 5], [0, 85]]);
  });
});

describe("a table in a file", () => {
  it("is read from CSV with quotes, commas and lines", async () => {
    const { readTable } = await import("./preview");
    expect(readTable('a,b\r\n"x, ""y""\nz",2\r\n', "text/csv")).toEqual([{ a: 'x, "y"\nz', b: "2" }]);
    expect(readTable('{"note": "n", "rows": [{"a": 1}]}', "application/json")).toEqual([{ a: 1 }]);
    expect(readTable("{broken", "application/json")).toEqual([]);
  });
});
