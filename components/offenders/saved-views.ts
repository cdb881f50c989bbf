import { useSyncExternalStore } from "react";
import * as z from "zod/mini";

/** A view under a name. Kept in this browser: another one does not have it. */
export interface SavedView {
  readonly name: string;
  /** Of the URL, with `?`; "" for the default view. */
  readonly search: string;
}

const storageName = "sluice.offender-views";
const changed = "offender-views";
export const mostViews = 20;
export const longestName = 40;

const name = z.string().check(z.minLength(1), z.maxLength(longestName));
const stored = z.array(z.object({ name, search: z.string().check(z.maxLength(1_000)) }));
const none: readonly SavedView[] = [];

/** Views in the text that a browser has kept, which another version may have written. */
export function readViews(text: string | null): readonly SavedView[] {
  try {
    return stored.safeParse(JSON.parse(text ?? "[]")).data?.slice(0, mostViews) ?? none;
  } catch {
    return none;
  }
}

/** The newest first. A view of the same name is replaced, and the oldest is dropped above `mostViews`. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [view, ...views.filter(({ name }) => name !== view.name)].slice(0, mostViews);
}

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(storageName, JSON.stringify(views));
  window.dispatchEvent(new Event(changed));
}

let last: { readonly text: string | null; readonly views: readonly SavedView[] } = {
  text: null,
  views: none,
};

function snapshot(): readonly SavedView[] {
  const text = localStorage.getItem(storageName);
  if (text !== last.text) last = { text, views: readViews(text) };
  return last.views;
}

function subscribe(onChange: () => void) {
  window.addEventListener(changed, onChange);
  window.addEventListener("storage", onChange);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener("storage", onChange);
  };
}

export function useSavedViews() {
  const views = useSyncExternalStore(subscribe, snapshot, () => none);
  return {
    views,
    save: (view: SavedView) => keep(withView(snapshot(), view)),
    remove: (name: string) => keep(snapshot().filter((one) => one.name !== name)),
  };
}
