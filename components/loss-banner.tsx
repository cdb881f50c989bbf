"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { DatabaseZap } from "lucide-react";
import { useState } from "react";
import { loss } from "../lib/queries/loss.ts";
import type { LossActions } from "./loss/answer.ts";
import { DismissDialog } from "./loss/dismiss-dialog.tsx";
import { type Lost, sayLost } from "./loss/loss-words.ts";
import { RestoreDialog } from "./loss/restore-dialog.tsx";
import { clockText } from "./shell/clock-text.ts";
import { Banner } from "./ui/banner.tsx";
import { Button } from "./ui/button.tsx";

const everyMs = 5_000;

export interface LossBannerProps {
  actions: LossActions;
  mayRestore: boolean;
  /** "admin" */
  whoMay: string;
}

/** Says that Redis came back without the lists, and offers them from the console's own copy. Nothing is restored unasked. */
export function LossBanner({ actions, mayRestore, whoMay }: LossBannerProps) {
  const { data } = useQuery({ ...loss(), refetchInterval: everyMs });
  const client = useQueryClient();
  const [open, setOpen] = useState<{ readonly dialog: "restore" | "dismiss"; readonly lost: Lost }>();
  const lost = data?.loss ?? undefined;
  const close = () => setOpen(undefined);
  const reread = () => void client.invalidateQueries();
  return (
    <>
      {lost && (
        <Banner
          tone="blocked"
          icon={<DatabaseZap />}
          title={`Redis came back empty at ${clockText(Date.parse(lost.at))}. The console still holds ${sayLost(lost)}.`}
          actions={
            mayRestore && (
              <>
                <Button onClick={() => setOpen({ dialog: "dismiss", lost })}>Leave it empty</Button>
                <Button variant="primary" onClick={() => setOpen({ dialog: "restore", lost })}>
                  Restore…
                </Button>
              </>
            )
          }
        >
          Until they are restored nobody on them is stopped or let through.
          {!mayRestore && ` An ${whoMay} can restore them.`}
        </Banner>
      )}
      {open?.dialog === "restore" && (
        <RestoreDialog lost={open.lost} restore={actions.restore} onDone={reread} onClose={close} />
      )}
      {open?.dialog === "dismiss" && (
        <DismissDialog lost={open.lost} dismiss={actions.dismiss} onDone={reread} onClose={close} />
      )}
    </>
  );
}
