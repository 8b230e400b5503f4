import { BASE } from "../base";

/** The folder of Python's files, served beside the app. */
export const RUNTIME = new URL("local/", BASE).href;
