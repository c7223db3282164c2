// Puts what the server embeds into dist/: the script of the API page, from its package.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(at("dist"), { recursive: true });
copyFileSync(at("node_modules/@scalar/api-reference/dist/browser/standalone.js"), at("dist/api-reference.js"));
