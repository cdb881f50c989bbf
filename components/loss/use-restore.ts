"use client";

import { useState } from "react";
import { answerOf, type LossActions, type RestoredPart } from "./answer.ts";

/** How far it got: nothing before it began. */
export interface Restoring extends RestoredPart {
  readonly isUnderWay: boolean;
  /** Why it did not go on. */
  readonly problem?: string;
}

const beginning: Restoring = {
  change: null,
  done: 0,
  skipped: [],
  skippedCount: 0,
  left: 0,
  isUnderWay: true,
};

/** Asks again for as long as there is more to restore, and adds up what came of it. */
export function useRestore(restore: LossActions["restore"]) {
  const [restoring, setRestoring] = useState<Restoring>();
  const begin = async (reason: string): Promise<void> => {
    let sum: Restoring = { ...beginning, ...(restoring && { ...restoring, isUnderWay: true }) };
    for (;;) {
      setRestoring(sum);
      const answer = await answerOf(restore({ reason }));
      if (!answer.ok) return setRestoring({ ...sum, isUnderWay: false, problem: answer.error.message });
      sum = added(sum, answer.value);
      if (sum.left === 0) return setRestoring({ ...sum, isUnderWay: false });
    }
  };
  return { restoring, begin };
}

export function added(sum: Restoring, part: RestoredPart): Restoring {
  const { problem: _, ...rest } = sum;
  return {
    ...rest,
    change: part.change ?? sum.change,
    done: sum.done + part.done,
    skipped: [...sum.skipped, ...part.skipped].slice(0, 100),
    skippedCount: sum.skippedCount + part.skippedCount,
    left: part.left,
  };
}
