// Passkeys (WebAuthn): the server's questions and the browser's answers, whose bytes travel as base64url.
import type { Account, Me, PasskeyOptions } from "../messages";
import { post } from "../server/api";

/** Whether passkeys can work here: they need https or localhost, and a name in the address. */
export function passkeysWork(): boolean {
  return isSecureContext && "credentials" in navigator && "PublicKeyCredential" in window && !isPlainAddress();
}

function isPlainAddress(): boolean {
  return /^[\d.]+$|^\[/.test(location.hostname);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

type Listed = { id: string; type: "public-key" }[];
const decoded = (listed: Listed | undefined) => (listed ?? []).map((one) => ({ ...one, id: bytes(one.id) }));

interface Created extends Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: Listed;
}

/** Make a passkey for the account and add it; undefined if the user cancels. */
export async function addPasskey(): Promise<Account | undefined> {
  const asked = await post<PasskeyOptions>("/api/account/passkeys/options", {});
  const options = asked.options as Created;
  const made = await cancelable(
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: decoded(options.excludeCredentials),
      },
    }),
  );
  if (!made) return undefined;
  const response = made.response as AuthenticatorAttestationResponse;
  const credential = {
    ...identified(made),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
    },
  };
  return post<Account>("/api/account/passkeys", { challenge: asked.challenge, credential });
}

/** Sign in with a passkey of the user's choice; undefined if they cancel. */
export async function signInWithPasskey(): Promise<Me | undefined> {
  const asked = await post<PasskeyOptions>("/api/sign-in/options", {});
  const options = asked.options as { challenge: string; rpId: string; timeout: number; userVerification: "preferred" };
  const found = await cancelable(
    navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: [] } }),
  );
  if (!found) return undefined;
  const response = found.response as AuthenticatorAssertionResponse;
  const credential = {
    ...identified(found),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : null,
    },
  };
  return post<Me>("/api/sign-in/passkey", { challenge: asked.challenge, credential });
}

function identified(credential: PublicKeyCredential) {
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type };
}

/** What the browser's dialog gives; undefined if the user closes it. */
async function cancelable(dialog: Promise<Credential | null>): Promise<PublicKeyCredential | undefined> {
  try {
    return ((await dialog) as PublicKeyCredential | null) ?? undefined;
  } catch (reason) {
    if (reason instanceof DOMException && ["NotAllowedError", "AbortError"].includes(reason.name)) return undefined;
    throw reason;
  }
}
