// The place of a board that somebody looks at: below a mouse or a pen, or focused by keys. A tap leaves nothing behind,
// neither does the focus that returns to the board when a button disappears.
export function aiming(
  board: SVGElement,
  onaim: (place: string | null) => void,
): { update(now: (place: string | null) => void): void; destroy(): void } {
  const placeOf = (event: Event) => (event.target as Element).closest<SVGElement>("[data-place]");

  function over(event: PointerEvent): void {
    if (event.pointerType !== "touch") onaim(placeOf(event)?.dataset["place"] ?? null);
  }
  function focus(event: Event): void {
    const place = placeOf(event);
    if (place?.matches(":focus-visible")) onaim(place.dataset["place"]!);
  }
  const leave = () => onaim(null);

  board.addEventListener("pointerover", over);
  board.addEventListener("focusin", focus);
  board.addEventListener("pointerleave", leave);
  return {
    update: (now) => void (onaim = now),
    destroy() {
      board.removeEventListener("pointerover", over);
      board.removeEventListener("focusin", focus);
      board.removeEventListener("pointerleave", leave);
    },
  };
}
