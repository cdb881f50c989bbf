import { Badge } from "@/components/ui/badge.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { slackOf } from "./rule-words.ts";

/** Requests that the rule in force denied in the last hour, or would have denied in shadow. */
export function RuleDenied({ editor: { now, draft }, rule }: { editor: PolicyEditor; rule: FormRule }) {
  const inForce = draft.base.rules.find(({ name }) => name === rule.name);
  const seen = now.lastHour.find(({ rule: name }) => name === rule.name);
  const isSilent = !inForce || inForce.mode === "off" || draft.base.mode === "off";
  if (isSilent && !seen) return <span className="text-text-3">–</span>;
  const { denied, shadowed } = seen ?? { denied: 0, shadowed: 0 };
  const isShadow = inForce?.mode === "shadow" || draft.base.mode === "shadow";
  return (
    <>
      {(denied > 0 || !isShadow) && <span>{countText(denied)}</span>}
      {denied > 0 && shadowed > 0 && " · "}
      {(shadowed > 0 || (isShadow && denied === 0)) && (
        <span className="text-shadow">{countText(shadowed)} would be</span>
      )}
    </>
  );
}

/** Requests that passed over the rule's limits in the last hour. On hover, how far the limits may be exceeded. */
export function RuleOver({ editor, rule }: { editor: PolicyEditor; rule: FormRule }) {
  const over = overOf(editor, rule);
  const slack = slackOf(editor, rule);
  if (over === 0 && !rule.slack) return <span className="text-text-3">–</span>;
  if (slack === undefined) return <span>{countText(over)}</span>;
  return (
    <Tooltip text={`Slack ${slack}`}>
      <button
        type="button"
        aria-label={`Over the limit: ${countText(over)}`}
        className="min-h-6 min-w-6 cursor-help rounded-sm text-right"
      >
        {countText(over)}
      </button>
    </Tooltip>
  );
}

/** The same for phones, which have no hover. */
export function RuleOverLine({ editor, rule }: { editor: PolicyEditor; rule: FormRule }) {
  const over = overOf(editor, rule);
  const slack = slackOf(editor, rule);
  if (over === 0 && !rule.slack) return null;
  return (
    <p className="text-text-3">
      Over the limit in the last hour: {countText(over)}.{slack !== undefined && ` Slack ${slack}.`}
    </p>
  );
}

function overOf({ now }: PolicyEditor, { name }: FormRule): number {
  return now.lastHour.find(({ rule }) => rule === name)?.over ?? 0;
}

/** Problems of the rule, and whether the draft changes it. */
export function RuleBadges({ editor, rule, place }: { editor: PolicyEditor; rule: FormRule; place: number }) {
  const { draft, standing } = editor;
  const problems = standing.problems.filter(({ path }) => path.startsWith(`rules[${place}]`)).length;
  const base = draft.base.rules.find(({ name }) => name === rule.name);
  const isChanged = JSON.stringify(base) !== JSON.stringify(rule);
  return (
    <>
      {problems > 0 && <Badge tone="blocked">{counted(problems, "problem")}</Badge>}
      {problems === 0 && isChanged && <Badge tone="plain">{base ? "changed" : "new"}</Badge>}
    </>
  );
}
