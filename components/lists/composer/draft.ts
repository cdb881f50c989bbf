import { useCallback, useEffect, useRef, useState } from "react";
import type { ListName } from "@/lib/redis/keys.ts";
import { aWeek, type Expiry, isPreset, isUnit } from "./expiry.ts";

/** Typed text that was not sent. It survives an error, a sign-in and a reload of the tab. */
export interface Draft {
  readonly text: string;
  readonly expiry: Expiry;
  readonly reason: string;
  readonly tags: string;
}

export const emptyDraft: Draft = { text: "", expiry: aWeek, reason: "", tags: "" };

const draftKey = (list: ListName) => `sluice.draft.${list}`;

/** Parts that cannot be read count as empty. */
export function readDraft(stored: string | null): Draft {
  const {
    text = "",
    reason = "",
    tags = "",
    preset = "",
    amount = aWeek.amount,
    unit = "",
  } = fieldsOf(stored);
  const expiry = {
    preset: isPreset(preset) ? preset : aWeek.preset,
    amount,
    unit: isUnit(unit) ? unit : aWeek.unit,
  };
  return { text, reason, tags, expiry };
}

export function writeDraft({ text, expiry, reason, tags }: Draft): string {
  return JSON.stringify({ text, reason, tags, ...expiry });
}

function fieldsOf(stored: string | null): Partial<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(stored ?? "{}");
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}

const afterMs = 300;

/** Draft of a list's composer, stored in the tab. A link may add an address (`?add=`). */
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

/** The tab may refuse to store it, or have no room. */
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
