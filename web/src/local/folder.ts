import { BASE } from "../base";

/** Whether the app was written as a static site, without a server (`mchezo site`). */
export const STATIC = document.querySelector('meta[name="mchezo-static"]') !== null;

/** The folder of Python's files, served beside the app. */
export const RUNTIME = new URL("local/", BASE).href;
