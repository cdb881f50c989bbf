"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { type CustomerNow, customerNow } from "../../../../../lib/queries/customer.ts";
import { changesIn } from "./changes.ts";
import { type Draft, draftOf, isSameBasis } from "./draft.ts";

const askEveryMs = 2_000;

/** What somebody types, and how the customer stood when they began. */
interface Editing {
  readonly base: CustomerNow;
  readonly draft: Draft;
}

export interface Editor {
  /** As it stands now. */
  readonly now: CustomerNow;
  /** As it stood when the draft was begun; the same as `now` while nothing is typed. */
  readonly base: CustomerNow;
  readonly draft: Draft;
  readonly isEdited: boolean;
  /** Somebody else changed it since. */
  readonly isOvertaken: boolean;
  /** What is shown was read at this moment, and cannot be read now. */
  readonly staleSince: number | undefined;
  edit(change: (draft: Draft) => Draft): void;
  discard(): void;
  /** Goes on with another draft on how the customer stands by then. */
  restart(base: CustomerNow, draft: Draft): void;
  read(): Promise<CustomerNow>;
}

/** The customer as it stands, followed live, and a draft that nothing but its author changes. */
export function useEditor(initial: CustomerNow): Editor {
  const { data, isError, dataUpdatedAt, refetch } = useQuery({
    ...customerNow(initial.id),
    initialData: initial,
    placeholderData: keepPreviousData,
    refetchInterval: askEveryMs,
  });
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
    staleSince: isError ? dataUpdatedAt : undefined,
    discard: () => setEditing(null),
    restart: (base, draft) => setEditing(isUntouched(draft, base) ? null : { base, draft }),
    read: async () => (await refetch({ throwOnError: true })).data ?? data,
  };
}

/** Then the page follows the customer again. */
function isUntouched(draft: Draft, base: CustomerNow): boolean {
  return draft.reason === "" && draft.hash === null && changesIn(draft, base).count === 0;
}
