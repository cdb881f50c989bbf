"use client";

import { useRef } from "react";
import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { textOf } from "./draft/draft.ts";
import { placesIn } from "./draft/json-places.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** The whole draft as JSON. Text that does not parse is kept, and locks the forms. */
export function JsonCard({ editor }: { editor: PolicyEditor }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { draft, standing, mayChange, type } = editor;
  const text = textOf(draft);
  const places = placesIn(text);
  const show = (offset: number | undefined) => {
    field.current?.focus();
    if (offset !== undefined) field.current?.setSelectionRange(offset, offset);
  };
  return (
    <Card title="Policy as JSON" hint="the same draft" actions={<ViewSwitch />}>
      <Field
        label="Policy"
        hint={standing.isLocked ? "the forms show the last text that could be read" : undefined}
        error={standing.problems.length > 0 ? `${counted(standing.problems.length, "problem")}.` : undefined}
      >
        <Textarea
          ref={field}
          isMono
          rows={24}
          spellCheck={false}
          wrap="off"
          value={text}
          readOnly={!mayChange}
          onChange={({ target }) => type(target.value)}
        />
      </Field>
      <ul aria-label="Problems" className="mt-2 flex flex-col gap-1 text-cell">
        {standing.problems.map(({ path, message }) => (
          <li key={path} className="text-blocked">
            <button
              type="button"
              onClick={() => show(places.get(path)?.offset)}
              className="min-h-6 rounded-control text-left hover:underline max-sm:min-h-11"
            >
              {places.has(path) && `Line ${places.get(path)?.line}, `}
              <Untrusted text={path} max={120} className="font-mono" />:{" "}
              <Untrusted text={message} max={240} />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
