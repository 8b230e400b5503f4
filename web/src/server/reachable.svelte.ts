import { STATIC } from "../local/folder";

/** Whether the last request reached the server; a static site has none. */
export const server = $state({ reachable: !STATIC });

/** The local table at which a server's game goes on because the connection was lost, until the person has read so. */
export const takenOver = $state({ table: "" });
