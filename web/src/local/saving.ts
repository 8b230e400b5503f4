import { get } from "../server/api";

/** Save what a request for text answers as a file. */
export async function save(path: string, name: string): Promise<void> {
  const type = name.endsWith(".svg") ? "image/svg+xml" : "text/plain";
  const address = URL.createObjectURL(new Blob([await get<string>(path)], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}
