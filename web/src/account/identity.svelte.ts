// Whether this browser's guest has become an account: lists of it load again.
export const identity = $state({ changes: 0 });
