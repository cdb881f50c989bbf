"use client";

import { ChevronDown, ChevronUp, Copy, Pencil, Ruler, Trash2 } from "lucide-react";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Rule } from "@/lib/enforce/policy/schema.ts";
import { sayMatch, saySlackOfLevels } from "@/lib/enforce/policy/words.ts";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { findableIn, findKey } from "../finder/finder.ts";
import { usePolicyUrl } from "../policy-url.ts";
import { RuleBadges, RuleDenied, RuleOver, RuleOverLine, RuleShadowed } from "./rule-facts.tsx";
import { RuleMode } from "./rule-mode.tsx";
import { nameOf, ruleIn, sayCountedBy, sayLimits } from "./rule-words.ts";
import { duplicated, inserted, removed } from "./rules.ts";

export interface RuleRowProps {
  editor: PolicyEditor;
  rule: FormRule;
  place: number;
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
      <Td className="py-1.5">
        <RuleName {...props} />
        {said && <MatchLine rule={said} />}
      </Td>
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
      <Td isNumber className="whitespace-nowrap">
        <RuleDenied editor={editor} rule={rule} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleShadowed editor={editor} rule={rule} />
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
              .map(({ limit, per }) => `${limit} ${per}`.trim())
              .join(", ")}
          </span>{" "}
          by <Untrusted text={sayCountedBy(said.client)} max={60} />
        </p>
      )}
      {said && <MatchLine rule={said} />}
      <p className="text-text-3">
        Denied in the last hour: <RuleDenied editor={editor} rule={rule} />
        {" · "}would be denied: <RuleShadowed editor={editor} rule={rule} />
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

/** What the rule counts. */
function MatchLine({ rule: { match } }: { rule: Rule }) {
  return <Untrusted text={sayMatch(match)} max={120} className="block text-meta text-text-3 wrap-anywhere" />;
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

function MoveButtons({ editor, rule, place, onMove }: RuleRowProps) {
  if (!editor.mayEdit) return <span className="text-text-3">{place + 1}</span>;
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

function RuleMenu({ editor, rule, place, onOpen }: RuleRowProps) {
  const [, change] = usePolicyUrl();
  const toast = useToast();
  const name = nameOf(rule, place);
  const found = findableIn(editor.draft.policy).find((one) => one.place === place);
  const remove = () => {
    editor.edit((policy) => removed(policy, place));
    const undo = () => editor.edit((policy) => inserted(policy, place, rule));
    toast({ tone: "plain", title: `${name} removed from the draft`, undo: { label: "Undo", run: undo } });
  };
  const find = () => {
    if (found) change({ find: findKey(found) });
    document.getElementById("find-limit")?.scrollIntoView({ block: "start" });
  };
  const items: MenuItem[] = [
    { label: editor.mayEdit ? "Edit" : "View", icon: <Pencil />, onSelect: () => onOpen(place) },
  ];
  if (found) items.push({ label: "Find limit", icon: <Ruler />, onSelect: find });
  if (editor.mayEdit)
    items.push(
      {
        label: "Duplicate",
        icon: <Copy />,
        onSelect: () => editor.edit((policy) => duplicated(policy, place)),
      },
      { label: "Remove", icon: <Trash2 />, onSelect: remove, isDanger: true },
    );
  return <Menu label={`Actions for ${name}`} items={items} />;
}
