"use client";

import { useState } from "react";
import { restoreLists } from "@/lib/console/actions/restore.ts";
import { added, type Restoring } from "./restoring.ts";

const beginning: Restoring = {
  change: null,
  done: 0,
  skipped: [],
  skippedCount: 0,
  left: 0,
  isUnderWay: true,
};

/** Repeats the call until all entries are restored, and adds up the results. */
export function useRestore() {
  const [restoring, setRestoring] = useState<Restoring>();
  const begin = async (reason: string): Promise<void> => {
    let sum: Restoring = { ...beginning, ...(restoring && { ...restoring, isUnderWay: true }) };
    for (;;) {
      setRestoring(sum);
      const answer = await restoreLists({ reason }).catch(() => undefined);
      if (!answer?.ok)
        return setRestoring({ ...sum, isUnderWay: false, problem: answer?.error.message ?? noAnswer });
      sum = added(sum, answer.value);
      if (sum.left === 0) return setRestoring({ ...sum, isUnderWay: false });
    }
  };
  return { restoring, begin };
}

const noAnswer = "The console did not answer. Retry: entries that are already restored are skipped.";
