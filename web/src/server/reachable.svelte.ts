import { STATIC } from "../local/folder";

/** Whether the last request reached the server; a static site has none. */
export const server = $state({ reachable: !STATIC });
