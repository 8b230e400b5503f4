// A card to look at closely: by hovering over it, by a long press, or by the keyboard's focus.
interface Zoomed {
  name: string;
  text: string;
  deck: string;
  beside: DOMRect; // where the card is in the window
}

const HOVER = 450; // in milliseconds
const PRESS = 400;

class Zoom {
  card = $state.raw<Zoomed | null>(null);
}
export const zoom = new Zoom();
let pointer = ""; // where the mouse was last: a card that slides under a mouse at rest is not looked at

/** Show the card of an element larger while the pointer rests on it. */
export function zoomable(node: HTMLElement, card: Omit<Zoomed, "beside">) {
  let timer = 0;
  const open = () => (zoom.card = { ...card, beside: node.getBoundingClientRect() });
  const soon = (after: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(open, after);
  };
  const close = () => {
    clearTimeout(timer);
    if (zoom.card?.name === card.name) zoom.card = null;
  };
  const listeners: Record<string, (event: Event) => void> = {
    pointermove: (event) => isMoved(event as PointerEvent) && zoom.card?.name !== card.name && soon(HOVER),
    pointerdown: (event) => {
      isMoved(event as PointerEvent);
      if ((event as PointerEvent).pointerType === "mouse") close();
      else soon(PRESS);
    },
    pointerup: close,
    pointercancel: close,
    pointerleave: close,
    contextmenu: (event) => zoom.card && event.preventDefault(), // a long press is ours
    focus: () => node.matches(":focus-visible") && soon(HOVER),
    blur: close,
    click: (event) => zoom.card?.name === card.name && event.stopPropagation(),
  };
  // a long press only looks at a card: the click that follows must not take it
  for (const [name, listener] of Object.entries(listeners)) node.addEventListener(name, listener, name === "click");
  return {
    update: (now: Omit<Zoomed, "beside">) => (card = now),
    destroy: close,
  };
}

/** Whether the mouse is somewhere else than before. */
function isMoved({ pointerType, clientX, clientY }: PointerEvent): boolean {
  const before = pointer;
  pointer = `${clientX} ${clientY}`;
  return pointerType === "mouse" && pointer !== before;
}
