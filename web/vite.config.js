import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { compress } from "./compress.js";
import { words } from "./words.js";

// What several pages share comes in one file, apart from the games' own parts, the set-up form, the account, tournaments,
// local tables and what keeps the app offline.
const common = {
  name: "common",
  test: /src\/(?!setup\/|account\/|profile\/|lobby\/ChallengePlayer|tournaments\/|offline\/|local\/(?!ids|folder)|games\/\w+\/)/,
  minShareCount: 2,
};
// Local tables: loaded only to play on this device.
const local = { name: "local", test: /src\/local\/(?!ids|folder)/ };
const tournaments = { name: "tournaments", test: /src\/tournaments\// };

export default defineConfig({
  plugins: [svelte(), words(), compress()],
  build: {
    outDir: "../src/mchezo/web",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: "es2023",
    rolldownOptions: {
      input: { index: "index.html", "service-worker": "src/serviceWorker.ts" },
      output: {
        codeSplitting: { groups: [common, local, tournaments] },
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es" },
  experimental: {
    // Scripts and styles find each other from any folder; the page is served below any address of the app.
    renderBuiltUrl: (name, { hostType }) => (hostType === "html" ? `/${name}` : { relative: true }),
  },
  // While developing, `npm run dev` forwards requests to a server started with `mchezo serve`.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8064", ws: true }, "/local": "http://127.0.0.1:8064" } },
});
