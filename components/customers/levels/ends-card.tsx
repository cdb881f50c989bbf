"use client";

import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Segmented } from "@/components/ui/segmented.tsx";
import { type EndChoice, toField } from "../draft/ends.ts";
import { keptEnd, type Problems, sayEnd } from "../draft/save.ts";
import type { Editor } from "../draft/use-editor.ts";

const choices: readonly { value: EndChoice; label: string }[] = [
  { value: "24h", label: "24h" },
  { value: "1w", label: "1w" },
  { value: "30d", label: "30d" },
  { value: "date", label: "Date…" },
  { value: "never", label: "Never" },
];
const oneWeekMs = 7 * 86_400_000;

interface EndsCardProps {
  editor: Editor;
  problems: Problems;
  /** The missing reason is shown after the first attempt. */
  isTried: boolean;
}

/** For how long, and why. */
export function EndsCard({ editor, problems, isTried }: EndsCardProps) {
  const { draft, edit } = editor;
  return (
    <Card>
      <div className="flex flex-wrap gap-4">
        {draft.rows && <EndsField editor={editor} problem={problems.ends} />}
        <Field
          className="min-w-0 flex-1 basis-60"
          label="Reason"
          hint="required"
          error={isTried && problems.reason && `${problems.reason}.`}
        >
          <Input
            value={draft.reason}
            placeholder="Quarter-end import, ticket number"
            aria-required
            onChange={({ target }) => edit((before) => ({ ...before, reason: target.value }))}
          />
        </Field>
      </div>
    </Card>
  );
}

function EndsField({ editor, problem }: { editor: Editor; problem: string | undefined }) {
  const { base, draft, edit } = editor;
  const now = useNow();
  const { choice, text } = draft.ends;
  const choose = (next: EndChoice) => {
    const proposed = text === "" ? toField(keptEnd(base) ?? now + oneWeekMs) : text;
    edit((before) => ({ ...before, ends: { choice: next, text: proposed } }));
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Field label="Custom throttle ends">
        <Segmented<EndChoice>
          label="Custom throttle ends"
          value={choice}
          onChange={choose}
          options={choices}
        />
      </Field>
      {choice === "date" && (
        <Field label="Day and time" hint="UTC" error={problem && `${problem}.`}>
          <Input
            type="datetime-local"
            value={text}
            onChange={({ target }) => edit((before) => ({ ...before, ends: { choice, text: target.value } }))}
          />
        </Field>
      )}
      <p suppressHydrationWarning className="text-cell text-text-3">
        {sayEnd(draft, base, now)}
      </p>
    </div>
  );
}
