import { Ban, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useBlockCheck } from "@/components/console/block-check.tsx";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { inSteps } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { resultOf } from "@/components/lists/list-words.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { tints } from "@/components/ui/tone.ts";
import { addLines } from "@/lib/console/actions/lists.ts";
import type { ListName } from "@/lib/redis/keys.ts";

const hourMs = 3_600_000;
export const weekMs = 168 * hourMs;
export const lives = [
  { text: "1h", ms: hourMs },
  { text: "24h", ms: 24 * hourMs },
  { text: "1w", ms: weekMs },
] as const;

interface BlockButtonsProps {
  address: string;
  /** Reason for the audit log: the evidence. */
  reason: string;
  listed?: { readonly list: "safelist" | "blocklist"; readonly address: string } | undefined;
  mayChange: boolean;
  /** The word "Block" before the times, where no column says it. */
  hasLabel?: boolean;
}

/** Always visible, never in a menu. */
export function BlockButtons({ address, reason, listed, mayChange, hasLabel = false }: BlockButtonsProps) {
  const { isBusy, written, put } = useBlock(address, listed !== undefined);
  const shown = listed ?? (written?.isShown ? undefined : written);
  if (shown) {
    const tone = shown.list === "blocklist" ? "blocked" : "safelisted";
    return (
      <span className="inline-flex items-center gap-1.5">
        {written && <ChangeProgress change={written.change} isBrief />}
        <Badge tone={tone}>{shown.address === address ? shown.list : `${shown.list} ${shown.address}`}</Badge>
      </span>
    );
  }
  if (!mayChange) return null;
  return (
    <span className="inline-flex items-center gap-1.5 stacked:flex stacked:gap-2">
      <span className="inline-flex stacked:flex-1">
        <span
          aria-hidden="true"
          className={classes(
            "items-center gap-1.5 rounded-l-control border border-r-0 px-2 text-cell font-medium",
            hasLabel ? "inline-flex" : "hidden cards:inline-flex",
            tints.blocked,
          )}
        >
          <Ban className="size-3.5" />
          Block
        </span>
        {lives.map(({ text, ms }) => (
          <Button
            key={text}
            size="sm"
            disabled={isBusy}
            aria-label={`Block ${address} for ${text}`}
            onClick={() => void put("blocklist", ms, reason)}
            className={classes(
              "not-first-of-type:-ml-px not-first-of-type:rounded-l-none not-last:rounded-r-none hover:text-blocked cards:-ml-px cards:rounded-l-none cards:border-blocked-bd cards:bg-blocked-bg cards:text-blocked stacked:flex-1",
              hasLabel && "-ml-px rounded-l-none",
            )}
          >
            {text}
          </Button>
        ))}
      </span>
      <IconButton
        label={`Safelist ${address} for 1 week`}
        size="sm"
        variant="secondary"
        disabled={isBusy}
        icon={<ShieldCheck />}
        onClick={() => void put("safelist", weekMs, reason)}
      />
    </span>
  );
}

interface Written {
  readonly list: ListName;
  readonly address: string;
  readonly change: number | null;
  /** A read has shown the entry. From then on reads tell whether it is there. */
  readonly isShown: boolean;
}

/** Blocks or safelists with one click, unless it would hit a customer. A toast shows the progress and offers undo. */
function useBlock(address: string, isListed: boolean) {
  const { run, isBusy } = useMutate();
  const [written, setWritten] = useState<Written>();
  if (isListed && written && !written.isShown) setWritten({ ...written, isShown: true });
  const tell = useTellChange();
  const check = useBlockCheck();
  const put = async (list: ListName, ttlMs: number, reason: string) => {
    const input = { list, addresses: [address], ttlMs, reason, confirmed: [] };
    const checked = list === "blocklist" ? await check([address], ttlMs) : undefined;
    if (list === "blocklist" && !checked) return;
    const done = await run(async () => ({ ok: true, value: await inSteps(() => addLines(input)) }));
    if (!done) return;
    const total = done.value;
    const [first] = total.skipped;
    const result = checked?.sayDone(total.done) ?? resultOf(list, total.done, ttlMs, [address]);
    const title = total.done === 0 && first ? "Nothing was changed" : result;
    if (total.done > 0) setWritten({ list, address, change: total.change, isShown: false });
    const onUndone = () => setWritten(undefined);
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    tell({ tone, title, total, note: checked?.unknown, onUndone });
  };
  return { isBusy, written, put };
}
