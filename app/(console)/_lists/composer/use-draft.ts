"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type Draft, draftKey, emptyDraft, readDraft, writeDraft } from "./draft.ts";

const afterMs = 300;

/** What is typed into the composer of a list; the tab remembers it. Links may bring an address along (`?add=`). */
export function useDraft(list: ListName): readonly [Draft, (change: Partial<Draft>) => void] {
  const [draft, setDraft] = useState(emptyDraft);
  const isRead = useRef(false);
  useEffect(() => {
    setDraft(withBrought(readDraft(sessionStorage.getItem(draftKey(list)))));
    isRead.current = true;
  }, [list]);
  useEffect(() => {
    if (!isRead.current) return;
    const keep = () => store(list, draft);
    const timer = setTimeout(keep, afterMs);
    window.addEventListener("pagehide", keep);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", keep);
      keep();
    };
  }, [list, draft]);
  const change = useCallback(
    (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    [],
  );
  return [draft, change];
}

/** A tab may refuse to remember, or have no room for so much. */
function store(list: ListName, draft: Draft): void {
  try {
    sessionStorage.setItem(draftKey(list), writeDraft(draft));
  } catch {
    sessionStorage.removeItem(draftKey(list));
  }
}

function withBrought(draft: Draft): Draft {
  const url = new URL(window.location.href);
  const brought = url.searchParams.get("add")?.slice(0, 200);
  if (!brought) return draft;
  url.searchParams.delete("add");
  window.history.replaceState(null, "", url);
  const lines = draft.text.split("\n").filter((line) => line.trim() !== "");
  return { ...draft, text: [...lines.filter((line) => line !== brought), brought, ""].join("\n") };
}
