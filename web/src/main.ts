import { mount } from "svelte";
import "./fonts.css";
import "./app.css";
import App from "./App.svelte";
import { ensureIdentity } from "./server/api";
import { watchSettings } from "./settings.svelte";
import { preferredLanguage, setLanguage } from "./words.svelte";

watchSettings();
ensureIdentity().catch(() => undefined); // while the rest is loading; pages ask again and report failures
if (/^\/(t|join)\//.test(location.pathname)) void import("./pages/Table.svelte"); // comes together with the sentences
await setLanguage(preferredLanguage());
mount(App, { target: document.getElementById("app")! });
