"use client";

import { Badge } from "../../../../components/ui/badge.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { Field } from "../../../../components/ui/field.tsx";
import { LinkButton } from "../../../../components/ui/link-button.tsx";
import { Textarea } from "../../../../components/ui/textarea.tsx";
import { defaultPolicy } from "../../../../lib/policy/defaults.ts";
import { itemsOf, pathText } from "../_draft/document.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { NumberAt } from "../_rule/fields.tsx";
import { FormScopeProvider, usePlace, useTyped } from "../_rule/form-scope.tsx";
import { sentence } from "../_rule/sentence.ts";

const usual = defaultPolicy.edge;

/** Who is turned away before a request reaches the fleet. */
export function EdgeCard({ editor }: { editor: PolicyEditor }) {
  const { base, policy } = editor.draft;
  const isChanged = JSON.stringify(base.edge) !== JSON.stringify(policy.edge);
  return (
    <Card
      title="Edge"
      hint="who is turned away before a request reaches the fleet"
      actions={
        <>
          {isChanged && <Badge tone="plain">changed</Badge>}
          <LinkButton size="sm" href="/edge">
            Who that is now
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
            unit="a min"
            standard={usual.standardPerMinute}
          />
          <NumberAt
            path={["broadPerMinute"]}
            label="A known tool"
            hint="requests"
            unit="a min"
            standard={usual.broadPerMinute}
          />
          <NumberAt
            path={["coolDownMinutes"]}
            label="Cool-down"
            hint="after the last minute over"
            unit="min"
            standard={usual.coolDownMinutes}
          />
          <Tools editor={editor} />
        </div>
      </FormScopeProvider>
    </Card>
  );
}

/** One a line. Without any, nobody is taken for a tool. */
function Tools({ editor }: { editor: PolicyEditor }) {
  const { value, put, problem, isReadOnly } = usePlace(["tools"], true);
  const [shown, setTyped] = useTyped(value ?? usual.tools, linesOf, (list) => itemsOf(list).join("\n"));
  const at = wrongPlace(editor);
  const error = problem && at !== undefined ? `“${String(itemsOf(value)[at])}”: ${problem}` : problem;
  return (
    <Field
      label="Known tools"
      hint="one a line: a word of their user agent, in small or capital letters"
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

/** Which of them is no word that a tool could be known by. */
function wrongPlace({ standing: { problems } }: PolicyEditor): number | undefined {
  const start = `${pathText(["edge", "tools"])}[`;
  const found = problems.find(({ path }) => path.startsWith(start));
  return found && Number.parseInt(found.path.slice(start.length), 10);
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}
