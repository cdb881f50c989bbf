"use client";

import { Button } from "../../../../components/ui/button.tsx";
import { counted } from "../../../../components/ui/count-text.ts";
import { Sheet } from "../../../../components/ui/sheet.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { pathText } from "../_draft/document.ts";
import { nameOf } from "../_draft/rule-words.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { FormScopeProvider } from "./form-scope.tsx";
import { RuleFields } from "./rule-fields.tsx";
import { RuleMode } from "./rule-mode.tsx";

interface RuleSheetProps {
  editor: PolicyEditor;
  /** Its place in the draft. */
  place: number;
  onClose: () => void;
}

const shownElsewhere =
  /^(name|client|algorithm|levels|cost|mode|match|response|onStoreError|ipv6Prefix|requireBasic|ban)\b/;

/** One rule with all its fields. What is typed is in the draft at once. */
export function RuleSheet({ editor, place, onClose }: RuleSheetProps) {
  const rule = editor.draft.policy.rules[place];
  if (!rule) return null;
  const root = ["rules", place];
  const start = `${pathText(root)}.`;
  const problems = editor.standing.problems.filter(({ path }) => path.startsWith(start));
  const others = problems.filter(({ path }) => !shownElsewhere.test(path.slice(start.length)));
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width={560}
      title={
        <>
          Rule <Untrusted text={nameOf(rule, place)} max={64} className="font-mono" />
        </>
      }
      description={
        editor.mayChange ? "Changes are in the draft at once, and in force when it is published." : undefined
      }
      footer={
        <>
          <p role="status" className="mr-auto text-cell text-text-2">
            {problems.length > 0 && counted(problems.length, "problem")}
          </p>
          <Button variant="primary" size="lg" onClick={onClose}>
            {editor.mayChange ? "Done" : "Close"}
          </Button>
        </>
      }
    >
      <FormScopeProvider editor={editor} root={root}>
        {others.map(({ path, message }) => (
          <p key={path} role="alert" className="mb-3 text-cell text-blocked">
            <Untrusted text={path.slice(start.length)} max={80} className="font-mono" />: {message}.
          </p>
        ))}
        <div className="mb-4 flex flex-col items-start gap-1.5">
          <p className="text-cell text-text-2">Mode</p>
          <RuleMode editor={editor} place={place} />
        </div>
        <RuleFields />
      </FormScopeProvider>
    </Sheet>
  );
}
