"use client";

import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { wishedLevels } from "../draft/changes.ts";
import { readOwn, withHash } from "../draft/draft.ts";
import { writeHash } from "../draft/hash-text.ts";
import type { Editor } from "../draft/use-editor.ts";

/** The hash as in Redis, for copying and pasting. */
export function HashEditor({ editor, mayChange }: { editor: Editor; mayChange: boolean }) {
  const { now, draft, edit } = editor;
  const text = draft.hash ?? writeHash(wishedLevels(draft, now) ?? []);
  const problem = draft.hash === null ? undefined : readOwn(draft)?.problem;
  return (
    <div className="border-t border-border px-3.5 py-3">
      <Field label="Period in seconds → limit" hint="as in Redis" error={problem && `${problem}.`}>
        <Textarea
          isMono
          rows={3}
          spellCheck={false}
          value={text}
          readOnly={!mayChange}
          onChange={({ target }) => edit((before) => withHash(before, target.value))}
        />
      </Field>
    </div>
  );
}
