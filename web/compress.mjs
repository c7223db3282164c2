// Packs the built files once, so that the server never has to: `x.js` gets `x.js.br` and `x.js.gz` beside it. With --best it packs
// as tightly as it can, which takes long: for packages.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("dist", import.meta.url));
const TEXT = /\.(js|mjs|css|html|json|svg|webmanifest|txt)$/;
/** Below this a header costs more than packing saves. */
const LEAST_BYTES = 1024;
const best = process.argv.includes("--best");
const QUALITY = { brotli: best ? 11 : 6, gzip: best ? 9 : 6 };

for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath ?? entry.path, entry.name);
  if (!entry.isFile() || !TEXT.test(entry.name)) continue;
  const bytes = readFileSync(path);
  if (bytes.length < LEAST_BYTES) continue;
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY.brotli, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: QUALITY.gzip }));
}
