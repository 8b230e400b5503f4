import { mount } from "svelte";
import "./fonts.css";
import "./app.css";
import App from "./App.svelte";
import { BASE } from "./base";
import { STATIC } from "./local/folder";
import { currentPath, keepLinks } from "./router.svelte";
import { ensureIdentity } from "./server/api";
import { watchSettings } from "./settings.svelte";
import { preferredLanguage, setLanguage } from "./words.svelte";

watchSettings();
keepLinks();
if (!STATIC) ensureIdentity().catch(() => undefined); // while the rest is loading; pages ask again and report failures
if (/^\/(t|join)\//.test(currentPath())) void import("./pages/Table.svelte"); // comes together with the sentences
await setLanguage(preferredLanguage());
mount(App, { target: document.getElementById("app")! });

// On a static site games need Python: it is loaded while somebody looks at the home page, unless data is precious.
const { connection } = navigator as { connection?: { saveData?: boolean } };
if (STATIC && currentPath() === "/" && !connection?.saveData) void import("./local").then(({ desk }) => desk().start());

// Where the app is installed, or was made available offline, it is kept up to date.
const installed = matchMedia("(display-mode: standalone)").matches;
if (installed || (await navigator.serviceWorker?.getRegistration(BASE)))
  void import("./offline/UpdateNotice.svelte").then(({ default: UpdateNotice }) =>
    mount(UpdateNotice, { target: document.body }),
  );
