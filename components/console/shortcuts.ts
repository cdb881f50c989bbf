import { areSingleKeysOn } from "@/components/ui/single-keys.ts";

/** One way to press a shortcut. */
interface Chord {
  /** As `KeyboardEvent.key` has it, in lower case if it is a letter. */
  readonly key: string;
  /** With Ctrl, or ⌘ on a Mac. */
  readonly hasCtrl?: true;
}

export interface Shortcut {
  /** The button that does the same shows the first chord. */
  readonly chords: readonly [Chord, ...Chord[]];
  readonly does: string;
  readonly where: string;
}

const lists = "Blocklist and Safelist";

/** Every shortcut of the console. `useKey` and `isPressed` listen for them, and the dialog behind `?` lists them. */
export const shortcuts = {
  lookUp: {
    chords: [{ key: "k", hasCtrl: true }, { key: "/" }],
    does: "Look up an address, a customer, a rule or a page",
    where: "Every page",
  },
  showShortcuts: { chords: [{ key: "?" }], does: "Show the keyboard shortcuts", where: "Every page" },
  /** Radix listens for it. */
  focusNotices: { chords: [{ key: "F8" }], does: "Move the focus to the notices", where: "Every page" },
  pause: {
    chords: [{ key: "p" }],
    does: "Pause or resume live data",
    where: "Overview, Offenders, Edge and a client's page",
  },
  add: { chords: [{ key: "a" }], does: "Add addresses", where: lists },
  search: { chords: [{ key: "f" }], does: "Search the list", where: lists },
  clearSelection: {
    chords: [{ key: "Escape" }],
    does: "Clear the selection",
    where: "Lists, Offenders and Edge",
  },
  submit: {
    chords: [{ key: "Enter", hasCtrl: true }],
    does: "Add the addresses, save the limits or publish the draft",
    where: "Lists, Customers and Policy",
  },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof shortcuts;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The chord of this shortcut that was pressed. Single characters count only while they are switched on. */
export function pressedChord(name: ShortcutName, event: Pressed): Chord | undefined {
  const { chords }: Shortcut = shortcuts[name];
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const hasCtrl = event.ctrlKey || event.metaKey;
  return chords.find(
    (chord) =>
      chord.key === key &&
      (chord.hasCtrl ?? false) === hasCtrl &&
      !event.altKey &&
      !(hasCtrl && event.shiftKey) &&
      (!isSingle(chord) || areSingleKeysOn()),
  );
}

/** For shortcuts that work only inside of an element, in its own `onKeyDown`. */
export function isPressed(name: ShortcutName, event: Pressed): boolean {
  return pressedChord(name, event) !== undefined;
}

/** One character, pressed alone. WCAG 2.1.4 requires a switch for these. */
export function isSingle({ key, hasCtrl }: Chord): boolean {
  return key.length === 1 && !hasCtrl;
}

const signs: Readonly<Record<string, string>> = { Enter: "↵", Escape: "Esc" };

/** `⌘K`, `P`. `Kbd` shows Ctrl on keyboards without ⌘. */
export function chordText({ key, hasCtrl }: Chord): string {
  return `${hasCtrl ? "⌘" : ""}${signs[key] ?? key.toUpperCase()}`;
}

export function kbdOf(name: ShortcutName): string {
  return chordText(shortcuts[name].chords[0]);
}

/** Value of `aria-keyshortcuts`. */
export function ariaKeysOf(name: ShortcutName, areSinglesOn: boolean): string {
  const { chords }: Shortcut = shortcuts[name];
  return chords
    .filter((chord) => areSinglesOn || !isSingle(chord))
    .flatMap(({ key, hasCtrl }) => {
      const named = key.length === 1 ? key.toUpperCase() : key;
      return hasCtrl ? [`Control+${named}`, `Meta+${named}`] : [named];
    })
    .join(" ");
}
