"use client";

import { Filter } from "lucide-react";
import { Td } from "@/components/ui/data-table.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { RuleItem, RuleRow, type RuleRowProps } from "../rules/rule-row.tsx";
import type { RulePlace } from "../rules/rules.ts";
import { RulesCard } from "../rules/rules-card.tsx";
import { newRequestRule, saidOf } from "./request-rules.ts";

interface RequestRulesCardProps {
  editor: PolicyEditor;
  onOpen: (at: RulePlace) => void;
}

/** Rules that deny or exempt requests for what they are, in the order in which they decide. */
export function RequestRulesCard(props: RequestRulesCardProps) {
  return (
    <RulesCard
      {...props}
      kind="requestRules"
      title="Deny and exempt"
      hint="checked before all limits; the first match decides"
      add="Add deny or exempt"
      fresh={newRequestRule}
      empty={{
        icon: <Filter />,
        title: "No request is denied or exempt for what it is",
        hint: "Deny requests, or exempt them from all limits, by user agent, header, path, method, country, feed or verified bot.",
      }}
      columns={[{ label: "Does" }]}
      Row={RequestRuleRow}
      Item={RequestRuleItem}
    />
  );
}

function RequestRuleRow(row: RuleRowProps) {
  return (
    <RuleRow row={row}>
      <Td className="min-w-40 py-1.5">
        <Does rule={row.rule} />
      </Td>
    </RuleRow>
  );
}

function RequestRuleItem(row: RuleRowProps) {
  return (
    <RuleItem row={row}>
      <Does rule={row.rule} />
    </RuleItem>
  );
}

/** What the rule does, and to which requests. */
function Does({ rule }: { rule: FormRule }) {
  const said = saidOf(rule);
  if (!said) return <span className="text-text-3">–</span>;
  return (
    <>
      <Untrusted text={said.action ?? ""} max={120} className="block wrap-anywhere" />
      <Untrusted text={said.matches ?? ""} max={240} className="block text-meta text-text-3 wrap-anywhere" />
    </>
  );
}
