"use client";

import { ChevronDown, ChevronUp, Copy, Pencil, Ruler, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { findableIn, findKey } from "../finder/finder.ts";
import { usePolicyUrl } from "../policy-url.ts";
import {
  LastHour,
  type ListedKind,
  RuleBadges,
  RuleDenied,
  RuleOverLine,
  RuleShadowed,
  thirdFact,
} from "./rule-facts.tsx";
import { RuleMode } from "./rule-mode.tsx";
import { nameOf } from "./rule-words.ts";
import { duplicated, inserted, type RulePlace, removed, rulesOf } from "./rules.ts";

export interface RuleRowProps extends RulePlace {
  kind: ListedKind;
  editor: PolicyEditor;
  rule: FormRule;
  onOpen: () => void;
  onMove: (by: -1 | 1) => void;
}

interface RowParts {
  row: RuleRowProps;
  /** Cells of the columns that only rules of this kind have. */
  children: ReactNode;
  /** Shown below the name. */
  about?: ReactNode;
}

/** A rule of any kind as a row of a table. */
export function RuleRow({ row, children, about }: RowParts) {
  const { Fact } = thirdFact[row.kind];
  return (
    <Tr>
      <Td className="w-0 pr-0!">
        <MoveButtons {...row} />
      </Td>
      <Td className="py-1.5">
        <RuleName {...row} />
        {about}
      </Td>
      {children}
      <Td isNumber className="whitespace-nowrap">
        <RuleDenied {...row} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleShadowed {...row} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <Fact {...row} />
      </Td>
      <Td className="w-0 py-1">
        <RuleMode {...row} />
      </Td>
      <Td className="w-0 pl-0!">
        <RuleMenu {...row} />
      </Td>
    </Tr>
  );
}

/** The same for phones. */
export function RuleItem({ row, children }: Omit<RowParts, "about">) {
  return (
    <li className="flex flex-col gap-2 border-t border-border px-3.5 py-3 text-cell">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <RuleName {...row} />
        </div>
        <RuleMenu {...row} />
      </div>
      {children}
      <LastHour {...row} />
      <RuleOverLine {...row} />
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <RuleMode {...row} />
        </div>
        <MoveButtons {...row} />
      </div>
    </li>
  );
}

function RuleName(row: RuleRowProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <button
        type="button"
        onClick={row.onOpen}
        className="min-h-6 rounded-control text-left font-mono font-medium hover:underline max-sm:min-h-11"
      >
        <Untrusted text={nameOf(row.rule, row.place)} max={64} className="sm:block sm:max-w-52 sm:truncate" />
      </button>
      <RuleBadges {...row} />
    </span>
  );
}

function MoveButtons({ editor, kind, place, rule, onMove }: RuleRowProps) {
  if (!editor.mayEdit) return <span className="text-text-3">{place + 1}</span>;
  const name = nameOf(rule, place);
  const isLast = place === rulesOf(editor.draft.policy, kind).length - 1;
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

function RuleMenu({ editor, kind, place, rule, onOpen }: RuleRowProps) {
  const [, change] = usePolicyUrl();
  const toast = useToast();
  const at = { kind, place };
  const name = nameOf(rule, place);
  const [found] = findableIn({ ...editor.draft.policy, rules: [rule] });
  const remove = () => {
    editor.edit((policy) => removed(policy, at));
    const undo = () => editor.edit((policy) => inserted(policy, at, rule));
    toast({ tone: "plain", title: `${name} removed from the draft`, undo: { label: "Undo", run: undo } });
  };
  const find = () => {
    if (found) change({ find: findKey(found) });
    document.getElementById("find-limit")?.scrollIntoView({ block: "start" });
  };
  const items: MenuItem[] = [{ label: editor.mayEdit ? "Edit" : "View", icon: <Pencil />, onSelect: onOpen }];
  if (found) items.push({ label: "Find limit", icon: <Ruler />, onSelect: find });
  if (editor.mayEdit)
    items.push(
      {
        label: "Duplicate",
        icon: <Copy />,
        onSelect: () => editor.edit((policy) => duplicated(policy, at)),
      },
      { label: "Remove", icon: <Trash2 />, onSelect: remove, isDanger: true },
    );
  return <Menu label={`Actions for ${name}`} items={items} />;
}
