"use client";

import { createContext, use, useSyncExternalStore } from "react";

/** When the server rendered the page. The browser begins with it, so that both say the same. */
export const RenderedAt = createContext(0);

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** The time, once a second, from one timer for the whole page. */
export function useNow(): number {
  const renderedAt = use(RenderedAt);
  return useSyncExternalStore(subscribe, current, () => renderedAt);
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

/** Before the first listener nobody turns the clock, so it is asked, to the second: it has to stand still in a render. */
function current(): number {
  if (timer === undefined) now = Math.floor(Date.now() / 1_000) * 1_000;
  return now;
}
