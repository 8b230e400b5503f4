import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./compress.js";
import { words } from "./words.js";

// What several pages share comes in one file, apart from the games' own parts, the set-up form and the account.
const tournaments = { name: "tournaments", test: /src\/tournaments\// };
const common = { name: "common", test: /src\/(?!setup\/|account\/|tournaments\/|games\/\w+\/)/, minShareCount: 2 };

export default defineConfig({
  plugins: [svelte(), words(), compress()],
  build: {
    outDir: "../src/mchezo/web",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: "es2023",
    rolldownOptions: { output: { codeSplitting: { groups: [common, tournaments] } } },
  },
  // While developing, `npm run dev` forwards requests to a server started with `mchezo serve`.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8064", ws: true } } },
});
