"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { readSearch, writeSearch } from "./edge-url.ts";

/** What is searched for, as the address bar has it, and what is being typed, which is ahead of it. */
export function useSearch() {
  const path = usePathname();
  const q = readSearch(useSearchParams());
  const [typed, setTyped] = useState(q);
  const sent = useRef(q);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is the sign to look.
  useEffect(() => {
    // The address of this render may be one that was typed over already; the address bar is not.
    const now = readSearch(new URLSearchParams(window.location.search));
    if (now === sent.current) return;
    sent.current = now;
    setTyped(now);
  }, [q]);
  const type = (text: string) => {
    setTyped(text);
    sent.current = text.trim();
    window.history.replaceState(null, "", `${path}${writeSearch(sent.current)}`);
  };
  return { q, typed, type };
}
