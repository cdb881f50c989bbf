"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { LiveRead } from "@/components/console/read-state.tsx";
import { type PolicyReply, policy as policyQuery } from "@/lib/queries/policy.ts";
import {
  begin,
  type Draft,
  type FormPolicy,
  isFormPolicy,
  keepDraft,
  keptDraft,
  type Standing,
  standingOf,
  withPolicy,
  withText,
} from "./draft.ts";
import { type Rebased, rebase } from "./rebase.ts";

const askEveryMs = 5_000;

export interface PolicyEditor {
  /** Policy in force. */
  readonly now: PolicyReply;
  readonly draft: Draft;
  readonly standing: Standing;
  /** Whether a version was published after the draft was started. */
  readonly isOvertaken: boolean;
  /** Number of the next version. */
  readonly nextVersion: number;
  readonly mayChange: boolean;
  /** The user may change the policy, and the forms can show the draft. */
  readonly mayEdit: boolean;
  edit(change: (policy: FormPolicy) => FormPolicy): void;
  type(text: string): void;
  discard(): void;
  rebase(): Rebased;
  read(): Promise<unknown>;
}

/** The policy in force, updated live, and a draft that only its author changes. The tab stores the draft. */
export function usePolicy(mayChange: boolean): LiveRead<PolicyEditor> {
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useQuery({
    ...policyQuery(),
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
    networkMode: "always",
    retry: false,
  });
  const [kept, setKept] = useKeptDraft(mayChange);
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
  const editor = data &&
    draft &&
    standing && {
      ...{ now: data, draft, standing, mayChange },
      mayEdit: mayChange && !standing.isLocked,
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
  return { data: editor || undefined, error, dataUpdatedAt, isPlaceholderData, refetch };
}

/** Draft that survives a reload and a sign-in. The server cannot read it, so it is set before the page's first paint. */
function useKeptDraft(mayChange: boolean) {
  const [kept, setKept] = useState<Draft | null>(null);
  const [isRead, setIsRead] = useState(false);
  useLayoutEffect(() => {
    if (mayChange) setKept((before) => before ?? keptDraft());
    setIsRead(true);
  }, [mayChange]);
  useEffect(() => {
    if (isRead && mayChange) keepDraft(kept);
  }, [kept, isRead, mayChange]);
  return [kept, setKept] as const;
}
