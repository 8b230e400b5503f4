// The dialog of the account, with its sentences.
import { withWords } from "../words.svelte";

export const accountDialog = () => withWords("account", import("./AccountDialog.svelte"));
