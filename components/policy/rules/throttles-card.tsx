"use client";

import { ListTree } from "lucide-react";
import { Td } from "@/components/ui/data-table.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Rule } from "@/lib/enforce/policy/schema.ts";
import { sayMatch, saySlackOfLevels } from "@/lib/enforce/policy/words.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ViewSwitch } from "../view-switch.tsx";
import { RuleItem, RuleRow, type RuleRowProps } from "./rule-row.tsx";
import { ruleIn, sayCountedBy, sayLimits } from "./rule-words.ts";
import { newRule, type RulePlace } from "./rules.ts";
import { RulesCard } from "./rules-card.tsx";

interface ThrottlesCardProps {
  editor: PolicyEditor;
  onOpen: (at: RulePlace) => void;
}

/** Rules that count, in their order. */
export function ThrottlesCard(props: ThrottlesCardProps) {
  return (
    <RulesCard
      {...props}
      kind="rules"
      title="Rules"
      hint="all rules are checked; the first to deny sends the response"
      actions={<ViewSwitch />}
      add="Add rule"
      fresh={newRule}
      empty={{
        icon: <ListTree />,
        title: "No rules",
        hint: "Nothing is counted. The safelist and the blocklist are still enforced.",
      }}
      columns={[
        { label: "Counts by" },
        { label: "Limit" },
        { label: "Slack", className: "max-[1100px]:hidden" },
      ]}
      Row={ThrottleRow}
      Item={ThrottleItem}
    />
  );
}

function ThrottleRow(row: RuleRowProps) {
  const { editor, rule } = row;
  const said = ruleIn(editor.draft.policy, rule);
  const limits = said ? sayLimits(said) : [];
  return (
    <RuleRow row={row} about={said && <MatchLine rule={said} />}>
      <Td className="min-w-24! text-text-2">
        {said ? <Untrusted text={sayCountedBy(said.client)} max={60} /> : "–"}
      </Td>
      <Td className="whitespace-nowrap text-text-3">
        {limits.map(({ limit, per }) => (
          <div key={per}>
            <span className="font-semibold text-text">{limit}</span> {per}
          </div>
        ))}
      </Td>
      <Td className="min-w-24 text-text-2 max-[1100px]:hidden">
        {said && saySlackOfLevels(said, editor.now.nodes).map((slack) => <div key={slack}>{slack}</div>)}
      </Td>
    </RuleRow>
  );
}

function ThrottleItem(row: RuleRowProps) {
  const said = ruleIn(row.editor.draft.policy, row.rule);
  return (
    <RuleItem row={row}>
      {said && (
        <p className="text-text-2">
          <span className="font-semibold text-text">
            {sayLimits(said)
              .map(({ limit, per }) => `${limit} ${per}`.trim())
              .join(", ")}
          </span>{" "}
          by <Untrusted text={sayCountedBy(said.client)} max={60} />
        </p>
      )}
      {said && <MatchLine rule={said} />}
    </RuleItem>
  );
}

/** What the rule counts. */
function MatchLine({ rule: { match } }: { rule: Rule }) {
  return <Untrusted text={sayMatch(match)} max={120} className="block text-meta text-text-3 wrap-anywhere" />;
}
