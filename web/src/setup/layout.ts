import { MediaQuery } from "svelte/reactivity";

/** Whether the preview stands beside the form. */
export const wide = new MediaQuery("min-width: 60.01rem");
