"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useStaleSince } from "@/components/console/read-state.tsx";
import { type CustomerNow, customerNow } from "@/lib/queries/customer.ts";
import { changesIn, type Draft, draftOf, isSameBasis } from "./draft.ts";

export const askEveryMs = 2_000;

/** The draft, and the customer when it was begun. */
interface Editing {
  readonly base: CustomerNow;
  readonly draft: Draft;
}

export interface Editor {
  /** The current version. */
  readonly now: CustomerNow;
  /** The version when the draft was begun. The same as `now` without a draft. */
  readonly base: CustomerNow;
  readonly draft: Draft;
  readonly isEdited: boolean;
  /** Another user has changed the customer since then. */
  readonly isOvertaken: boolean;
  /** Last updated at this moment, and cannot be read now. */
  readonly staleSince: number | undefined;
  edit(change: (draft: Draft) => Draft): void;
  discard(): void;
  /** Continues with another draft, based on the current version. */
  restart(base: CustomerNow, draft: Draft): void;
  read(): Promise<CustomerNow>;
}

/** The current customer, followed live, and a draft that only its author changes. */
export function useEditor(initial: CustomerNow): Editor {
  const followed = useQuery({
    ...customerNow(initial.id),
    initialData: initial,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
  });
  const { data, refetch } = followed;
  const staleSince = useStaleSince(followed);
  const [editing, setEditing] = useState<Editing | null>(null);
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
    now: data,
    ...{ base, draft, edit },
    isEdited: editing !== null,
    isOvertaken: editing !== null && !isSameBasis(editing.base, data),
    staleSince,
    discard: () => setEditing(null),
    restart: (base, draft) => setEditing(isUntouched(draft, base) ? null : { base, draft }),
    read: async () => (await refetch({ throwOnError: true })).data ?? data,
  };
}

/** Then the page follows the customer again. */
function isUntouched(draft: Draft, base: CustomerNow): boolean {
  return draft.reason === "" && draft.hash === null && changesIn(draft, base).count === 0;
}
