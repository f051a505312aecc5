import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { rem } from "./rem.js";

const server = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  css: { postcss: { plugins: [rem] } },
  build: {
    outDir: "../src/openpendant/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The server's content policy lets in no inline data but images and fonts; files cache better anyway.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // A browser that cannot preload modules loads them when they are needed.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The page starts from src/main.ts by index.html; as an entry of its own, it keeps what it exports.
      input: ["index.html", "src/main.ts"],
      preserveEntrySignatures: "allow-extension",
      // three.js changes rarely: in a file of its own the browser keeps it.
      output: { codeSplitting: { groups: [{ name: "three", test: /node_modules\/three/ }] } },
    },
  },
  server: {
    proxy: {
      // The server accepts only its own Host and Origin.
      "/api": { target: server, changeOrigin: true },
      "/ws": { target: server, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
  // As long as a test in Python: a machine that is busy beside is no defect of the page.
  test: { include: ["src/**/*.test.ts"], environment: "node", css: true, testTimeout: 60_000 },
});
