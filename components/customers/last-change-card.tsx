"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Check, Undo2 } from "lucide-react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { tookText } from "@/components/ui/value-text.ts";
import { type CustomerChangeRow, customerChanges } from "@/lib/queries/customer.ts";
import { changeReached } from "@/lib/queries/status.ts";
import { sayChange } from "./customer-words.ts";
import type { Editor } from "./draft/use-editor.ts";

/** Latest change of the customer, with its progress. */
export function LastChangeCard({ editor }: { editor: Editor }) {
  const { now, read, mayChange } = editor;
  const { queryKey, queryFn } = customerChanges(now.id);
  const { data } = useQuery({
    // Asked again when the customer is another one than it was.
    queryKey: [...queryKey, now.basedOn],
    queryFn,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [last] = data?.changes ?? [];
  if (!last) return null;
  return (
    <Card isFlush>
      <div className="flex flex-wrap items-center gap-3 px-3.5 py-3">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-0.5">
          <h2 className="text-body font-semibold">Last change</h2>
          {last.change !== null && <ChangeProgress change={last.change} />}
          <p className="text-cell text-text-2">
            <Timestamp at={last.at} /> by <Untrusted text={last.actor} max={80} />:{" "}
            <Untrusted text={sayChange(last)} max={200} />
            {last.reason !== "" && (
              <>
                , “<Untrusted text={last.reason} max={200} />”
              </>
            )}
          </p>
        </div>
        {mayChange && last.about !== "customer.reset" && <UndoButton last={last} onDone={read} />}
      </div>
      {last.change !== null && <NodeTicks change={last.change} />}
    </Card>
  );
}

function UndoButton({ last, onDone }: { last: CustomerChangeRow; onDone: () => Promise<unknown> }) {
  const { run, isBusy } = useMutate();
  const takeBack = useUndo();
  const undo = () =>
    run(async () => {
      const value = await takeBack({ n: last.n });
      await onDone().catch(() => undefined);
      return { ok: true, value };
    });
  return (
    <Button icon={<Undo2 />} isBusy={isBusy} onClick={() => void undo()}>
      Undo
    </Button>
  );
}

const mostShown = 12;

/** Each node with how long it took to apply the change. ChangeProgress reads; this shows the result. */
function NodeTicks({ change }: { change: number }) {
  const { data } = useQuery({ ...changeReached(change), enabled: false });
  if (!data || data.reached.length === 0) return null;
  const slowest = Math.max(1, ...data.reached.map(({ tookMs }) => tookMs));
  return (
    <ul
      aria-label="Nodes that have it"
      className="grid grid-cols-[repeat(auto-fit,minmax(130px,1fr))] gap-px overflow-hidden rounded-b-card border-t border-border bg-border"
    >
      {data.reached.slice(0, mostShown).map(({ id, tookMs }) => (
        <li key={id} className="flex flex-col gap-1.5 bg-surface px-2.5 py-2">
          <span className="flex min-w-0 items-center gap-1.5 text-meta">
            <Check className="size-3 shrink-0 text-pass" />
            <span className="truncate">
              <Untrusted text={shortName(id)} max={40} />
            </span>
            <span className="ml-auto whitespace-nowrap text-text-3">{tookText(tookMs)}</span>
          </span>
          <span aria-hidden="true" className="h-0.5 rounded-full bg-track">
            <span
              className="block h-full rounded-full bg-pass-graphic"
              style={{ width: `${Math.max(4, (100 * tookMs) / slowest)}%` }}
            />
          </span>
        </li>
      ))}
      {data.lagging.map(({ id }) => (
        <li
          key={id}
          className="flex min-w-0 items-center gap-1.5 bg-surface px-2.5 py-2 text-meta text-throttled"
        >
          <Spinner />
          <span className="truncate">
            <Untrusted text={shortName(id)} max={40} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** `shop@web-3:123-a1b2c3` is the app, its host and its process. */
function shortName(id: string): string {
  return id.replace(/-[0-9a-f]{6}$/, "");
}
