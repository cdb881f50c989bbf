import { Badge } from "../../../../components/ui/badge.tsx";
import { counted, countText } from "../../../../components/ui/count-text.ts";
import type { FormRule } from "../_draft/draft.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";

/** What the rule in force denied in the last hour, or would have. */
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
      {denied > 0 && shadowed > 0 && ", "}
      {(shadowed > 0 || (isShadow && denied === 0)) && (
        <span className="text-shadow">{countText(shadowed)} would be</span>
      )}
    </>
  );
}

/** What is wrong with it, and whether the draft changes it. */
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
