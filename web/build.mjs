// Runs after vite: puts what is not part of the application into dist/, the script of the API page, from its package.
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(at("dist"), { recursive: true });
copyFileSync(at("node_modules/@scalar/api-reference/dist/browser/standalone.js"), at("dist/api-reference.js"));
// vite empties the folder first; the repository keeps it, so that the server builds without a web build.
writeFileSync(at("dist/.gitkeep"), "");
// The list of chunks is for the budget (scripts/budget.mjs), not for browsers.
renameSync(at("dist/.vite/manifest.json"), at("node_modules/.vite-manifest.json"));
rmSync(at("dist/.vite"), { recursive: true });
