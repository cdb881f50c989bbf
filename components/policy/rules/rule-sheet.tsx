"use client";

import { Button } from "@/components/ui/button.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { pathText } from "../draft/document.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { RequestRuleFields } from "../requests/request-rule-fields.tsx";
import { FormScopeProvider } from "./form-scope.tsx";
import { RuleFields } from "./rule-fields.tsx";
import { RuleMode } from "./rule-mode.tsx";
import { nameOf } from "./rule-words.ts";
import { pathOf, type RulePlace, rulesOf } from "./rules.ts";

interface RuleSheetProps extends RulePlace {
  editor: PolicyEditor;
  onClose: () => void;
}

/** Fields of each kind, and the problems that these fields show. */
const throttle = {
  Fields: RuleFields,
  shown:
    /^(name|client|algorithm|levels|slack|cost|mode|match|response|onStoreError|ipv6Prefix|requireBasic|ban)\b/,
};
const forms = {
  rules: throttle,
  attack: throttle,
  requestRules: { Fields: RequestRuleFields, shown: /^(name|action|match|mode|response)\b/ },
};

/** All fields of a rule. Input changes the draft immediately. */
export function RuleSheet({ editor, kind, place, onClose }: RuleSheetProps) {
  const rule = rulesOf(editor.draft.policy, kind)[place];
  if (!rule) return null;
  const { Fields, shown } = forms[kind];
  const root = pathOf({ kind, place });
  const start = `${pathText(root)}.`;
  const problems = editor.standing.problems.filter(({ path }) => path.startsWith(start));
  const others = problems.filter(({ path }) => !shown.test(path.slice(start.length)));
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
          <p key={path} role="alert" className="mb-3 text-cell text-blocked">
            <Untrusted text={path.slice(start.length)} max={80} className="font-mono" />: {message}.
          </p>
        ))}
        <div className="mb-4 flex flex-col items-start gap-1.5">
          <p className="text-cell text-text-2">Mode</p>
          <RuleMode editor={editor} kind={kind} place={place} />
        </div>
        <Fields />
      </FormScopeProvider>
    </Sheet>
  );
}
