/** Whether the pointer or the focus is inside an area. Its rows are held while either is. */
export interface Presence {
  readonly hasPointer: boolean;
  readonly hasFocus: boolean;
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

export const presenceEvents = [
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
