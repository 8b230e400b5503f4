// Where the parts of a local table come from.

/** Whether the app was written as a static site, without a server (`mchezo site`). */
export const STATIC = document.querySelector('meta[name="mchezo-static"]') !== null;

/** The folder of Pyodide's files and of our archive, as it is served beside the app. */
export const RUNTIME = new URL(`${import.meta.env.BASE_URL}local/`, location.href).href;
