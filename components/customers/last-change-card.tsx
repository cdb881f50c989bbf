"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useUndo } from "@/components/console/use-undo.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type CustomerChangeRow, customerChanges } from "@/lib/queries/customer.ts";
import { sayChange } from "./change-words.ts";
import type { Editor } from "./draft/use-editor.ts";
import { NodeTicks } from "./node-ticks.tsx";

/** Latest change of the customer, with its progress. */
export function LastChangeCard({ editor, mayChange }: { editor: Editor; mayChange: boolean }) {
  const { now, read } = editor;
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
