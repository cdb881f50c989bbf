"use client";

import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import { freeRows, type HeldRows, isSameRead, nextRows, type RowsRead } from "./held-rows.ts";

export interface HoldingRows<T> extends HeldRows<T> {
  readonly presence: Presence;
  /** Props of the element whose rows are held. */
  readonly area: HeldArea;
}

export interface HeldArea {
  readonly onPointerOver: (event: SyntheticEvent) => void;
  readonly onFocus: (event: SyntheticEvent) => void;
}

/**
 * Rows that keep their order while the pointer or the focus is among them, so that the button under the pointer keeps its row.
 *
 * @param keyOf identifies a row by the same text in every read
 * @param hasSelection rows are selected, which holds the order, too
 * @example
 * const held = useHeldRows({ view: app, parts: [{ offset: 0, rows }], count: rows.length }, ({ id }) => id);
 * <tbody {...held.area}>…</tbody>
 */
export function useHeldRows<T>(
  read: RowsRead<T>,
  keyOf: (row: T) => string,
  hasSelection = false,
): HoldingRows<T> {
  const { presence: here, area } = usePresence();
  const presence = hasSelection ? { ...here, hasSelection } : here;
  const isHeld = presence.hasPointer || presence.hasFocus || hasSelection;
  const [last, setLast] = useState(() => ({ read, isHeld, held: freeRows(read) }));
  if (last.isHeld === isHeld && isSameRead(last.read, read)) return { ...last.held, presence, area };
  const held = nextRows(last.held, read, isHeld, keyOf);
  setLast({ read, isHeld, held });
  return { ...held, presence, area };
}

/** Whether the pointer or the focus is in the area. Menus of the area count, wherever the page draws them. */
function usePresence() {
  const [presence, setPresence] = useState(away);
  const current = useRef(away);
  const inside = useRef<Event>(undefined);
  const set = useCallback((next: Presence) => {
    if (next === current.current) return;
    current.current = next;
    setPresence(next);
  }, []);
  useEffect(() => {
    // React handles the event before it reaches the window.
    const onEvent = (event: Event) => {
      const type = presenceEvents.find((name) => name === event.type);
      if (!type) return;
      const isInside = inside.current === event;
      const isToNowhere = "relatedTarget" in event && event.relatedTarget === null;
      const pointerType = event instanceof PointerEvent ? event.pointerType : undefined;
      const isWindowActive = document.hasFocus();
      set(presenceAfter(current.current, { type, isInside, isToNowhere, pointerType, isWindowActive }));
    };
    for (const type of presenceEvents) window.addEventListener(type, onEvent);
    return () => {
      for (const type of presenceEvents) window.removeEventListener(type, onEvent);
    };
  }, [set]);
  // A focused button that is disabled or removed loses the focus without an event.
  useEffect(() => {
    if (current.current.hasFocus && document.activeElement === document.body)
      set({ ...current.current, hasFocus: false });
  });
  const see = useCallback((event: SyntheticEvent) => {
    inside.current = event.nativeEvent;
  }, []);
  return { presence, area: { onPointerOver: see, onFocus: see } };
}

/** Whether the pointer or the focus is inside an area. Its rows are held while either is. */
export interface Presence {
  readonly hasPointer: boolean;
  readonly hasFocus: boolean;
  readonly hasSelection?: boolean;
}

export const away: Presence = { hasPointer: false, hasFocus: false };

/** An event anywhere in the page, reduced to the facts needed here. */
export interface PresenceEvent {
  readonly type: (typeof presenceEvents)[number];
  /** The event is inside the area, or in a menu of the area. */
  readonly isInside: boolean;
  readonly pointerType?: string | undefined;
  /** The pointer or the focus goes to no other element of the page. */
  readonly isToNowhere?: boolean;
  /** The window is the one the user types in. */
  readonly isWindowActive?: boolean;
}

const presenceEvents = [
  "pointerover",
  "pointerout",
  "pointerup",
  "pointercancel",
  "focusin",
  "focusout",
] as const;

/** Presence after an event. The same object is returned when nothing changed. */
export function presenceAfter(before: Presence, event: PresenceEvent): Presence {
  const { hasPointer, hasFocus } = { ...before, ...changeOf(event) };
  return hasPointer === before.hasPointer && hasFocus === before.hasFocus ? before : { hasPointer, hasFocus };
}

function changeOf({
  type,
  isInside,
  pointerType,
  isToNowhere,
  isWindowActive,
}: PresenceEvent): Partial<Presence> {
  switch (type) {
    case "pointerover":
      return { hasPointer: isInside };
    case "pointerout":
      // The pointer left the window. Between elements, the next pointerover decides.
      return isToNowhere ? { hasPointer: false } : {};
    case "pointerup":
    case "pointercancel":
      // A lifted finger points at nothing. A mouse keeps its place.
      return pointerType === "touch" ? { hasPointer: false } : {};
    case "focusin":
      return { hasFocus: isInside };
    case "focusout":
      // The focus returns to its place after a visit to another window.
      return isToNowhere && isWindowActive ? { hasFocus: false } : {};
  }
}
