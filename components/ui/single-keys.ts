"use client";

import { useSyncExternalStore } from "react";

const storageName = "sluice.single-keys";
const switched = "single-keys";

/** Whether single-key shortcuts work in this browser. Speech input and unsteady hands may press them by accident. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(storageName) !== "off";
}

export function switchSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, "off");
  window.dispatchEvent(new Event(switched));
}

/** The same as a hook. Another tab may switch it. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(subscribe, areSingleKeysOn, () => true);
}

function subscribe(changed: () => void) {
  window.addEventListener(switched, changed);
  window.addEventListener("storage", changed);
  return () => {
    window.removeEventListener(switched, changed);
    window.removeEventListener("storage", changed);
  };
}
