import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { inSteps } from "@/components/console/in-steps.ts";
import { endInWords, forHowLong } from "@/components/console/time-words.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { aWeek, ttlOf } from "@/components/lists/composer/expiry.ts";
import { ExpiryField } from "@/components/lists/composer/expiry-field.tsx";
import { rangeSize } from "@/components/lists/list-words.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { removeMany, setExpiry } from "@/lib/console/actions/lists.ts";
import { reasonProblem } from "@/lib/enforce/lists/entry.ts";
import { notes } from "@/lib/queries/notes.ts";
import { ListDialog } from "./list-dialog.tsx";

interface EntryDialogProps<C extends EntryCommand = EntryCommand> {
  command: C;
  mayForever: boolean;
  onClose: () => void;
  /** The entry was added. */
  onAdded?: (() => void) | undefined;
}

type Command<K extends EntryCommand["kind"]> = Extract<EntryCommand, { kind: K }>;

/** Asks about a change of one entry, and makes it. */
export function EntryDialog({ command, onAdded, ...props }: EntryDialogProps) {
  if (command.kind === "remove") return <RemoveDialog command={command} {...props} />;
  if (command.kind === "expiry") return <ExpiryDialog command={command} {...props} />;
  const { list, address, client, reason, selected } = command;
  return <ListDialog {...{ list, address, client, reason, selected, onAdded }} {...props} />;
}

/** Removes an entry. Of a range it says that all of the range is removed. */
function RemoveDialog({ command, onClose }: EntryDialogProps<Command<"remove">>) {
  const { list, address, client, others } = command;
  const [reason, setReason] = useState("");
  const { change, ...state } = useChange(onClose);
  const isBlock = list === "blocklist";
  const problem = reasonProblem(reason);
  const remove = () =>
    change(`${address} ${isBlock ? "unblocked" : "removed from the safelist"}`, () =>
      removeMany({ list, addresses: [address], reason }),
    );
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isBlock ? `Unblock ${address}` : `Remove ${address} from the safelist`}
      description={removalEffect(command)}
      confirmLabel={isBlock ? `Unblock ${address}` : `Remove ${address}`}
      onConfirm={() => void remove()}
      isDisabled={problem !== undefined}
      {...state}
    >
      <div className="flex flex-col gap-3">
        {others.length > 0 && (
          <p className="text-cell text-text-2">
            {`${client} stays on the ${list}: `}
            <span className="font-mono">{others.join(", ")}</span>
            {others.length === 1 ? " covers it, too." : " cover it, too."}
          </p>
        )}
        <NewestNote client={client} />
        <ReasonField reason={reason} onChange={setReason} />
      </div>
    </ConfirmDialog>
  );
}

function removalEffect({ address, client, others }: Command<"remove">): string {
  if (address !== client)
    return `The entry is a range: ${rangeSize(address)}. All of it is removed, not only ${client}.`;
  return others.length > 0 ? "This entry alone is removed." : `Rules check the requests of ${client} again.`;
}

/** It may say why the client has to stay blocked. */
function NewestNote({ client }: { client: string }) {
  const { data, error } = useQuery(notes({ kind: "client", id: client }));
  const [newest] = data?.notes ?? [];
  if (error) return <p className="text-cell text-text-3">Notes failed to load. {error.message}</p>;
  if (!newest) return null;
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-cell text-text-2">
      <Untrusted text={newest.text} max={500} className="whitespace-pre-line text-text" />
      <span className="block text-text-3">
        Note by <Untrusted text={newest.by} max={80} />, <Timestamp at={newest.at} />
      </span>
    </p>
  );
}

/** Sets when an entry expires, earlier or later. */
function ExpiryDialog({ command, mayForever, onClose }: EntryDialogProps<Command<"expiry">>) {
  const { list, address, expiresAt } = command;
  const now = useNow();
  const [expiry, setExpiryField] = useState(aWeek);
  const [reason, setReason] = useState("");
  const { change, ...state } = useChange(onClose);
  const ttl = ttlOf(expiry, mayForever);
  const says = ttl.ok ? expiryWords(ttl.value) : "expires";
  const set = async () => {
    if (!ttl.ok) return;
    const ttlMs = ttl.value;
    await change(`${address} ${says}`, () => setExpiry({ list, addresses: [address], ttlMs, reason }));
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Change the expiry of ${address}`}
      description={
        expiresAt === null
          ? `It is on the ${list} and never expires.`
          : `It is on the ${list} until ${endInWords(expiresAt, now)}.`
      }
      confirmLabel={ttl.ok && ttl.value === null ? "Never expire" : says.replace("expires", "Expire")}
      onConfirm={() => void set()}
      isDisabled={!ttl.ok || reasonProblem(reason) !== undefined}
      {...state}
    >
      <div className="flex flex-col gap-3">
        <ExpiryField expiry={expiry} mayForever={mayForever} onChange={setExpiryField} />
        <ReasonField reason={reason} onChange={setReason} />
      </div>
    </ConfirmDialog>
  );
}

/** "expires in 1 hour", "never expires" */
function expiryWords(ttlMs: number | null): string {
  return ttlMs === null ? "never expires" : `expires ${forHowLong(ttlMs).replace("for ", "in ")}`;
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const problem = reasonProblem(reason);
  return (
    <Field label="Reason" hint="shown in the audit log" error={problem && `${problem}.`}>
      <Input value={reason} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}

/** Makes the change of a dialog. The dialog stays open, with its failure, until it is made. */
function useChange(onClose: () => void) {
  const { run, isBusy, failure } = useMutate();
  const tell = useTellChange();
  const change = async (title: string, call: () => ReturnType<typeof removeMany>) => {
    const done = await run(async () => {
      const total = await inSteps(call);
      return total.failure ? { ok: false, error: total.failure } : { ok: true, value: total };
    });
    if (!done) return;
    onClose();
    const total = done.value;
    await tell({ tone: "plain", title: total.done === 0 ? "Nothing was changed" : title, total });
  };
  return { change, isBusy, error: failure?.message };
}
