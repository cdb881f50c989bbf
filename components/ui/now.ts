"use client";

import { createContext, use, useSyncExternalStore } from "react";

/** Time at which the server rendered the page. The browser starts with it, so that both render the same. */
export const RenderedAt = createContext(0);

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Current time, updated once a second by one timer for the whole page. */
export function useNow(): number {
  const renderedAt = use(RenderedAt);
  return useSyncExternalStore(subscribe, current, () => renderedAt);
}

/** What follows from the current time. Drawn again only when that changes. */
export function useByNow<T extends boolean | number | string>(read: (now: number) => T): T {
  const renderedAt = use(RenderedAt);
  return useSyncExternalStore(
    subscribe,
    () => read(current()),
    () => read(renderedAt),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** Without listeners no timer runs, so this reads the clock. Rounded to a second, because it must not change during a render. */
function current(): number {
  if (timer === undefined) now = Math.floor(Date.now() / 1_000) * 1_000;
  return now;
}
