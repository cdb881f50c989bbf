"use client";

import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import type { OwnersOf } from "@/lib/queries/owners.ts";
import { type BlockQuestion, blockedText, blockQuestion } from "./owner-words.ts";
import { readOwnersInTime } from "./use-owners.ts";

type Ask = (question: BlockQuestion) => Promise<boolean>;

const AskContext = createContext<Ask | undefined>(undefined);

/** Asks before a block that would hit customers. Above all pages, because the row of the block may leave its table. */
export function BlockCheckProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<BlockQuestion>();
  const waiting = useRef<(isYes: boolean) => void>(undefined);
  const answer = useCallback((isYes: boolean) => {
    waiting.current?.(isYes);
    waiting.current = undefined;
    setQuestion(undefined);
  }, []);
  const ask = useCallback<Ask>(
    (next) =>
      new Promise((resolve) => {
        answer(false);
        waiting.current = resolve;
        setQuestion(next);
      }),
    [answer],
  );
  return (
    <AskContext value={ask}>
      {children}
      {question && (
        <ConfirmDialog
          isOpen
          isDanger
          title={question.title}
          description={question.description}
          confirmLabel={question.label}
          onClose={() => answer(false)}
          onConfirm={() => answer(true)}
        />
      )}
    </AskContext>
  );
}

interface CheckedBlock {
  /** "192.0.2.30 (acme) blocked for 1 hour" */
  sayDone(done: number): string;
  /** For the notice. Undefined if the customers of all addresses are known. */
  readonly unknown: string | undefined;
}

/**
 * Checks a block: asks once if customers use one of the addresses, and not otherwise. Customers that are unknown do not delay a
 * block.
 *
 * @returns undefined if the user decided against it
 */
export function useBlockCheck(): (
  addresses: readonly string[],
  ttlMs: number | null | undefined,
) => Promise<CheckedBlock | undefined> {
  const ask = use(AskContext);
  if (!ask) throw new Error("useBlockCheck works inside of BlockCheckProvider");
  const client = useQueryClient();
  const isRunning = useRef(false);
  return async (addresses, ttlMs) => {
    // A second click while the first is checked.
    if (isRunning.current) return undefined;
    isRunning.current = true;
    const found = await readOwnersInTime(client, addresses).finally(() => {
      isRunning.current = false;
    });
    const of: readonly OwnersOf[] =
      found ?? addresses.map((address) => ({ address, owners: [], isAll: false }));
    const question = blockQuestion(of, ttlMs);
    if (question && !(await ask(question))) return undefined;
    return { sayDone: (done) => blockedText(of, done, ttlMs), unknown: sayUnknown(found) };
  };
}

function sayUnknown(
  found: readonly { readonly knownSince: number | null; readonly owners: readonly unknown[] }[] | undefined,
): string | undefined {
  if (found === undefined) return "Whether a customer uses it is unknown: customers failed to load.";
  const isMissing = found.some(({ knownSince, owners }) => knownSince === null && owners.length === 0);
  return isMissing ? "Whether a customer uses it is unknown: a node does not report customers." : undefined;
}
