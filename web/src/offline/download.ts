/** What the service worker reports while it downloads Python: the bytes so far, that it is complete, or why not. */
export type Download = { loaded: number } | { done: true } | { failed: string };
