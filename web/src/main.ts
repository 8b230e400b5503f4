import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { follow } from "./settings.svelte";
import { preferred, speak } from "./words.svelte";

follow();
await speak(preferred());
mount(App, { target: document.getElementById("app")! });
