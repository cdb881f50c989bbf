"use client";

import { useState } from "react";
import type { Result } from "../../../_server/action.ts";
import type { Failure } from "../../../_server/failure.ts";

const noAnswer: Failure = {
  code: "failed",
  message: "The console does not answer. Whether this was done is not known: look, then try again.",
  fields: {},
};

/** Runs an action and keeps why it did not work. What was typed stays where it is, also when nothing comes back. */
export function useAction<I, T>(act: (input: I) => Promise<Result<T>>) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (input: I): Promise<{ value: T } | undefined> => {
    setIsBusy(true);
    const result = await act(input).catch(() => ({ ok: false as const, error: noAnswer }));
    setIsBusy(false);
    setFailure(result.ok ? undefined : result.error);
    return result.ok ? { value: result.value } : undefined;
  };
  return { run, isBusy, failure };
}
