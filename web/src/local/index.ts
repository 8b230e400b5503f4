// Everything about games on this device that pages load when it is needed, in one piece: a game that has begun needs no
// connection afterwards.
export { desk } from "./desk";
export { readIndex } from "./download";
export { FollowedTable } from "./followedTable";
export { endAtServer } from "./leaving";
export { LocalTable } from "./localTable";
export { answer, create } from "./requests";
export { save } from "./saving";
export { list } from "./store";
export { default as LoadingBar } from "./LoadingBar.svelte";
export { default as TableDialog } from "./TableDialog.svelte";
