"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useStaleSince } from "@/components/console/read-state.tsx";
import { type CustomerNow, customerNow } from "@/lib/queries/customer.ts";
import { changesIn, type Draft, draftOf, isSameBasis } from "./draft.ts";

export const askEveryMs = 2_000;

export type Editor = ReturnType<typeof useEditor>;

/** The current customer, followed live, and a draft that only its author changes. */
export function useEditor(initial: CustomerNow, mayChange: boolean) {
  const followed = useQuery({
    ...customerNow(initial.id),
    initialData: initial,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
  });
  const { data, refetch } = followed;
  const staleSince = useStaleSince(followed);
  /** The draft, and the customer when it was begun. */
  const [editing, setEditing] = useState<{ readonly base: CustomerNow; readonly draft: Draft } | null>(null);
  const { base, draft } = editing ?? { base: data, draft: draftOf(data) };
  const edit = useCallback(
    (change: (draft: Draft) => Draft) =>
      setEditing((before) => {
        const from = before ?? { base: data, draft: draftOf(data) };
        const draft = change(from.draft);
        return isUntouched(draft, from.base) ? null : { base: from.base, draft };
      }),
    [data],
  );
  return {
    /** The current version. */
    now: data,
    /** The version when the draft was begun. The same as `now` without a draft. */
    base,
    ...{ draft, edit, mayChange },
    isEdited: editing !== null,
    /** Another user has changed the customer since then. */
    isOvertaken: editing !== null && !isSameBasis(editing.base, data),
    /** Last updated at this moment, and cannot be read now. */
    staleSince,
    discard: () => setEditing(null),
    /** Continues with another draft, based on the current version. */
    restart: (base: CustomerNow, draft: Draft) =>
      setEditing(isUntouched(draft, base) ? null : { base, draft }),
    read: async () => (await refetch({ throwOnError: true })).data ?? data,
  };
}

/** Then the page follows the customer again. */
function isUntouched(draft: Draft, base: CustomerNow): boolean {
  return draft.reason === "" && draft.hash === null && changesIn(draft, base).count === 0;
}
