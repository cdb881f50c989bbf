import { Ban, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { aWeek, type Expiry } from "@/components/lists/composer/expiry.ts";
import { ExpiryField } from "@/components/lists/composer/expiry-field.tsx";
import { groupsOf } from "@/components/lists/composer/preview-groups.ts";
import { PreviewList } from "@/components/lists/composer/preview-list.tsx";
import { usePreview } from "@/components/lists/composer/use-preview.ts";
import { resultOf } from "@/components/lists/list-words.ts";
import { writeLines } from "@/components/lists/write-lines.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { ListName } from "@/lib/redis/keys.ts";
import { rangesOf } from "./client-words.ts";
import { ReachNote } from "./reach-note.tsx";

interface ListDialogProps {
  client: string;
  address: string;
  /** Prefilled reason for the audit log: the evidence. It can be edited. */
  reason: string;
  mayForever: boolean;
  onClose: () => void;
}

/** Blocks or safelists a client or a range around it. Shows first which requests that would have affected. */
export function ListDialog(props: ListDialogProps) {
  const { client, mayForever, onClose } = props;
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
        <Effect listing={listing} />
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
    </>
  );
}

type Listing = ReturnType<typeof useListing>;

/** Verdict of the line, and the clients that the entry would have affected. */
function Effect({ listing: { chosen, preview, failure, confirm } }: { listing: Listing }) {
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
      {preview && <PreviewList groups={groupsOf(chosen.list, preview)} onConfirm={confirm} />}
      <ReachNote list={chosen.list} address={chosen.address} />
    </section>
  );
}

function Foot({ listing, onClose }: { listing: Listing; onClose: () => void }) {
  const { chosen, ready, isBusy, submit } = listing;
  const isChecking = !ready.can && ready.isChecking === true;
  return (
    <>
      <Button variant="ghost" size="lg" onClick={onClose}>
        Cancel
      </Button>
      <Button
        variant={chosen.list === "blocklist" ? "danger" : "primary"}
        size="lg"
        isBusy={isBusy || isChecking}
        disabled={!ready.can && !isChecking}
        aria-describedby="listing-why"
        onClick={() => void submit()}
      >
        {ready.label}
      </Button>
    </>
  );
}

interface Chosen {
  readonly list: ListName;
  readonly address: string;
  readonly expiry: Expiry;
  readonly reason: string;
}

/** State of the dialog: the choices, their preview, and the write. */
function useListing({ address, reason, mayForever, onClose }: ListDialogProps) {
  const [chosen, setChosen] = useState<Chosen>({ list: "blocklist", address, expiry: aWeek, reason });
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const { run, isBusy, failure } = useMutate();
  const tell = useTellChange();
  const { list, address: text } = chosen;
  const { ready, problem, preview, ...previewing } = usePreview({ ...chosen, text, confirmed, mayForever });

  const submit = async () => {
    if (!ready.can || isBusy) return;
    const done = await run(async () => {
      const total = await writeLines({ list, ready, text, reason: chosen.reason, confirmed });
      return total.failure ? { ok: false, error: total.failure } : { ok: true, value: total };
    });
    // The typed text stays until the write is done.
    if (!done) return;
    const total = done.value;
    onClose();
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    await tell({ tone, title: resultOf(list, total.done, ready.ttlMs), total });
  };
  return {
    ...{ chosen, problem, preview, ready, isBusy, submit },
    failure: (failure ?? previewing.failure)?.message,
    choose: (next: Partial<Chosen>) => setChosen((before) => ({ ...before, ...next })),
    confirm: (range: string) => setConfirmed((before) => [...before, range]),
  };
}
