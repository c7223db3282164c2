import { compare, type Row } from "./rows";

export interface ChartConfig {
  kind: "line" | "bar" | "area" | "pie" | "waterfall";
  x: string;
  y: string[];
}

const KINDS = ["line", "bar", "area", "pie", "waterfall"] as const;
type Config = Record<string, unknown> | null | undefined;

function names(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((name): name is string => typeof name === "string" && name !== "");
}

function columnsWhere(rows: Row[], test: (value: unknown) => boolean): string[] {
  const first = rows[0] ?? {};
  return Object.keys(first).filter((key) => rows.slice(0, 20).every((row) => row[key] === undefined || row[key] === null || test(row[key])));
}

const isNumber = (value: unknown) => typeof value === "number";

/** What a chart shows: as its config says, and else by what the rows have. */
export function chartConfig(config: Config, rows: Row[]): ChartConfig {
  const kind = KINDS.find((known) => known === (config?.["kind"] ?? config?.["type"])) ?? "bar";
  const numeric = columnsWhere(rows, isNumber);
  const given = names(config?.["x"] ?? config?.["label"])[0];
  const x = given ?? Object.keys(rows[0] ?? {}).find((key) => !numeric.includes(key)) ?? Object.keys(rows[0] ?? {})[0] ?? "";
  const y = names(config?.["y"] ?? config?.["value"]);
  return { kind, x, y: y.length > 0 ? y : numeric.filter((key) => key !== x).slice(0, 5) };
}

export interface RankingConfig {
  label: string;
  value: string;
  text: string | undefined;
}

export function rankingConfig(config: Config, rows: Row[]): RankingConfig {
  const numeric = columnsWhere(rows, isNumber).filter((key) => key !== "rank");
  const texts = columnsWhere(rows, (value) => typeof value === "string");
  return {
    label: names(config?.["label"])[0] ?? texts[0] ?? "value",
    value: names(config?.["value"])[0] ?? numeric[0] ?? "value",
    text: names(config?.["text"])[0],
  };
}

export interface RadarConfig {
  label: string;
  values: string[];
  max: number | undefined;
}

export function radarConfig(config: Config, rows: Row[]): RadarConfig {
  const { label } = rankingConfig(config, rows);
  const values = names(config?.["value"] ?? config?.["values"]);
  const max = config?.["max"];
  return {
    label,
    values: values.length > 0 ? values : columnsWhere(rows, isNumber).slice(0, 3),
    max: typeof max === "number" ? max : undefined,
  };
}

/** Best first, unless the rows carry a rank of their own. */
export function ranked(rows: Row[], value: string): Row[] {
  const hasRank = rows.every((row) => typeof row["rank"] === "number");
  return [...rows].sort((a, b) => (hasRank ? compare(a["rank"], b["rank"]) : compare(b[value], a[value])));
}

/** More points than a screen has pixels for help nobody: every n-th is drawn, and the last. */
export const MAX_POINTS = 400;

export function thinned(rows: Row[]): Row[] {
  if (rows.length <= MAX_POINTS) return rows;
  const step = Math.ceil(rows.length / MAX_POINTS);
  return rows.filter((_, index) => index % step === 0 || index === rows.length - 1);
}

export interface WaterfallStep {
  label: string;
  /** Where the bar floats: nothing is drawn below it. */
  base: number;
  size: number;
  value: number;
}

/** Each amount begins where the one before ended. A last row called a total stands on the ground. */
export function waterfall(rows: Row[], x: string, y: string): WaterfallStep[] {
  let sum = 0;
  return rows.map((row, index) => {
    const value = typeof row[y] === "number" ? row[y] : 0;
    const label = String(row[x] ?? "");
    const isTotal = index === rows.length - 1 && /total/i.test(label);
    const [from, to] = isTotal ? [0, value] : [sum, sum + value];
    sum = to;
    return { label, base: Math.min(from, to), size: Math.abs(to - from), value };
  });
}
