import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { words } from "./words.js";

export default defineConfig({
  plugins: [svelte(), words()],
  build: { outDir: "../src/mchezo/web", emptyOutDir: true, modulePreload: { polyfill: false }, target: "es2023" },
  // While developing, `npm run dev` asks a server started with `mchezo serve`.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8064", ws: true } } },
});
