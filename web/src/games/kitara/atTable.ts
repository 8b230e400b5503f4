// What a table shows, in one file: on a slow line a request costs more than its bytes.
export { default as Board } from "./Board.svelte";
export { default as Holdings } from "./Holdings.svelte";
export { default as Notes } from "./Notes.svelte";
