"use client";

import { ChevronDown, ChevronUp, Pencil, Trash2 } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { RuleDenied, RuleExempt, RuleShadowed } from "../rules/rule-facts.tsx";
import { ModeSwitch } from "../rules/rule-mode.tsx";
import { nameOf } from "../rules/rule-words.ts";
import { requestRulesOf, saidOf, withRequestRules } from "./request-rules.ts";

interface RequestRuleProps {
  editor: PolicyEditor;
  rule: FormRule;
  place: number;
  isLast: boolean;
  onOpen: () => void;
  onMove: (by: -1 | 1) => void;
}

export function RequestRuleRow(props: RequestRuleProps) {
  const { editor, rule } = props;
  return (
    <Tr>
      <Td className="w-0 pr-0!">
        <MoveButtons {...props} />
      </Td>
      <Td className="py-1.5">
        <Name {...props} />
      </Td>
      <Td className="min-w-40 py-1.5">
        <Does rule={rule} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleDenied editor={editor} rule={rule} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleShadowed editor={editor} rule={rule} />
      </Td>
      <Td isNumber className="whitespace-nowrap">
        <RuleExempt editor={editor} rule={rule} />
      </Td>
      <Td className="w-0 py-1">
        <RequestRuleMode {...props} />
      </Td>
      <Td className="w-0 pl-0!">
        <RequestRuleMenu {...props} />
      </Td>
    </Tr>
  );
}

/** The same for phones. */
export function RequestRuleItem(props: RequestRuleProps) {
  const { editor, rule } = props;
  return (
    <li className="flex flex-col gap-2 border-t border-border px-3.5 py-3 text-cell">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <Name {...props} />
        </div>
        <RequestRuleMenu {...props} />
      </div>
      <Does rule={rule} />
      <p className="text-text-3">
        {rule.action === "exempt" ? (
          <>
            Exempt in the last hour: <RuleExempt editor={editor} rule={rule} />
          </>
        ) : (
          <>
            Denied in the last hour: <RuleDenied editor={editor} rule={rule} />
            {" · "}would be denied: <RuleShadowed editor={editor} rule={rule} />
          </>
        )}
      </p>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <RequestRuleMode {...props} />
        </div>
        <MoveButtons {...props} />
      </div>
    </li>
  );
}

export function RequestRuleMode({
  editor,
  rule,
  place,
}: Pick<RequestRuleProps, "editor" | "rule" | "place">) {
  return (
    <ModeSwitch
      editor={editor}
      rule={rule}
      name={nameOf(rule, place)}
      set={(mode) =>
        editor.edit((policy) =>
          withRequestRules(policy, requestRulesOf(policy).with(place, { ...rule, mode })),
        )
      }
    />
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

function Name({ editor: { draft, standing }, rule, place, onOpen }: RequestRuleProps) {
  const start = `requestRules[${place}]`;
  const problems = standing.problems.filter(({ path }) => path.startsWith(start)).length;
  const base = requestRulesOf(draft.base).find(({ name }) => name === rule.name);
  const isChanged = JSON.stringify(base) !== JSON.stringify(rule);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <button
        type="button"
        onClick={onOpen}
        className="min-h-6 rounded-control text-left font-mono font-medium hover:underline max-sm:min-h-11"
      >
        <Untrusted text={nameOf(rule, place)} max={64} className="sm:block sm:max-w-52 sm:truncate" />
      </button>
      {problems > 0 && <Badge tone="blocked">{counted(problems, "problem")}</Badge>}
      {problems === 0 && isChanged && <Badge tone="plain">{base ? "changed" : "new"}</Badge>}
    </span>
  );
}

function MoveButtons({ editor, rule, place, isLast, onMove }: RequestRuleProps) {
  if (!editor.mayEdit) return <span className="text-text-3">{place + 1}</span>;
  const name = nameOf(rule, place);
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

function RequestRuleMenu({ editor, rule, place, onOpen }: RequestRuleProps) {
  const toast = useToast();
  const name = nameOf(rule, place);
  const remove = () => {
    editor.edit((policy) => withRequestRules(policy, requestRulesOf(policy).toSpliced(place, 1)));
    const undo = () =>
      editor.edit((policy) => withRequestRules(policy, requestRulesOf(policy).toSpliced(place, 0, rule)));
    toast({ tone: "plain", title: `${name} removed from the draft`, undo: { label: "Undo", run: undo } });
  };
  const items: MenuItem[] = [
    { label: editor.mayEdit ? "Edit" : "View", icon: <Pencil />, onSelect: onOpen },
    ...(editor.mayEdit
      ? [{ label: "Remove", icon: <Trash2 />, onSelect: remove, isDanger: true } as const]
      : []),
  ];
  return <Menu label={`Actions for ${name}`} items={items} />;
}
