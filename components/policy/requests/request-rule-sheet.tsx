"use client";

import { Button } from "@/components/ui/button.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { pathText } from "../draft/document.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ProblemText } from "../rules/fields.tsx";
import { FormScopeProvider } from "../rules/form-scope.tsx";
import { nameOf } from "../rules/rule-words.ts";
import { RequestRuleFields } from "./request-rule-fields.tsx";
import { RequestRuleMode } from "./request-rule-row.tsx";
import { requestRulesOf, sentenceOf } from "./request-rules.ts";

interface RequestRuleSheetProps {
  editor: PolicyEditor;
  /** Place of the rule in the draft. */
  place: number;
  onClose: () => void;
}

const shownElsewhere = /^(name|action|match\.|mode|response)/;

/** All fields of a rule that denies or exempts requests. Input changes the draft immediately. */
export function RequestRuleSheet({ editor, place, onClose }: RequestRuleSheetProps) {
  const rule = requestRulesOf(editor.draft.policy)[place];
  if (!rule) return null;
  const root = ["requestRules", place];
  const start = `${pathText(root)}.`;
  const problems = editor.standing.problems.filter(({ path }) => path.startsWith(start));
  const others = problems.filter(({ path }) => !shownElsewhere.test(path.slice(start.length)));
  const sentence = sentenceOf(rule);
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width={560}
      title={<Untrusted text={nameOf(rule, place)} max={64} className="font-mono" />}
      description={
        editor.mayChange
          ? "Changes go into the draft immediately and are in force once you publish it."
          : undefined
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
          <ProblemText key={path} problem={message} />
        ))}
        <p className="mb-4 rounded-control border border-border bg-sunken px-3 py-2 text-cell wrap-anywhere">
          {sentence === undefined ? (
            <span className="text-text-3">What the rule does is shown here once it has no problems.</span>
          ) : (
            <Untrusted text={sentence} max={600} />
          )}
        </p>
        <div className="mb-4 flex flex-col items-start gap-1.5">
          <p className="text-cell text-text-2">Mode</p>
          <RequestRuleMode editor={editor} rule={rule} place={place} />
        </div>
        <RequestRuleFields />
      </FormScopeProvider>
    </Sheet>
  );
}
