import { Ban, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useBlockCheck } from "@/components/console/block-check.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { aWeek, type Expiry } from "@/components/lists/composer/expiry.ts";
import { ExpiryField } from "@/components/lists/composer/expiry-field.tsx";
import { PreviewList } from "@/components/lists/composer/preview-list.tsx";
import { usePreview } from "@/components/lists/composer/use-preview.ts";
import { resultOf } from "@/components/lists/list-words.ts";
import { TagsField } from "@/components/lists/tags/tags-field.tsx";
import { writeLines } from "@/components/lists/write-lines.ts";
import { Dialog } from "@/components/ui/dialog.tsx";
import { DialogActions } from "@/components/ui/dialog-actions.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { ListName } from "@/lib/redis/keys.ts";
import { rangesOf } from "./client-words.ts";
import { ReachNote } from "./reach-note.tsx";

interface ListDialogProps {
  /** The list that is chosen first. */
  list?: ListName;
  client: string;
  address: string;
  /** Prefilled reason for the audit log: the evidence. It can be edited. */
  reason: string;
  mayForever: boolean;
  onClose: () => void;
  /** The write is done. */
  onAdded?: (() => void) | undefined;
  /** Clients for which the range was chosen. */
  selected?: readonly string[] | undefined;
}

/** Blocks or safelists a client or a range around it. Shows first which requests that would have affected. */
export function ListDialog(props: ListDialogProps) {
  const { client, mayForever, onClose, selected } = props;
  const listing = useListing(props);
  const { ready, isBusy } = listing;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={600}
      title="Block or safelist"
      description="Applied on every node within a second. You can undo it."
      footer={<Foot listing={listing} onClose={onClose} />}
    >
      <div className="flex flex-col gap-4">
        <Choices {...{ client, mayForever, listing }} />
        <Effect listing={listing} selected={selected} />
        {!ready.can && !ready.isChecking && !isBusy && (
          <p id="listing-why" className="text-cell text-text-3">
            {ready.why}
          </p>
        )}
      </div>
    </Dialog>
  );
}

interface ChoicesProps {
  client: string;
  mayForever: boolean;
  listing: Listing;
}

function Choices({ client, mayForever, listing: { chosen, choose, problem } }: ChoicesProps) {
  const ranges = rangesOf(client);
  return (
    <>
      <Segmented
        label="List"
        value={chosen.list}
        onChange={(list) => choose({ list })}
        options={[
          { value: "blocklist", label: "Block", icon: <Ban />, tone: "blocked" },
          { value: "safelist", label: "Safelist", icon: <ShieldCheck />, tone: "safelisted" },
        ]}
      />
      {ranges.length > 1 && (
        <RadioCards
          label="Address or range"
          value={chosen.address}
          onChange={(address) => choose({ address })}
          options={ranges.map(({ address, size }) => ({ value: address, title: address, children: size }))}
        />
      )}
      <ExpiryField expiry={chosen.expiry} mayForever={mayForever} onChange={(expiry) => choose({ expiry })} />
      <Field label="Reason" hint="shown in the audit log" error={problem && `${problem}.`}>
        <Input value={chosen.reason} onChange={({ target }) => choose({ reason: target.value })} />
      </Field>
      <TagsField hint="with a space between" text={chosen.tags} onChange={(tags) => choose({ tags })} />
    </>
  );
}

type Listing = ReturnType<typeof useListing>;

interface EffectProps {
  listing: Listing;
  selected: readonly string[] | undefined;
}

/** Verdict of the line, and the clients that the entry would have affected. */
function Effect({ listing: { chosen, preview, failure, confirm }, selected }: EffectProps) {
  return (
    <section
      aria-label="Preview"
      aria-live="polite"
      className="flex flex-col gap-3 rounded-control border border-border bg-sunken p-3"
    >
      {failure && (
        <p role="alert" className="text-cell text-blocked">
          {failure}
        </p>
      )}
      {preview && <PreviewList list={chosen.list} preview={preview} onConfirm={confirm} />}
      <ReachNote list={chosen.list} address={chosen.address} selected={selected} />
    </section>
  );
}

function Foot({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { chosen, ready, isBusy, submit } = listing;
  const isChecking = !ready.can && ready.isChecking === true;
  return (
    <DialogActions
      onCancel={onClose}
      variant={chosen.list === "blocklist" ? "danger" : "primary"}
      isBusy={isBusy || isChecking}
      disabled={!ready.can && !isChecking}
      aria-describedby="listing-why"
      onClick={() => void submit()}
    >
      {ready.label}
    </DialogActions>
  );
}

interface Chosen {
  readonly list: ListName;
  readonly address: string;
  readonly expiry: Expiry;
  readonly reason: string;
  readonly tags: string;
}

/** State of the dialog: the choices, their preview, and the write. */
function useListing(props: ListDialogProps) {
  const { list: first = "blocklist", address, reason, mayForever, onClose, onAdded } = props;
  const [chosen, setChosen] = useState<Chosen>({ list: first, address, expiry: aWeek, reason, tags: "" });
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const { run, isBusy, failure } = useMutate();
  const tell = useTellChange();
  const check = useBlockCheck();
  const { list, address: text } = chosen;
  const { ready, problem, preview, ...previewing } = usePreview({ ...chosen, text, confirmed, mayForever });

  const submit = async () => {
    if (!ready.can || isBusy) return;
    const checked = list === "blocklist" ? await check([text], ready.ttlMs) : undefined;
    if (list === "blocklist" && !checked) return;
    const done = await run(async () => {
      const total = await writeLines({ list, ready, text, reason: chosen.reason, confirmed });
      return total.failure ? { ok: false, error: total.failure } : { ok: true, value: total };
    });
    // The typed text stays until the write is done.
    if (!done) return;
    const total = done.value;
    onClose();
    if (total.done > 0) onAdded?.();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    const title = checked?.sayDone(total.done) ?? resultOf(list, total.done, ready.ttlMs);
    await tell({ tone, title, total, note: checked?.unknown });
  };
  return {
    ...{ chosen, problem, preview, ready, isBusy, submit },
    failure: (failure ?? previewing.failure)?.message,
    choose: (next: Partial<Chosen>) => setChosen((before) => ({ ...before, ...next })),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}
