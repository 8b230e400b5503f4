/** Where the app is: scripts are in a folder of it, wherever it is served from. */
export const BASE = new URL("..", import.meta.url).href;
