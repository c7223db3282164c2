// How much script a browser gets before it shows the library page. Fails when that is too much, so that nobody adds an editor or a
// chart to the first load without noticing. Runs after a build.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const MOST_BYTES = 250_000;
const FIRST_LOAD = ["index.html", "src/pages/tools/LibraryPage.tsx"];

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const manifest = JSON.parse(readFileSync(at("node_modules/.vite-manifest.json"), "utf8"));

const files = new Set();
function collect(name) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no ${name}: was the page moved?`);
  if (files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const imported of chunk.imports ?? []) collect(imported);
}
FIRST_LOAD.forEach(collect);

let gzip = 0;
let brotli = 0;
for (const file of [...files].filter((name) => name.endsWith(".js")).sort()) {
  const content = readFileSync(at(`dist/${file}`));
  const size = gzipSync(content, { level: 9 }).length;
  gzip += size;
  brotli += brotliCompressSync(content).length;
  console.log(`${String(size).padStart(8)}  ${file}`);
}
console.log(`${String(gzip).padStart(8)}  in all with gzip (${brotli} with brotli); the budget is ${MOST_BYTES}`);
if (gzip > MOST_BYTES) {
  console.error("The library page's first load is over its budget: load what it does not need at once with a lazy import.");
  process.exit(1);
}
