import { mount } from "svelte";
import "./fonts.css";
import "./app.css";
import App from "./App.svelte";
import { watchSettings } from "./settings.svelte";
import { preferredLanguage, setLanguage } from "./words.svelte";

watchSettings();
await setLanguage(preferredLanguage());
mount(App, { target: document.getElementById("app")! });
