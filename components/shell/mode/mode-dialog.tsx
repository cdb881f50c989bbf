"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Siren } from "lucide-react";
import { type FormEvent, useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { RadioCards } from "@/components/ui/radio-cards.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { switchMode } from "@/lib/console/actions/policy.ts";
import type { Mode } from "@/lib/enforce/policy/schema.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import type { Status } from "@/lib/queries/status.ts";
import { useAttackSwitch } from "../attack/attack-switch.tsx";
import { SwitchDone } from "../switch-done.tsx";
import { choicesFor, modeEffects, sayWhoUndoes } from "./mode-effects.ts";

/** Explains the mode. Users with the permission can switch it. */
export function ModeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { known } = useStanding();
  const effect = known && modeEffects[known.mode];
  const choices = known ? choicesFor(known.you.role, known.mode) : [];
  const openAttack = useAttackSwitch();
  const mayAttack = known !== undefined && may(known.you.role, "ease-off");
  const switchAttack = () => {
    onClose();
    openAttack();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Emergency switch"
      description={effect && `${effect.now}. ${effect.effect}`}
      width={540}
      isAlert
    >
      {mayAttack && (
        <div className="mb-3.5 flex flex-wrap items-center justify-between gap-2 rounded-card border px-3.5 py-2.5">
          <p className="min-w-0 flex-1 basis-60 text-body">
            {known.attack
              ? "Attack mode is on."
              : "Under attack? Attack mode adds stricter limits for a time."}
          </p>
          <Button icon={<Siren />} onClick={switchAttack}>
            Attack mode…
          </Button>
        </div>
      )}
      {known && choices.length > 0 ? (
        <ModeForm you={known.you} now={known.mode} choices={choices} onClose={onClose} />
      ) : (
        <ReadOnly known={known} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReadOnly({ known, onClose }: { known: Status | undefined; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-text-2">
        {known
          ? `In an emergency, ${rolesThatMay("ease-off")} can switch to shadow or off. Only ${rolesThatMay("enforce")} can switch back.`
          : "The mode is unknown."}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        {known && <AskButton needs="ease-off" kind="change" target={sayAsked(known)} />}
        <Button size="lg" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}

function sayAsked({ mode, attack }: Status): string {
  return `the mode, now ${mode}, or attack mode, now ${attack ? "on" : "off"}`;
}

const lastings = [
  { value: "", label: "Until someone switches back" },
  { value: "15", label: "15 minutes" },
  { value: "60", label: "1 hour" },
  { value: "240", label: "4 hours" },
  { value: "1440", label: "24 hours" },
] as const;
type Lasting = (typeof lastings)[number]["value"];

interface ModeFormProps {
  you: Status["you"];
  now: Mode;
  choices: readonly Mode[];
  onClose: () => void;
}

/** Asks for a reason, shows the effect and who can switch back, and then the progress on the nodes. */
function ModeForm(props: ModeFormProps) {
  const [change, setChange] = useState<number | null>();
  const [before] = useState(props.now);
  if (change === undefined) return <Form {...props} onDone={setChange} />;
  return (
    <SwitchDone
      change={change}
      unchanged="Already in this mode. Nothing changed."
      mayUndo={may(props.you.role, before === "enforce" ? "enforce" : "ease-off")}
      onClose={props.onClose}
    />
  );
}

function Form({
  you,
  choices,
  onClose,
  onDone,
}: Omit<ModeFormProps, "now"> & { onDone: (change: number | null) => void }) {
  const [picked, setPicked] = useState<Mode>();
  const [reason, setReason] = useState("");
  const [minutes, setMinutes] = useState<Lasting>("");
  const client = useQueryClient();
  const { run, isBusy, failure } = useMutate();
  // Another user may switch while the form is open. A mode that is no longer a choice is not sent.
  const mode = picked && choices.includes(picked) ? picked : (choices[0] ?? "shadow");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === "" || isBusy) return;
    const lasting = minutes === "" ? {} : { minutes: Number(minutes) };
    const done = await run(() => switchMode({ mode, reason, ...lasting }));
    if (!done) return;
    onDone(done.value.change);
    await client.invalidateQueries();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3.5">
      <RadioCards
        label="Switch to"
        value={mode}
        onChange={setPicked}
        options={choices.map((value) => ({
          value,
          title: modeEffects[value].title,
          children: modeEffects[value].effect,
        }))}
      />
      {mode !== "enforce" && (
        <Field label="For" hint="then the mode goes back automatically, on every node">
          <Select label="For" value={minutes} onChange={setMinutes} options={lastings} />
        </Field>
      )}
      <Field label="Reason" hint="required; shown on every page while the mode lasts">
        <Textarea
          rows={3}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <p className="text-cell text-text-2">
        {sayWhoUndoes(you.role, mode)} Every user of the console sees who switched, when and why. The audit
        log has it, too.
      </p>
      {failure && (
        <p role="alert" className="text-cell text-blocked">
          {failure.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" size="lg" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          size="lg"
          variant={mode === "enforce" ? "primary" : "danger"}
          isBusy={isBusy}
          disabled={reason.trim() === ""}
        >
          {modeEffects[mode].verb}
        </Button>
      </div>
    </form>
  );
}
