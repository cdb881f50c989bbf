"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/** A constant reference to the current value. Components that get it are not drawn again when the value changes. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
