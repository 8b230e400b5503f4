// Where the keyboard focus goes when the focused element disappears or is disabled: to the board, if there is one, else
// to the page. A browser would drop it, and keyboards and screen readers would start again at the top.

/** Keep the focus inside an element; to be attached to it. */
export function keepFocus(page: HTMLElement): () => void {
  let focused: Element | null = null;
  const remember = (event: FocusEvent) => (focused = event.target as Element);
  const restore = () => {
    if (!focused || (focused.isConnected && !focused.matches(":disabled"))) return;
    focused = null;
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const place = page.querySelector<SVGElement>("svg.board [tabindex='0']");
    (place ?? page).focus({ preventScroll: true });
  };
  const changes = new MutationObserver(restore);
  changes.observe(page, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  page.addEventListener("focusin", remember);
  return () => {
    changes.disconnect();
    page.removeEventListener("focusin", remember);
  };
}
