"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/** What holds now, behind a reference that stays the same: whoever gets it is not drawn again because of it. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
