import { expect, it } from "vitest";
import { away, type PresenceEvent, presenceAfter } from "./use-held-rows.ts";

const after = (...events: readonly PresenceEvent[]) => events.reduce(presenceAfter, away);
const over = (isInside: boolean): PresenceEvent => ({ type: "pointerover", isInside });
const focus = (isInside: boolean): PresenceEvent => ({ type: "focusin", isInside });
const both = { hasPointer: true, hasFocus: true };

it("ends when both the pointer and the focus have left, in either order", () => {
  expect(after(over(true), focus(true))).toEqual(both);
  expect(after(over(true), focus(true), over(false))).toEqual({ hasPointer: false, hasFocus: true });
  expect(after(over(true), focus(true), focus(false))).toEqual({ hasPointer: true, hasFocus: false });
  expect(after(over(true), focus(true), focus(false), over(false))).toEqual(away);
  expect(after(focus(true), over(true), over(false), focus(false))).toEqual(away);
});

it("continues from row to row", () => {
  const out: PresenceEvent = { type: "pointerout", isInside: false, isToNowhere: false };
  expect(after(over(true), out, over(true))).toEqual({ hasPointer: true, hasFocus: false });
  const blur: PresenceEvent = { type: "focusout", isInside: false, isToNowhere: false, isWindowActive: true };
  expect(after(focus(true), blur, focus(true))).toEqual({ hasPointer: false, hasFocus: true });
});

it("ends when the pointer leaves the window", () => {
  expect(after(over(true), { type: "pointerout", isInside: false, isToNowhere: true })).toEqual(away);
});

it("ends when a finger is lifted, but not when a mouse button is released", () => {
  for (const type of ["pointerup", "pointercancel"] as const) {
    expect(after(over(true), { type, isInside: true, pointerType: "touch" })).toEqual(away);
    expect(after(over(true), { type, isInside: true, pointerType: "mouse" }).hasPointer).toBe(true);
  }
});

it("ends when nothing has the focus, but not when another window is used", () => {
  const blur: PresenceEvent = { type: "focusout", isInside: false, isToNowhere: true };
  expect(after(focus(true), { ...blur, isWindowActive: true })).toEqual(away);
  expect(after(focus(true), { ...blur, isWindowActive: false }).hasFocus).toBe(true);
});

it("is the same object while nothing changes, so that React draws nothing again", () => {
  const inside = after(over(true));
  expect(presenceAfter(inside, over(true))).toBe(inside);
  expect(presenceAfter(away, focus(false))).toBe(away);
});
