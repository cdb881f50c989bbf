import { Ban, Network, ShieldCheck, X } from "lucide-react";
import { useState } from "react";
import { useBlockCheck } from "@/components/console/block-check.tsx";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { inSteps } from "@/components/console/in-steps.ts";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { useKey } from "@/components/console/use-key.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { resultOf } from "@/components/lists/list-words.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { addLines } from "@/lib/console/actions/lists.ts";
import type { Offender } from "@/lib/queries/offenders.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { lives, weekMs } from "./block-buttons.tsx";
import { evidenceOfAll, saySelected } from "./offender-words.ts";
import { commonRange } from "./ranges.ts";

interface BulkBarProps {
  selected: readonly Offender[];
  /** Of all clients. */
  deniedPerSecond: number;
  onCommand: (command: EntryCommand) => void;
  onClear: () => void;
}

/** Changes all selected clients with one record and one undo. Floats over the rows, which do not move. */
export function BulkBar({ selected, deniedPerSecond, onCommand, onClear }: BulkBarProps) {
  const [isSafelisting, setIsSafelisting] = useState(false);
  const { put, isBusy } = useBulk(selected, onClear);
  useKey("clearSelection", onClear);
  const addresses = selected.map(({ client }) => client);
  const range = commonRange(addresses);
  const reason = evidenceOfAll(selected);
  return (
    <section
      aria-label="Selection"
      className="fixed right-0 bottom-5 left-(--sidebar) z-30 mx-auto flex w-fit max-w-[calc(100vw-16px)] animate-rise flex-wrap items-center justify-center gap-2 rounded-bar bg-overlay px-3.5 py-2.5 shadow-e2 max-sm:bottom-18 max-sm:left-0"
    >
      <p
        role="status"
        className="flex flex-wrap max-sm:w-full max-sm:pr-8 items-baseline gap-x-2 text-cell text-text-2"
      >
        <span className="text-body font-semibold text-text">{`${countText(selected.length)} selected`}</span>
        {saySelected(selected, deniedPerSecond)}
      </p>
      <span className="inline-flex items-center gap-1.5">
        <span aria-hidden="true" className="inline-flex items-center gap-1 text-cell text-text-3">
          <Ban className="size-3.5" />
          Block for
        </span>
        <span className="inline-flex">
          {lives.map(({ text, ms }) => (
            <Button
              key={text}
              variant="danger"
              size="lg"
              disabled={isBusy}
              aria-label={`Block ${countText(selected.length)} for ${text}`}
              onClick={() => void put("blocklist", ms, reason)}
              className="not-first:-ml-px not-first:rounded-l-none not-last:rounded-r-none"
            >
              {text}
            </Button>
          ))}
        </span>
      </span>
      {range !== undefined && (
        <Button
          size="lg"
          icon={<Network />}
          onClick={() =>
            onCommand({
              ...{ kind: "add", list: "blocklist", address: range, client: range, reason },
              selected: addresses,
            })
          }
        >
          {`Block ${range}…`}
        </Button>
      )}
      <Button size="lg" icon={<ShieldCheck />} onClick={() => setIsSafelisting(true)}>
        Safelist…
      </Button>
      <Kbd>{kbdOf("clearSelection")}</Kbd>
      <IconButton
        label="Clear the selection"
        size="lg"
        icon={<X />}
        onClick={onClear}
        className="max-sm:absolute max-sm:top-0 max-sm:right-0"
      />
      {isSafelisting && (
        <SafelistDialog
          count={selected.length}
          reason={reason}
          onClose={() => setIsSafelisting(false)}
          onConfirm={(wished) => void put("safelist", weekMs, wished)}
        />
      )}
    </section>
  );
}

interface SafelistDialogProps {
  count: number;
  reason: string;
  onClose: () => void;
  onConfirm: (reason: string) => void;
}

function SafelistDialog({ count, reason: evidence, onClose, onConfirm }: SafelistDialogProps) {
  const [reason, setReason] = useState(evidence);
  const what = counted(count, "address", "addresses");
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Safelist ${what} for 1 week?`}
      description="Their requests pass every rule, and entries of the blocklist do not apply to them. You can undo this."
      confirmLabel={`Safelist ${what} for 1 week`}
      onConfirm={() => {
        onClose();
        onConfirm(reason);
      }}
    >
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
      </Field>
    </ConfirmDialog>
  );
}

/** Writes the selected clients at once. Customers among them are named and asked about once. */
function useBulk(selected: readonly Offender[], onClear: () => void) {
  const { run, isBusy } = useMutate();
  const tell = useTellChange();
  const check = useBlockCheck();
  const put = async (list: ListName, ttlMs: number, reason: string) => {
    const addresses = selected.map(({ client }) => client);
    const checked = list === "blocklist" ? await check(addresses, ttlMs) : undefined;
    if (list === "blocklist" && !checked) return;
    const input = { list, addresses, ttlMs, reason, confirmed: [] };
    const done = await run(async () => ({
      ok: true,
      value: await inSteps((after) => addLines({ ...input, after })),
    }));
    if (!done) return;
    const total = done.value;
    if (!total.failure) onClear();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    const title = checked?.sayDone(total.done) ?? resultOf(list, total.done, ttlMs);
    await tell({ tone, title, total, note: checked?.unknown });
  };
  return { put, isBusy };
}
