import { afterEach, expect, it, vi } from "vitest";
import { ariaKeysOf, isPressed, isSingle, kbdOf, type Shortcut, shortcuts } from "./shortcuts.ts";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (name: string) => stored.get(name) ?? null });
afterEach(() => stored.clear());

const press = (
  key: string,
  held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {},
) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...held,
});

it("gives each chord to one shortcut", () => {
  const all: readonly Shortcut[] = Object.values(shortcuts);
  const chords = all.flatMap((shortcut) => shortcut.chords.map((chord) => JSON.stringify(chord)));
  expect(new Set(chords).size).toBe(chords.length);
});

it("takes Ctrl or ⌘ only where the chord has it, and never Alt", () => {
  expect(isPressed("lookUp", press("k", { ctrlKey: true }))).toBe(true);
  expect(isPressed("lookUp", press("K", { metaKey: true }))).toBe(true);
  expect(isPressed("lookUp", press("k"))).toBe(false);
  expect(isPressed("lookUp", press("K", { ctrlKey: true, shiftKey: true }))).toBe(false);
  expect(isPressed("showShortcuts", press("?", { shiftKey: true }))).toBe(true);
  expect(isPressed("pause", press("P"))).toBe(true);
  expect(isPressed("pause", press("p", { ctrlKey: true }))).toBe(false);
  expect(isPressed("pause", press("p", { altKey: true }))).toBe(false);
});

it("ignores single characters, and no other key, while they are off", () => {
  stored.set("sluice.single-keys", "off");
  expect(isPressed("lookUp", press("/"))).toBe(false);
  expect(isPressed("showShortcuts", press("?"))).toBe(false);
  expect(isPressed("lookUp", press("k", { ctrlKey: true }))).toBe(true);
  expect(isPressed("clearSelection", press("Escape"))).toBe(true);
});

it("names chords for buttons and for screen readers", () => {
  expect([kbdOf("lookUp"), kbdOf("pause"), kbdOf("submit")]).toEqual(["⌘K", "P", "⌘↵"]);
  expect(ariaKeysOf("lookUp", true)).toBe("Control+K Meta+K /");
  expect(ariaKeysOf("lookUp", false)).toBe("Control+K Meta+K");
  expect(isSingle({ key: "?" })).toBe(true);
});
