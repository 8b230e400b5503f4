import type { Me } from "../messages";
import { get } from "../server/api";
import { isAvailable } from "./folder";

/**
 * Whether a game against the computer starts on this device, where it goes on without a connection: everything is here
 * that it needs, and no account's profile counts it.
 */
export async function startsHere(): Promise<boolean> {
  if (!(await isAvailable())) return false;
  return get<Me>("/api/me").then(
    ({ account }) => !account,
    () => true,
  );
}
