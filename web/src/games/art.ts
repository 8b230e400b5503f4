// The drawings of a game: an SVG document of definitions, put into the page once it has come.
const requests = new Map<string, Promise<string>>();

/** The definitions in an SVG document. */
export function loadArt(address: string): Promise<string> {
  let request = requests.get(address);
  if (!request) {
    request = fetch(address)
      .then((answer) => answer.text())
      .then((text) => text.slice(text.indexOf("<defs>"), text.lastIndexOf("</svg>")));
    request.catch(() => requests.delete(address)); // tried again next time
    requests.set(address, request);
  }
  return request;
}
