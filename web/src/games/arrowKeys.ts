// Keyboard navigation on a board of any shape: an arrow key goes to the nearest place in its direction.
const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** One place of the board is in the tab order; arrows and Page Down move on from there, Enter and Space press. */
export function arrowKeys(board: SVGElement): { destroy(): void } {
  const all = () => [...board.querySelectorAll<SVGElement>("[data-place]")];
  const middle = (place: Element) => {
    const box = place.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };

  // First a narrow cone, then a wide one: so every place of the irregular maps can be reached.
  function nearest(from: SVGElement, [right, down]: [number, number]): SVGElement | undefined {
    const [x, y] = middle(from);
    for (const cone of [1, 3]) {
      let best: SVGElement | undefined;
      let least = Infinity;
      for (const place of all()) {
        const [px, py] = middle(place);
        const ahead = (px - x) * right + (py - y) * down;
        const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
        if (place !== from && ahead > 2 && aside < cone * ahead && ahead + aside < least)
          [best, least] = [place, ahead + aside];
      }
      if (best) return best;
    }
    return undefined;
  }

  /** The next or previous place that can be pressed. */
  function nextOpen(from: SVGElement, step: 1 | -1): SVGElement | undefined {
    const places = all();
    const distances = places.map((place, index) => ({
      place,
      distance: (step * (index - places.indexOf(from)) + places.length) % places.length,
    }));
    return distances
      .filter(({ place, distance }) => distance && place.classList.contains("open"))
      .sort((one, other) => one.distance - other.distance)[0]?.place;
  }

  function onKey(event: KeyboardEvent): void {
    const place = (event.target as Element).closest<SVGElement>("[data-place]");
    if (!place) return;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      event.preventDefault();
      nearest(place, direction)?.focus();
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      event.preventDefault();
      nextOpen(place, event.key === "PageDown" ? 1 : -1)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  }

  function onFocus(event: FocusEvent): void {
    const place = (event.target as Element).closest<SVGElement>("[data-place]");
    if (!place) return;
    for (const other of all()) other.setAttribute("tabindex", other === place ? "0" : "-1");
  }

  function ensureTabStop(): void {
    const places = all();
    if (places.length && !places.some((place) => place.getAttribute("tabindex") === "0"))
      places[0]?.setAttribute("tabindex", "0");
  }

  const observer = new MutationObserver(ensureTabStop);
  observer.observe(board, { childList: true, subtree: true });
  board.addEventListener("keydown", onKey);
  board.addEventListener("focusin", onFocus);
  ensureTabStop();
  return {
    destroy() {
      observer.disconnect();
      board.removeEventListener("keydown", onKey);
      board.removeEventListener("focusin", onFocus);
    },
  };
}
