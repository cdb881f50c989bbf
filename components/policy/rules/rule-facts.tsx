import { Badge } from "@/components/ui/badge.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { Mode } from "@/lib/enforce/policy/schema.ts";
import { pathText } from "../draft/document.ts";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { slackOf } from "./rule-words.ts";
import { type RulePlace, rulesOf } from "./rules.ts";

interface RuleFactProps {
  editor: PolicyEditor;
  rule: FormRule;
}

/** Requests that the rule denied in the last hour. A dash where it could deny none. */
export function RuleDenied({ editor, rule }: RuleFactProps) {
  const { denied } = seenOf(editor, rule);
  const mayDeny = modeInForce(editor, rule) === "enforce" && rule.action !== "exempt";
  return denied === 0 && !mayDeny ? <None /> : countText(denied);
}

/** Requests that the rule would have denied in the last hour, had it not been in shadow. */
export function RuleShadowed({ editor, rule }: RuleFactProps) {
  const { shadowed } = seenOf(editor, rule);
  const mayDeny = modeInForce(editor, rule) === "shadow" && rule.action !== "exempt";
  if (shadowed === 0 && !mayDeny) return <None />;
  return <span className="text-shadow">{countText(shadowed)}</span>;
}

/** Requests that passed over the rule's limits in the last hour. */
export function RuleOver({ editor, rule }: RuleFactProps) {
  const { over } = seenOf(editor, rule);
  return over === 0 && !rule.slack ? <None /> : countText(over);
}

const None = () => <span className="text-text-3">–</span>;

/** The same for phones, which have no hover. */
export function RuleOverLine({ editor, rule }: RuleFactProps) {
  const { over } = seenOf(editor, rule);
  if (over === 0 && !rule.slack) return null;
  const slack = slackOf(editor, rule);
  return (
    <p className="text-text-3">
      Over the limit in the last hour: {countText(over)}.{slack !== undefined && ` Slack ${slack}.`}
    </p>
  );
}

/** Requests that the rule took out of all limits in the last hour, or would have taken if it were not in shadow. */
export function RuleExempt({ editor, rule }: RuleFactProps) {
  const { exempt } = seenOf(editor, rule);
  return exempt === 0 && (rule.action !== "exempt" || modeInForce(editor, rule) === "off") ? (
    <None />
  ) : (
    countText(exempt)
  );
}

/** Third number of a rule's last hour, after what it denied and would have denied. */
export const thirdFact = {
  rules: { label: "Passed over limit", Fact: RuleOver },
  requestRules: { label: "Exempt", Fact: RuleExempt },
};

/** Kinds of rules that have a table of their own. */
export type ListedKind = keyof typeof thirdFact;

/** What the rule did in the last hour, for phones. */
export function LastHour(props: RuleFactProps) {
  return (
    <p className="text-text-3">
      {props.rule.action === "exempt" ? (
        <>
          Exempt in the last hour: <RuleExempt {...props} />
        </>
      ) : (
        <>
          Denied in the last hour: <RuleDenied {...props} />
          {" · "}would be denied: <RuleShadowed {...props} />
        </>
      )}
    </p>
  );
}

const nothing = { denied: 0, shadowed: 0, exempt: 0, over: 0 };

function seenOf({ now }: PolicyEditor, { name }: FormRule) {
  return now.lastHour.find(({ rule }) => rule === name) ?? nothing;
}

/** The lesser of the rule's mode and the policy's. A rule that only the draft has is off. */
function modeInForce({ draft: { base } }: PolicyEditor, { name }: FormRule): Mode {
  const rule = [...base.rules, ...(base.requestRules ?? [])].find((each) => each.name === name);
  const both = rule ? [base.mode, rule.mode] : ["off"];
  if (both.includes("off")) return "off";
  return both.includes("shadow") ? "shadow" : "enforce";
}

/** Problems of the rule, and whether the draft changes it. */
export function RuleBadges({ editor, rule, kind, place }: RuleFactProps & RulePlace) {
  const { draft, standing } = editor;
  const start = pathText([kind, place]);
  const problems = standing.problems.filter(({ path }) => path.startsWith(start)).length;
  const base = rulesOf(draft.base, kind).find(({ name }) => name === rule.name);
  const isChanged = JSON.stringify(base) !== JSON.stringify(rule);
  return (
    <>
      {problems > 0 && <Badge tone="blocked">{counted(problems, "problem")}</Badge>}
      {problems === 0 && isChanged && <Badge tone="plain">{base ? "changed" : "new"}</Badge>}
    </>
  );
}
