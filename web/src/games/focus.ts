// Arrow keys on a board of any shape: from the focused place to the nearest one in that direction.
const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** One place of the board is in the tab order; arrows and Page Down go on from there, Enter and Space press. */
export function places(board: SVGElement): { destroy(): void } {
  const all = () => [...board.querySelectorAll<SVGElement>("[data-place]")];
  const middle = (place: Element) => {
    const box = place.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };

  // Straight ahead first, else whatever lies in that direction at all: so every place of the maps can be reached.
  function nearest(from: SVGElement, [right, down]: [number, number]): SVGElement | undefined {
    const [x, y] = middle(from);
    for (const wide of [1, 3]) {
      let best: SVGElement | undefined;
      let least = Infinity;
      for (const place of all()) {
        const [px, py] = middle(place);
        const ahead = (px - x) * right + (py - y) * down;
        const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
        if (place !== from && ahead > 2 && aside < wide * ahead && ahead + aside < least) [best, least] = [place, ahead + aside];
      }
      if (best) return best;
    }
    return undefined;
  }

  /** The next place, or the one before, where something can be done. */
  function open(from: SVGElement, step: 1 | -1): SVGElement | undefined {
    const places = all();
    const found = places.map((place, index) => ({ place, far: (step * (index - places.indexOf(from)) + places.length) % places.length }));
    return found.filter(({ place, far }) => far && place.classList.contains("open")).sort((one, other) => one.far - other.far)[0]?.place;
  }

  function key(event: KeyboardEvent): void {
    const place = (event.target as Element).closest<SVGElement>("[data-place]");
    if (!place) return;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      event.preventDefault();
      nearest(place, direction)?.focus();
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      event.preventDefault();
      open(place, event.key === "PageDown" ? 1 : -1)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
  }

  function focused(event: FocusEvent): void {
    const place = (event.target as Element).closest<SVGElement>("[data-place]");
    if (!place) return;
    for (const other of all()) other.setAttribute("tabindex", other === place ? "0" : "-1");
  }

  function reachable(): void {
    const places = all();
    if (places.length && !places.some((place) => place.getAttribute("tabindex") === "0"))
      places[0]?.setAttribute("tabindex", "0");
  }

  const watch = new MutationObserver(reachable);
  watch.observe(board, { childList: true, subtree: true });
  board.addEventListener("keydown", key);
  board.addEventListener("focusin", focused);
  reachable();
  return {
    destroy() {
      watch.disconnect();
      board.removeEventListener("keydown", key);
      board.removeEventListener("focusin", focused);
    },
  };
}
