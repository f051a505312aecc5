import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const server = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/openpendant/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The server's content policy lets in no inline data but images and fonts; files cache better anyway.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // three.js changes rarely: in a file of its own the browser keeps it.
    rolldownOptions: {
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
  test: { include: ["src/**/*.test.ts"], environment: "node", css: true },
});
