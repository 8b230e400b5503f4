/** The folder of Pyodide's files and of our archive, as it is served beside the app. */
export const RUNTIME = new URL(`${import.meta.env.BASE_URL}local/`, location.href).href;
