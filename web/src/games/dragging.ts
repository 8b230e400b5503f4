// Dragging by mouse, pen or finger: from an element with data-drag to one with data-place.
export interface Dragged {
  from: string; // data-drag of what is dragged
  over: string | null; // data-place of what is below the pointer
  at: readonly [number, number]; // the pointer, in the window
}

interface Handlers {
  onpick: (from: string) => void;
  ondrag: (dragged: Dragged | null) => void; // null: it is over
  ondrop: (from: string, to: string | null) => void;
}

const SLOP = 6; // a shorter way is a click

export function dragging(node: Element, handlers: Handlers): { update(now: Handlers): void; destroy(): void } {
  let { onpick, ondrag, ondrop } = handlers;
  let begun: { from: string; x: number; y: number; pointer: number } | null = null;
  let moved = false;

  function under(event: PointerEvent): string | null {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGElement>("[data-place]");
    return place && node.contains(place) ? place.dataset["place"]! : null;
  }

  function down(event: Event): void {
    const { button, clientX: x, clientY: y, pointerId: pointer, isPrimary } = event as PointerEvent;
    const from = (event.target as Element).closest<SVGElement | HTMLElement>("[data-drag]")?.dataset["drag"];
    if (from === undefined || button || !isPrimary) return;
    begun = { from, x, y, pointer };
    moved = false;
  }

  function move(event: PointerEvent): void {
    if (event.pointerId !== begun?.pointer) return;
    if (!moved && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < SLOP) return;
    if (!moved) onpick(begun.from);
    moved = true;
    ondrag({ from: begun.from, over: under(event), at: [event.clientX, event.clientY] });
  }

  function up(event: PointerEvent): void {
    if (event.pointerId !== begun?.pointer) return;
    const { from } = begun;
    begun = null;
    if (!moved) return;
    ondrag(null);
    if (event.type === "pointerup") ondrop(from, under(event));
    setTimeout(() => (moved = false)); // after the click, if there is one
  }

  /** The click that a browser adds to the end of a drag. */
  function swallow(event: Event): void {
    if (moved) event.stopPropagation();
  }

  /** A finger that drags does not scroll; touch-action is not heeded inside a drawing. */
  function hold(event: Event): void {
    if (begun) event.preventDefault();
  }

  node.addEventListener("pointerdown", down);
  node.addEventListener("touchmove", hold, { passive: false });
  node.addEventListener("click", swallow, true);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", up);
  return {
    update: (now) => ({ onpick, ondrag, ondrop } = now),
    destroy() {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", up);
    },
  };
}

/** A point of the window in the coordinates of a drawing. */
export function pointIn(drawing: SVGSVGElement, [x, y]: readonly [number, number]): readonly [number, number] {
  const point = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM()?.inverse());
  return [point.x, point.y];
}
