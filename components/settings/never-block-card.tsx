"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { neverBlock, type StoredRange } from "@/lib/queries/never-block.ts";
import { NeverBlockTable } from "./never-block-table.tsx";
import { ProtectDialog } from "./protect-dialog.tsx";
import { UnprotectDialog } from "./unprotect-dialog.tsx";

const everyMs = 10_000;

type Open =
  | { readonly dialog: "add" }
  | { readonly dialog: "remove"; readonly range: StoredRange }
  | undefined;

/** Protected ranges: those of the environment, and those that admins keep in Redis. */
export function NeverBlockCard({ mayChange, whoMay }: { mayChange: boolean; whoMay: string }) {
  const read = useQuery({ ...neverBlock(), refetchInterval: everyMs });
  const [open, setOpen] = useState<Open>();
  const [change, setChange] = useState<number | null>(null);
  const close = () => setOpen(undefined);
  return (
    <Card
      title={<span id="never-block">Protected ranges</span>}
      hint="blocklist entries that overlap a protected range are not enforced"
      actions={
        mayChange && (
          <Button icon={<Plus />} onClick={() => setOpen({ dialog: "add" })}>
            Protect a range
          </Button>
        )
      }
      isFlush
    >
      <ReadState
        read={read}
        name="the protected ranges"
        skeleton={<RowsSkeleton rows={3} columns={[3, 4, 2]} rowHeight={40} hasHead />}
        isInset
      >
        {(ranges) => (
          <NeverBlockTable
            ranges={ranges}
            {...(mayChange && { onRemove: (range: StoredRange) => setOpen({ dialog: "remove", range }) })}
          />
        )}
      </ReadState>
      <footer className="flex flex-col gap-1 px-3.5 py-2.5 text-cell text-text-3 empty:hidden">
        <ChangeProgress change={change} />
        {!mayChange && <p>To protect another range, ask an {whoMay}.</p>}
      </footer>
      {open?.dialog === "add" && <ProtectDialog known={read.data} onClose={close} onChanged={setChange} />}
      {open?.dialog === "remove" && (
        <UnprotectDialog range={open.range} onClose={close} onChanged={setChange} />
      )}
    </Card>
  );
}
