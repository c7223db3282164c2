import { fileURLToPath } from "node:url";

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// A running server for `npm run dev` and `npm run preview`; the built application is served by that server itself.
const server = process.env.TOOLGATE_URL ?? "http://127.0.0.1:7080";
// The server compares Origin with Host: `changeOrigin` stays off, so both name this page's own address.
const proxy = Object.fromEntries(
  ["/api", "/docs", "/openapi.json", "/mcp", "/healthz"].map((path) => [path, { target: server, changeOrigin: false }]),
);

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy },
  preview: { proxy },
  build: {
    target: "es2022",
    // A data: URL in a script or a font would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 700,
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.{ts,tsx}"] },
});
