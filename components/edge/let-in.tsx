"use client";

import { useQueryClient } from "@tanstack/react-query";
import { DoorOpen, X } from "lucide-react";
import { useState } from "react";
import { failedTitle } from "@/components/console/failed-write.ts";
import { answered } from "@/components/console/in-steps.ts";
import { useKey } from "@/components/console/use-key.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { clearEdge } from "@/lib/console/actions/edge.ts";
import type { Failure } from "@/lib/console/failure.ts";
import { type EdgeReply, edge as edgeQuery, type LimitedClient } from "@/lib/queries/edge.ts";
import { sayClients, sayLettingIn, sayWhat } from "./edge-words.ts";
import type { Chosen } from "./limited-card.tsx";

interface LetInBarProps {
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
  lettingIn: LettingIn;
  edge: EdgeReply;
}

/** Floats over the rows, which stay where they are. */
export function LetInBar(props: LetInBarProps) {
  const { chosen, choose } = props;
  const [isAsking, setIsAsking] = useState(false);
  const clear = () => choose(new Map());
  useKey("clearSelection", clear);
  if (chosen.size === 0) return null;
  return (
    <>
      <section
        aria-label="Selection"
        className="fixed right-0 bottom-5 z-30 mx-auto flex w-fit max-w-[calc(100vw-16px)] animate-rise items-center justify-center gap-2 rounded-bar bg-overlay px-3.5 py-2.5 shadow-e2 max-sm:bottom-18 left-(--sidebar)"
      >
        <span role="status" className="text-body font-semibold">{`${countText(chosen.size)} selected`}</span>
        <Button variant="primary" size="lg" icon={<DoorOpen />} onClick={() => setIsAsking(true)}>
          Let in
        </Button>
        <IconButton label="Clear selection" size="lg" icon={<X />} onClick={clear} />
      </section>
      {isAsking && <LetInDialog {...props} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function LetInDialog({ chosen, choose, lettingIn, edge, onClose }: LetInBarProps & { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const confirm = async () => {
    const isDone = await lettingIn.many([...chosen.values()], reason);
    onClose();
    if (isDone) choose(new Map());
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Let in ${sayClients(chosen.size)}?`}
      description={`${sayLettingIn(edge)} A client that exceeds the limit in another minute is denied again.`}
      confirmLabel={`Let in ${countText(chosen.size)}`}
      onConfirm={() => void confirm()}
      isBusy={lettingIn.isBusy}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ConfirmDialog>
  );
}

/** Longer than answers are shared: what was read before may still have them. */
const settledAfterMs = 1_500;

export type LettingIn = ReturnType<typeof useLetIn>;

/** Lets clients in again, and says what that came to. */
export function useLetIn(edge: EdgeReply) {
  const toast = useToast();
  const queries = useQueryClient();
  const [letIn, setLetIn] = useState<ReadonlyMap<string, number>>(new Map());
  const { run, isBusy } = useMutate();
  const effect = sayLettingIn(edge);
  const clear = async (clients: readonly string[], reason: string) => {
    const done = await run(async () => ({
      ok: true,
      value: await clearInSteps(clients, reason, edge.mostLetIn),
    }));
    if (!done) return undefined;
    const { cleared, failure } = done.value;
    const at = Date.now();
    setLetIn((before) => new Map([...before, ...cleared.map((key) => [key, at] as const)]));
    await queries.invalidateQueries({ queryKey: edgeQuery().queryKey, exact: true });
    if (!failure) return cleared.length;
    const title =
      cleared.length === 0
        ? failedTitle(failure, 0, "No client was let in")
        : `Stopped after ${sayClients(cleared.length)}`;
    toast({ tone: "blocked", title, detail: <Untrusted text={failure.message} /> });
    return undefined;
  };
  const address = async (ip: string) => {
    const count = await clear([ip], "");
    if (count !== undefined) toast({ tone: "plain", title: `Let in ${ip} for all requests`, detail: effect });
  };
  return {
    /** Whether it was let in after the rows were read, at this moment. */
    isLetIn: (key: string, readAt: number) =>
      readAt < (letIn.get(key) ?? Number.NEGATIVE_INFINITY) + settledAfterMs,
    isBusy,
    async one(client: LimitedClient) {
      const { key, ip, others } = client;
      if ((await clear([key], "")) === undefined) return;
      toast({
        tone: "plain",
        title: `Let in ${ip}`,
        detail: (
          <>
            <Untrusted text={sayWhat(client)} max={80} />. {effect}
            {others > 0 && ` It is still denied for ${counted(others, "other request", "other requests")}.`}
          </>
        ),
        undo: others > 0 ? { label: "Let in for all", run: () => void address(ip) } : undefined,
      });
    },
    /** True when all of them are. */
    async many(clients: readonly LimitedClient[], reason: string) {
      const keys = clients.map(({ key }) => key);
      const count = await clear(keys, reason);
      if (count === undefined) return false;
      toast({ tone: "plain", title: `Let in ${sayClients(count)}`, detail: effect });
      return true;
    },
  };
}

/** A record in the log holds only so many. */
async function clearInSteps(clients: readonly string[], reason: string, most: number) {
  const cleared: string[] = [];
  for (let from = 0; from < clients.length; from += most) {
    const part = clients.slice(from, from + most);
    const result = await answered(() => clearEdge({ clients: part, reason }));
    if (result.ok) cleared.push(...result.value.cleared.map(({ key }) => key));
    else if (!isGone(result.error) || clients.length === 1) return { cleared, failure: result.error };
  }
  return { cleared, failure: undefined };
}

/** Of many, those who are let in already are no reason to stop. */
const isGone = ({ code }: Failure) => code === "not-found";
