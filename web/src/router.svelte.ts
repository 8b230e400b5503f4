// The page that is shown depends on the address alone. A static site has one file for all addresses: there the app's
// address is what follows the `#`, as in `index.html#/rules`.
import { STATIC } from "./local/folder";

function here(): URL {
  return STATIC ? new URL(location.hash.slice(1) || "/", location.origin) : new URL(location.href);
}

// Links of a static site, and shortcuts of the installed app, lead to the same pages on a server.
if (!STATIC && location.hash.startsWith("#/")) history.replaceState(null, "", location.hash.slice(1));

let path = $state(here().pathname);
addEventListener("popstate", () => (path = here().pathname));

/** The address within the app as it is now: path, query and anchor. */
export const currentAddress = here;

export function currentPath(): string {
  return path;
}

/** What a link to an address within the app is, for people to share. */
export function linkTo(path: string): string {
  return new URL(STATIC ? `#${path}` : path, location.href).href;
}

export function go(to: string): void {
  history.pushState(null, "", STATIC ? `#${to}` : to);
  path = here().pathname;
  scrollTo(0, 0);
}

/** Go to another page in place of this one: nobody comes back to it. */
export function goInstead(to: string): void {
  replaceAddress(to);
  path = here().pathname;
}

/** Write another address for the page that is shown. */
export function replaceAddress(to: string): void {
  history.replaceState(null, "", STATIC ? `#${to}` : to);
}

/** Follow a link inside the app without a page load. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const to = STATIC ? withinSite(link) : link;
  if (to.pathname.startsWith("/api") || (to.hash && to.pathname === here().pathname)) {
    if (!STATIC || !to.hash) return;
    event.preventDefault(); // the browser would take the anchor for the address
    replaceAddress(to.pathname + to.search + to.hash);
    document.getElementById(to.hash.slice(1))?.scrollIntoView();
    return;
  }
  event.preventDefault();
  go(to.pathname + to.search + to.hash);
}

/** The address within the app that a link of a static site leads to. */
function withinSite(link: HTMLAnchorElement): URL {
  const written = link.getAttribute("href") ?? "";
  return new URL(written.replace(/^#(?=\/)/, ""), here());
}

/** On a static site, keep all links such that they also work in a new tab: `/rules` becomes `#/rules`. */
export function keepLinks(): void {
  if (!STATIC) return;
  const rewrite = (link: Element) => link.setAttribute("href", `#${link.getAttribute("href")}`);
  const all = 'a[href^="/"]:not([href^="/api"])';
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target instanceof Element && target.matches(all)) rewrite(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(all)) rewrite(node);
        node.querySelectorAll(all).forEach(rewrite);
      }
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });
}
