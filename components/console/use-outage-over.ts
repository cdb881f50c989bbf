"use client";

import { useEffect, useRef } from "react";
import { useStanding } from "./status.tsx";

/** This many answers in a row also end an outage, because it may be shorter than the time between two status polls. */
const enough = 3;

/** Runs `run` when the outage ends, while `isWaiting`. */
export function useOutageOver(isWaiting: boolean, run: () => void): void {
  const { known, trouble } = useStanding();
  const answers = useRef(0);
  // `known` is a new object with each answer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `known` counts the answers.
  useEffect(() => {
    if (!isWaiting) answers.current = 0;
    else if (trouble) answers.current = enough;
    else {
      answers.current += 1;
      if (answers.current > enough) run();
    }
  }, [isWaiting, known, trouble, run]);
}
