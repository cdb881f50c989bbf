"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ChangeProgress } from "../../../../components/change-progress.tsx";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { neverBlock, type StoredRange } from "../../../../lib/queries/never-block.ts";
import { NeverBlockTable } from "./never-block-table.tsx";
import { ProtectDialog } from "./protect-dialog.tsx";
import { UnprotectDialog } from "./unprotect-dialog.tsx";

const everyMs = 10_000;

type Open =
  | { readonly dialog: "add" }
  | { readonly dialog: "remove"; readonly range: StoredRange }
  | undefined;

/** The ranges that no blocklist entry may touch: those of the environment, and those that admins keep in Redis. */
export function NeverBlockCard({ mayChange, whoMay }: { mayChange: boolean; whoMay: string }) {
  const { data, error, dataUpdatedAt } = useQuery({
    ...neverBlock(),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
  const [open, setOpen] = useState<Open>();
  const [change, setChange] = useState<number | null>(null);
  const close = () => setOpen(undefined);
  return (
    <Card
      title={<span id="never-block">Never-block ranges</span>}
      hint="no blocklist entry that touches one is obeyed, whoever wrote it"
      actions={
        mayChange && (
          <Button icon={<Plus />} onClick={() => setOpen({ dialog: "add" })}>
            Protect a range
          </Button>
        )
      }
      isFlush
    >
      {error && (
        <div className="px-3.5 pb-3">
          <Banner tone="blocked" title={error.message}>
            {data && (
              <>
                What is shown is of <Timestamp at={dataUpdatedAt} />.
              </>
            )}
          </Banner>
        </div>
      )}
      {data ? (
        <NeverBlockTable
          ranges={data}
          {...(mayChange && { onRemove: (range: StoredRange) => setOpen({ dialog: "remove", range }) })}
        />
      ) : (
        !error && <Waiting />
      )}
      <footer className="flex flex-col gap-1 px-3.5 py-2.5 text-cell text-text-3 empty:hidden">
        <ChangeProgress change={change} />
        {!mayChange && <p>To protect another one, ask an {whoMay}.</p>}
      </footer>
      {open?.dialog === "add" && <ProtectDialog known={data} onClose={close} onChanged={setChange} />}
      {open?.dialog === "remove" && (
        <UnprotectDialog range={open.range} onClose={close} onChanged={setChange} />
      )}
    </Card>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2 border-t border-border p-3.5">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
    </div>
  );
}
