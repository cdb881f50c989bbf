"use client";

import { useEffect, useState } from "react";

/** The value after a pause without change. Undefined at once when it becomes undefined. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === undefined) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return value === undefined ? value : settled;
}
