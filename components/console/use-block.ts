"use client";

import { addLines } from "@/lib/console/actions/lists.ts";
import { useBlockCheck } from "./block-check.tsx";
import { inSteps } from "./in-steps.ts";
import { useTellChange } from "./use-tell-change.tsx";

export interface BlockCommand {
  readonly kind: "block";
  readonly address: string;
  readonly ttlMs: number;
  readonly reason: string;
}

/** Blocks one address, unless it would hit a customer and the user decides against it. A toast shows the progress and offers undo. */
export function useBlock(): (block: Omit<BlockCommand, "kind">) => Promise<void> {
  const tell = useTellChange();
  const check = useBlockCheck();
  return async ({ address, ttlMs, reason }) => {
    const checked = await check([address], ttlMs);
    if (!checked) return;
    const total = await inSteps(() =>
      addLines({ list: "blocklist", addresses: [address], ttlMs, reason, confirmed: [] }),
    );
    const title = total.done === 0 ? "Nothing was changed" : checked.sayDone(total.done);
    await tell({ tone: "blocked", title, total, note: checked.unknown });
  };
}
