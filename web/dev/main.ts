// A board alone, stepping through a fixture: /dev/?game=kiwara&step=12&hint=Gc3
import { mount } from "svelte";
import "../src/app.css";
import { watchSettings } from "../src/settings.svelte";
import { preferredLanguage, setLanguage } from "../src/words.svelte";
import Boards from "./Boards.svelte";

watchSettings();
await setLanguage(preferredLanguage());
const query = new URLSearchParams(location.search);
const game = query.get("game") ?? "katarenga";
const fixture = await (await fetch(`./fixtures/${game}.json`)).json();
mount(Boards, {
  target: document.getElementById("app")!,
  props: { fixture, first: Number(query.get("step") ?? 0), hint: query.get("hint") },
});
