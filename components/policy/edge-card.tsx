"use client";

import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { defaultPolicy } from "@/lib/enforce/policy/stored.ts";
import { itemsOf, pathText } from "./draft/document.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";
import { NumberAt } from "./rules/fields.tsx";
import { FormScopeProvider, usePlace, useTyped } from "./rules/form-scope.tsx";
import { sentence } from "./rules/rule-words.ts";

const usual = defaultPolicy.edge;

/** Limits at the edge, where clients are denied before a request reaches an app. */
export function EdgeCard({ editor }: { editor: PolicyEditor }) {
  const { base, policy } = editor.draft;
  const isChanged = JSON.stringify(base.edge) !== JSON.stringify(policy.edge);
  return (
    <Card
      title="Edge"
      hint="clients are denied before their requests reach an app"
      actions={
        <>
          {isChanged && <Badge tone="plain">changed</Badge>}
          <LinkButton size="sm" href="/edge">
            Show denied clients
          </LinkButton>
        </>
      }
    >
      <FormScopeProvider editor={editor} root={["edge"]}>
        <div className="grid gap-3 sm:grid-cols-3">
          <NumberAt
            path={["standardPerMinute"]}
            label="One client on one path"
            hint="requests"
            unit="/min"
            standard={usual.standardPerMinute}
          />
          <NumberAt
            path={["broadPerMinute"]}
            label="A known tool"
            hint="requests"
            unit="/min"
            standard={usual.broadPerMinute}
          />
          <NumberAt
            path={["coolDownMinutes"]}
            label="Cool-down"
            hint="after the last minute over the limit"
            unit="min"
            standard={usual.coolDownMinutes}
          />
          <Tools editor={editor} />
        </div>
      </FormScopeProvider>
    </Card>
  );
}

/** One per line. Without any, no client counts as a known tool. */
function Tools({ editor }: { editor: PolicyEditor }) {
  const { value, put, problem, isReadOnly } = usePlace(["tools"], true);
  const [shown, setTyped] = useTyped(value ?? usual.tools, linesOf, (list) => itemsOf(list).join("\n"));
  const at = wrongPlace(editor);
  const error = problem && at !== undefined ? `“${String(itemsOf(value)[at])}”: ${problem}` : problem;
  return (
    <Field
      label="Known tools"
      hint="one per line: a word of their user agent, not case-sensitive"
      error={sentence(error)}
      className="sm:col-span-3"
    >
      <Textarea
        isMono
        rows={6}
        spellCheck={false}
        value={shown}
        readOnly={isReadOnly}
        onChange={({ target }) => {
          setTyped(target.value);
          put(linesOf(target.value));
        }}
      />
    </Field>
  );
}

/** Index of the first word that cannot identify a tool. */
function wrongPlace({ standing: { problems } }: PolicyEditor): number | undefined {
  const start = `${pathText(["edge", "tools"])}[`;
  const found = problems.find(({ path }) => path.startsWith(start));
  return found && Number.parseInt(found.path.slice(start.length), 10);
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}
