"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { RuleBadges, RuleDenied, RuleOver, RuleOverLine } from "./rule-facts.tsx";
import { RuleMenu } from "./rule-menu.tsx";
import { RuleMode } from "./rule-mode.tsx";
import { nameOf, ruleIn, sayCountedBy, sayLimits } from "./rule-words.ts";

export interface RuleRowProps {
  editor: PolicyEditor;
  rule: FormRule;
  place: number;
  mayEdit: boolean;
  onOpen: (place: number) => void;
  onMove: (by: -1 | 1) => void;
}

export function RuleRow(props: RuleRowProps) {
  const { editor, rule, place } = props;
  const said = ruleIn(editor.draft.policy, rule);
  const limits = said ? sayLimits(said) : [];
  return (
    <Tr>
      <Td className="w-0 pr-0!">
        <MoveButtons {...props} />
      </Td>
      <Td>
        <RuleName {...props} />
      </Td>
      <Td className="text-text-2">{said ? <Untrusted text={sayCountedBy(said.client)} max={60} /> : "–"}</Td>
      <Td isNumber className="font-semibold whitespace-nowrap">
        {limits.map(({ limit, per }) => (
          <div key={per}>{limit}</div>
        ))}
      </Td>
      <Td className="whitespace-nowrap text-text-3">
        {limits.map(({ per }) => (
          <div key={per}>{per}</div>
        ))}
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleDenied editor={editor} rule={rule} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleOver editor={editor} rule={rule} />
      </Td>
      <Td className="w-0 py-1">
        <RuleMode editor={editor} place={place} />
      </Td>
      <Td className="w-0 pl-0!">
        <RuleMenu {...props} />
      </Td>
    </Tr>
  );
}

/** The same for phones. */
export function RuleCard(props: RuleRowProps) {
  const { editor, rule, place } = props;
  const said = ruleIn(editor.draft.policy, rule);
  return (
    <li className="flex flex-col gap-2 border-t border-border px-3.5 py-3 text-cell">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <RuleName {...props} />
        </div>
        <RuleMenu {...props} />
      </div>
      {said && (
        <p className="text-text-2">
          <span className="font-semibold text-text">
            {sayLimits(said)
              .map(({ limit, per }) => (per === "" ? limit : `${limit} per ${per}`))
              .join(", ")}
          </span>{" "}
          by <Untrusted text={sayCountedBy(said.client)} max={60} />
        </p>
      )}
      <p className="text-text-3">
        Denied in the last hour: <RuleDenied editor={editor} rule={rule} />
      </p>
      <RuleOverLine editor={editor} rule={rule} />
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <RuleMode editor={editor} place={place} />
        </div>
        <MoveButtons {...props} />
      </div>
    </li>
  );
}

function RuleName({ editor, rule, place, onOpen }: RuleRowProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <button
        type="button"
        onClick={() => onOpen(place)}
        className="min-h-6 rounded-control text-left font-mono font-medium hover:underline max-sm:min-h-11"
      >
        <Untrusted text={nameOf(rule, place)} max={64} className="sm:block sm:max-w-52 sm:truncate" />
      </button>
      <RuleBadges editor={editor} rule={rule} place={place} />
    </span>
  );
}

function MoveButtons({ editor, rule, place, mayEdit, onMove }: RuleRowProps) {
  if (!mayEdit) return <span className="text-text-3">{place + 1}</span>;
  const name = nameOf(rule, place);
  const isLast = place === editor.draft.policy.rules.length - 1;
  return (
    <span className="flex">
      <IconButton
        label={`Move ${name} up`}
        icon={<ChevronUp />}
        size="sm"
        aria-disabled={place === 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Move ${name} down`}
        icon={<ChevronDown />}
        size="sm"
        aria-disabled={isLast}
        onClick={() => onMove(1)}
      />
    </span>
  );
}
