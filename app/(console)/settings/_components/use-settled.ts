"use client";

import { useEffect, useState } from "react";

const settledAfterMs = 400;

/** What a value is once it has not changed for a moment; nothing the moment it has become nothing. */
export function useSettled<T>(value: T | undefined): T | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === undefined) return setSettled(undefined);
    const timer = setTimeout(setSettled, settledAfterMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  return value === undefined ? undefined : settled;
}
