"use client";

import { useEffect, useState } from "react";

const settledAfterMs = 400;

/** The value after a pause without change. Undefined at once when it becomes undefined. */
export function useSettled<T>(value: T | undefined): T | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === undefined) return setSettled(undefined);
    const timer = setTimeout(setSettled, settledAfterMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  return value === undefined ? undefined : settled;
}
