"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type PolicyReply, policy as policyQuery } from "../../../../lib/queries/policy.ts";
import {
  begin,
  type Draft,
  type FormPolicy,
  isFormPolicy,
  type Standing,
  standingOf,
  withPolicy,
  withText,
} from "./draft.ts";
import { type Rebased, rebase } from "./rebase.ts";
import { forgetDraft, keepDraft, keptDraft } from "./storage.ts";

const askEveryMs = 5_000;

export interface PolicyEditor {
  /** As it stands now. */
  readonly now: PolicyReply;
  readonly draft: Draft;
  readonly standing: Standing;
  /** Somebody else published since the draft was begun. */
  readonly isOvertaken: boolean;
  /** What the next version is called. */
  readonly nextVersion: number;
  readonly mayChange: boolean;
  edit(change: (policy: FormPolicy) => FormPolicy): void;
  type(text: string): void;
  discard(): void;
  rebase(): Rebased;
  read(): Promise<unknown>;
}

export interface PolicyRead {
  readonly editor: PolicyEditor | undefined;
  readonly error: Error | null;
  /** What is shown was read at this moment, and cannot be read now. */
  readonly staleSince: number | undefined;
  ask(): void;
}

/** The policy in force, followed live, and a draft that nothing but its author changes. The tab remembers it. */
export function usePolicy(mayChange: boolean): PolicyRead {
  const { data, error, isError, dataUpdatedAt, refetch } = useQuery({
    ...policyQuery(),
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    networkMode: "always",
    retry: false,
  });
  const { kept, setKept, isRead } = useKeptDraft(mayChange);
  const fresh = useMemo(() => data && isFormPolicy(data.policy) && begin(data.version, data.policy), [data]);
  const draft = kept ?? (fresh || undefined);
  const standing = useMemo(() => draft && standingOf(draft), [draft]);
  const change = useCallback(
    (next: (draft: Draft) => Draft) =>
      setKept((before) => {
        const from = before ?? (fresh || null);
        const after = from && mayChange ? next(from) : from;
        return after && (after.text !== null || standingOf(after).isEdited) ? after : null;
      }),
    [fresh, mayChange, setKept],
  );
  const editor = isRead &&
    data &&
    draft &&
    standing && {
      ...{ now: data, draft, standing, mayChange },
      isOvertaken: kept !== null && kept.basedOn !== data.version,
      nextVersion: Math.max(data.version, ...data.versions.map(({ version }) => version)) + 1,
      edit: (next: (policy: FormPolicy) => FormPolicy) => change((before) => withPolicy(before, next)),
      type: (text: string) => change((before) => withText(before, text)),
      discard: () => setKept(null),
      rebase: () => {
        const rebased = rebase(draft, data.version, isFormPolicy(data.policy) ? data.policy : draft.base);
        setKept(standingOf(rebased.draft).isEdited ? rebased.draft : null);
        return rebased;
      },
      read: refetch,
    };
  return {
    editor: editor || undefined,
    error,
    staleSince: isError && data ? dataUpdatedAt : undefined,
    ask: () => void refetch(),
  };
}

/** Outlives a reload and a sign-in. */
function useKeptDraft(mayChange: boolean) {
  const [kept, setKept] = useState<Draft | null>(null);
  const [isRead, setIsRead] = useState(false);
  useEffect(() => {
    if (mayChange) setKept((before) => before ?? keptDraft());
    setIsRead(true);
  }, [mayChange]);
  useEffect(() => {
    if (!isRead || !mayChange) return;
    if (kept) keepDraft(kept);
    else forgetDraft();
  }, [kept, isRead, mayChange]);
  return { kept, setKept, isRead };
}
