// Boards alone, stepping through fixtures: /dev/?game=kiwara&step=12
import { mount } from "svelte";
import "../src/app.css";
import { follow } from "../src/settings.svelte";
import { preferred, speak } from "../src/words.svelte";
import Boards from "./Boards.svelte";

follow();
await speak(preferred());
const query = new URLSearchParams(location.search);
const game = query.get("game") ?? "katarenga";
const fixture = await (await fetch(`./fixtures/${game}.json`)).json();
mount(Boards, { target: document.getElementById("app")!, props: { fixture, first: Number(query.get("step") ?? 0) } });
