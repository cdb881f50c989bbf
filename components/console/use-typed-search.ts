"use client";

import { useEffect, useRef, useState } from "react";

/** Text of a search box. It shows what is typed at once, while the address bar and the page follow. */
export function useTypedSearch(
  search: string,
  read: (address: URLSearchParams) => string,
  change: (search: string) => void,
): readonly [string, (text: string) => void] {
  const [typed, setTyped] = useState(search);
  const sent = useRef(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is the sign to look.
  useEffect(() => {
    // The address of this render may be one that was typed over already; the address bar is not.
    const now = read(new URLSearchParams(window.location.search));
    if (now === sent.current) return;
    sent.current = now;
    setTyped(now);
  }, [search]);
  const type = (text: string) => {
    setTyped(text);
    sent.current = text.trim();
    change(sent.current);
  };
  return [typed, type];
}
