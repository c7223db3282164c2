#!/usr/bin/env node
// Where the time went: phases, and the twenty slowest crates, tests and stories. Reads what the last run left in target/, prints a
// table, and writes it to target/timings/summary.md. `scripts/timings.mjs --begin` forgets the run before.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SHOWN = 20;
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TIMINGS = at("target/timings");
const CARGO_REPORTS = at("target/cargo-timings");
const TESTS = at("target/nextest/default/junit.xml");

mkdirSync(TIMINGS, { recursive: true });
if (process.argv[2] === "--begin") {
  for (const path of [TIMINGS, CARGO_REPORTS, TESTS]) rmSync(path, { recursive: true, force: true });
  mkdirSync(TIMINGS, { recursive: true });
  process.exit(0);
}

const text = (path) => (existsSync(path) ? readFileSync(path, "utf8") : "");

function phases() {
  const rows = text(`${TIMINGS}/phases.tsv`).trim().split("\n").filter(Boolean);
  const runs = rows.map((row) => row.split("\t")).map(([name, began, ended, status]) => ({ name, began: Number(began), ended: Number(ended), status }));
  if (runs.length === 0) return [];
  const first = Math.min(...runs.map(({ began }) => began));
  const last = Math.max(...runs.map(({ ended }) => ended));
  const lines = runs
    .sort((a, b) => a.began - b.began)
    .map(({ name, began, ended, status }) => [name, ended - began, `from ${clock(began - first)}${status === "0" ? "" : `, failed with ${status}`}`]);
  return [...lines, ["all of them, some side by side", last - first, ""]];
}

/** Each report of `cargo build --timings` holds its units as JSON in a script. */
function crates() {
  const reports = existsSync(CARGO_REPORTS) ? readdirSync(CARGO_REPORTS).filter((name) => /^cargo-timing-.*\.html$/.test(name)) : [];
  const units = reports.flatMap((name) => {
    const found = /const UNIT_DATA = (\[[\s\S]*?\]);\n/.exec(text(`${CARGO_REPORTS}/${name}`));
    return found ? JSON.parse(found[1]) : [];
  });
  return units.map(({ name, version, target, mode, duration }) => [`${name} ${version}${target}${mode === "todo" ? "" : ` (${mode})`}`, duration, ""]);
}

function tests() {
  const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return [...text(TESTS).matchAll(/<testcase [^>]*>/g)].map(([tag]) => [`${attribute(tag, "classname")} ${attribute(tag, "name")}`, Number(attribute(tag, "time")), ""]);
}

function stories() {
  const report = text(`${TIMINGS}/stories.json`);
  if (report === "") return [];
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  return JSON.parse(report).suites.flatMap(specs).flatMap(({ file, title, tests: told }) =>
    told.map(({ projectName, results }) => [`${file}: ${title} [${projectName}]`, results.reduce((sum, { duration }) => sum + duration / 1000, 0), results.length > 1 ? `${String(results.length)} tries` : ""]),
  );
}

function clock(seconds) {
  return `${String(Math.floor(seconds / 60))}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

function section(title, rows, { sorted = true } = {}) {
  if (rows.length === 0) return [`## ${title}`, "", "Nothing was measured.", ""];
  const total = rows.reduce((sum, [, seconds]) => sum + seconds, 0);
  const shown = sorted ? rows.sort((a, b) => b[1] - a[1]).slice(0, SHOWN) : rows;
  const head = sorted ? `${String(rows.length)} in all, ${clock(total)} together` : "";
  return [`## ${title}${head === "" ? "" : ` (${head})`}`, "", "| | seconds | |", "|---|--:|---|", ...shown.map(([name, seconds, note]) => `| ${name} | ${seconds.toFixed(1)} | ${note} |`), ""];
}

const page = [
  "# Where the time went",
  "",
  ...section("Phases", phases(), { sorted: false }),
  ...section("Slowest crates", crates()),
  ...section("Slowest tests", tests()),
  ...section("Slowest stories", stories()),
].join("\n");
writeFileSync(`${TIMINGS}/summary.md`, page);
console.log(page);
