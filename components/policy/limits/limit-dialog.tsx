"use client";

import { type FormEvent, useState } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useTellSaved } from "@/components/console/draft-page.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { DialogActions } from "@/components/ui/dialog-actions.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { changeLimit } from "@/lib/console/actions/policy.ts";
import type { LimitOfCode } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { sentence } from "../rules/rule-words.ts";

type Mode = "off" | "shadow" | "enforce";
/** The fields of a level, as the policy names them. */
type Level = Readonly<Record<string, unknown>>;

const formId = "change-limit";
const labels: Readonly<Record<string, string>> = {
  ...{ limit: "Limit", periodSeconds: "Per, in s" },
  ...{ limitPerSecond: "Limit per s", halfLifeSeconds: "Half-life, in s", overageWeight: "Overage weight" },
};

interface LimitDialogProps {
  limit: LimitOfCode;
  editor: PolicyEditor;
  onClose: () => void;
}

/** Changes a limit of code on all nodes. */
export function LimitDialog({ limit, editor, onClose }: LimitDialogProps) {
  const { field, code, inForce, published } = limit;
  const [mode, setMode] = useState<Mode>(modeOf(inForce?.mode));
  const [levels, setLevels] = useState<readonly Level[]>(inForce?.levels ?? []);
  const [reason, setReason] = useState("");
  const [isWanting, setIsWanting] = useState(false);
  const { run, isBusy, failure } = useMutate();
  const tell = useTellSaved(editor.read);
  const save = async (given: { levels: Level[] | null; mode: Mode | null }, title: string) => {
    setIsWanting(reason.trim() === "");
    if (reason.trim() === "") return;
    const saved = await run(async () => {
      const result = await answered(() => changeLimit({ limit: field, reason, ...given }));
      await editor.read();
      return result;
    });
    if (!saved) return;
    const { change } = saved.value;
    tell({
      title: change === null ? "No change needed" : title,
      detail: <ChangeProgress change={change} />,
      changes: change === null ? [] : [change],
      undoReason: "Undone at once",
    });
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
    const hasOwnLevels = published?.says !== undefined || !isSame(levels, inForce?.levels);
    const hasOwnMode = published?.mode !== undefined || mode !== code?.mode;
    void save(
      { levels: hasOwnLevels ? levels.map((level) => ({ ...level })) : null, mode: hasOwnMode ? mode : null },
      `Limit ${field} published`,
    );
  };
  const error = failure && Object.keys(failure.fields).length === 0 ? failure.message : undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Limit ${field}`}
      description={
        code
          ? `The code of the app says ${code.says}, ${code.mode}. What you publish wins over it, on all nodes and at once.`
          : "No node has reported this limit for a week."
      }
      footer={
        <>
          {published && (
            <Button
              size="lg"
              className="mr-auto"
              isBusy={isBusy}
              onClick={() => void save({ levels: null, mode: null }, `Limit ${field}: the code decides`)}
            >
              Use the code
            </Button>
          )}
          {code && (
            <DialogActions onCancel={onClose} type="submit" form={formId} isBusy={isBusy}>
              Publish
            </DialogActions>
          )}
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {code && (
          <>
            <Field label="Mode">
              <Segmented
                label={`Mode of ${field}`}
                value={mode}
                onChange={setMode}
                options={[
                  { value: "off", label: "Off" },
                  { value: "shadow", label: "Shadow", tone: "shadow" },
                  { value: "enforce", label: "Enforce", tone: "pass" },
                ]}
              />
            </Field>
            {levels.map((level, place) => (
              <LevelFields
                // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other key than its place.
                key={place}
                {...{ level, place }}
                problems={failure?.fields ?? {}}
                onChange={(part) => setLevels(withPart(levels, place, part))}
              />
            ))}
          </>
        )}
        <Field
          label="Reason"
          hint="required"
          error={isWanting ? "Enter a reason. It is shown in the audit log." : failure?.fields.reason}
        >
          <Input value={reason} aria-required onChange={({ target }) => setReason(target.value)} />
        </Field>
        {error !== undefined && (
          <p role="alert" className="text-cell text-blocked">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface LevelFieldsProps {
  level: Level;
  place: number;
  /** By path, such as `levels[0].limit`. */
  problems: Readonly<Record<string, string>>;
  onChange: (part: Level) => void;
}

function LevelFields({ level, place, problems, onChange }: LevelFieldsProps) {
  const parts = Object.keys(level).filter((part) => labels[part] !== undefined);
  return (
    <fieldset aria-label={`Level ${place + 1}`} className="m-0 grid min-w-0 grid-cols-2 gap-2">
      {parts.map((part) => (
        <Field key={part} label={labels[part] ?? part} error={sentence(problems[`levels[${place}].${part}`])}>
          <Input
            inputMode="decimal"
            value={String(level[part])}
            onChange={({ target }) => onChange({ [part]: numberIn(target.value) })}
          />
        </Field>
      ))}
    </fieldset>
  );
}

/** What is no number yet is kept as it was typed. */
function numberIn(text: string): unknown {
  const plain = text.trim();
  return plain !== "" && String(Number(plain)) === plain ? Number(plain) : text;
}

function withPart(levels: readonly Level[], place: number, part: Level): Level[] {
  return levels.map((level, i) => (i === place ? { ...level, ...part } : level));
}

function modeOf(text: string | undefined): Mode {
  return text === "off" || text === "shadow" ? text : "enforce";
}
