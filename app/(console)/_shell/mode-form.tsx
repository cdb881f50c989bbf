"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState, useTransition } from "react";
import { ChangeProgress } from "../../../components/change-progress.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { RadioCards } from "../../../components/ui/radio-cards.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import type { Mode } from "../../../lib/policy/schema.ts";
import type { Status } from "../../../lib/queries/status.ts";
import { switchMode } from "../../_actions/mode.ts";
import { modeEffects, sayWhoUndoes } from "./mode-effects.ts";

interface ModeFormProps {
  you: Status["you"];
  choices: readonly Mode[];
  onClose: () => void;
}

interface Done {
  readonly change: number | null;
}

/** Asks for a reason, says what will happen and who can take it back, and then how far it got. */
export function ModeForm(props: ModeFormProps) {
  const [done, setDone] = useState<Done>();
  return done ? <Switched done={done} onClose={props.onClose} /> : <Form {...props} onDone={setDone} />;
}

function Form({ you, choices, onClose, onDone }: ModeFormProps & { onDone: (done: Done) => void }) {
  const [picked, setPicked] = useState<Mode>();
  const [reason, setReason] = useState("");
  const { submit, isBusy, error } = useSwitch(onDone);
  // Somebody else may switch meanwhile: what is no choice any more is not sent.
  const mode = picked && choices.includes(picked) ? picked : (choices[0] ?? "shadow");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() !== "" && !isBusy) submit(mode, reason);
  };
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-3.5">
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
      <Field label="Reason" hint="required; shown on every page while it lasts">
        <Textarea
          rows={3}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
      <p className="text-cell text-text-2">
        {sayWhoUndoes(you.role, mode)} Everybody who has the console open sees who did it, when and why, and
        it goes on record.
      </p>
      {error && (
        <p role="alert" className="text-cell text-blocked">
          {error}
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

function useSwitch(onDone: (done: Done) => void) {
  const client = useQueryClient();
  const [error, setError] = useState<string>();
  const [isBusy, start] = useTransition();
  const submit = (mode: Mode, reason: string) =>
    start(async () => {
      setError(undefined);
      const result = await switchMode({ mode, reason }).catch(() => undefined);
      if (!result)
        return setError("The console does not answer. Whether it was switched shows when it is back.");
      if (!result.ok) return setError(result.error.message);
      onDone({ change: result.value.change });
      await client.invalidateQueries();
    });
  return { submit, isBusy, error };
}

function Switched({ done: { change }, onClose }: { done: Done; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      {change === null ? (
        <p className="text-cell text-text-2">It was so before.</p>
      ) : (
        <ChangeProgress change={change} />
      )}
      <Button size="lg" variant="primary" className="self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
