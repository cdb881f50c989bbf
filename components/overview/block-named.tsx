import { useQueryClient } from "@tanstack/react-query";
import { Ban, ChevronDown } from "lucide-react";
import { useState } from "react";
import { useBlockCheck } from "@/components/console/block-check.tsx";
import { inSteps } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { addLines } from "@/lib/console/actions/lists.ts";
import type { DeniedClient } from "@/lib/queries/situation.ts";

const hourMs = 3_600_000;
const day = { text: "24 h", ms: 24 * hourMs };
const others = [
  { text: "1 h", ms: hourMs },
  { text: "1 week", ms: 168 * hourMs },
];

interface BlockNamedProps {
  /** Clients to block: those that the sentence names, without those of customers. */
  clients: readonly DeniedClient[];
  /** The sentence. It becomes the reason in the audit log. */
  situation: string;
}

/** Blocks the named clients in one change, with one undo. */
export function BlockNamed({ clients, situation }: BlockNamedProps) {
  const { run, isBusy } = useMutate();
  const [blocked, setBlocked] = useState<ReadonlySet<string>>(new Set());
  const client = useQueryClient();
  const tell = useTellChange();
  const check = useBlockCheck();
  const addresses = clients.map((one) => one.client);
  const block = async (ttlMs: number) => {
    const checked = await check(addresses, ttlMs);
    if (!checked) return;
    const reason = situation.slice(0, 500);
    const done = await run(async () => ({
      ok: true,
      value: await inSteps(() => addLines({ list: "blocklist", addresses, ttlMs, reason, confirmed: [] })),
    }));
    if (!done) return;
    const total = done.value;
    if (!total.failure) setBlocked(new Set(addresses));
    const title = total.done === 0 ? "Nothing was changed" : checked.sayDone(total.done);
    const onUndone = () => setBlocked(new Set());
    await tell({ tone: "blocked", title, total, note: checked.unknown, onUndone });
    await client.invalidateQueries({ queryKey: ["situation"] });
  };
  if (addresses.every((address) => blocked.has(address))) return null;
  const label = (text: string) => `Block ${clients.length} for ${text}`;
  return (
    <span className="inline-flex max-sm:flex-[2]">
      <Button
        variant="primary"
        size="lg"
        icon={<Ban />}
        isBusy={isBusy}
        className="rounded-r-none max-sm:flex-1"
        title={addresses.join(", ")}
        onClick={() => void block(day.ms)}
      >
        {label(day.text)}
      </Button>
      <Menu
        label="Block for another time"
        trigger={
          <IconButton
            label="Block for another time"
            variant="primary"
            size="lg"
            disabled={isBusy}
            className="-ml-px rounded-l-none border-l-surface/30"
            icon={<ChevronDown />}
          />
        }
        items={others.map(({ text, ms }) => ({
          label: label(text),
          icon: <Ban />,
          hint: counted(clients.length, "address", "addresses"),
          onSelect: () => void block(ms),
        }))}
      />
    </span>
  );
}
