"use client";

import { useRef } from "react";
import { Card } from "../../../../components/ui/card.tsx";
import { counted } from "../../../../components/ui/count-text.ts";
import { Field } from "../../../../components/ui/field.tsx";
import { Textarea } from "../../../../components/ui/textarea.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { textOf } from "../_draft/draft.ts";
import { placesIn } from "../_draft/json-places.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { ViewSwitch } from "./view-switch.tsx";

/** The whole draft as JSON. What does not parse stays as it is, and the forms wait. */
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
        hint={standing.isLocked ? "the forms show what could be read last" : undefined}
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
