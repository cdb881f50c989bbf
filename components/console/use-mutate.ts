"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Result } from "@/lib/console/action.ts";
import type { Failure } from "@/lib/console/failure.ts";
import { isOutage } from "./failed-write.ts";
import { answered } from "./in-steps.ts";
import { useStanding } from "./status.tsx";

interface Mutating {
  /** True while a change runs. */
  readonly isBusy: boolean;
  /** Why the last change failed, until the outage that caused it is over. */
  readonly failure: Failure | undefined;
  /**
   * @param change the call, and everything that must end before the next change may start
   * @returns its value, or undefined if it failed
   */
  run<T>(change: () => Promise<Result<T>>): Promise<{ readonly value: T } | undefined>;
  forget(): void;
}

/** Runs a change of a page. Reports whether it runs and why it failed. */
export function useMutate(): Mutating {
  const [underWay, setUnderWay] = useState(0);
  const [failure, setFailure] = useState<Failure>();
  const forget = useCallback(() => setFailure(undefined), []);
  useOutageOver(failure !== undefined && isOutage(failure), forget);
  return {
    isBusy: underWay > 0,
    failure,
    async run(change) {
      setUnderWay((count) => count + 1);
      forget();
      const result = await answered(change);
      setUnderWay((count) => count - 1);
      if (result.ok) return { value: result.value };
      setFailure(result.error);
      return undefined;
    },
    forget,
  };
}

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
