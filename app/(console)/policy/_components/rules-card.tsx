"use client";

import { ListTree, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { TableFrame, Th } from "../../../../components/ui/data-table.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { phone, useMedia } from "../../_lists/use-media.ts";
import { keysOf } from "../_draft/rebase.ts";
import { nameOf } from "../_draft/rule-words.ts";
import { inserted, moved, newRule } from "../_draft/rules.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { RuleCard, RuleRow, type RuleRowProps } from "./rule-row.tsx";
import { ViewSwitch } from "./view-switch.tsx";

interface RulesCardProps {
  editor: PolicyEditor;
  onOpen: (place: number) => void;
}

/** All rules in their order. */
export function RulesCard({ editor, onOpen }: RulesCardProps) {
  const isPhone = useMedia(phone);
  const { policy } = editor.draft;
  const { rules } = policy;
  const { said, move } = useMoves(editor);
  const mayEdit = editor.mayChange && !editor.standing.isLocked;
  const add = () => {
    editor.edit((now) => inserted(now, now.rules.length, newRule(now)));
    onOpen(rules.length);
  };
  const keys = keysOf(policy);
  const rows = rules.map((rule, place) => ({
    ...{ editor, rule, place, mayEdit, onOpen },
    onMove: (by: -1 | 1) => move(place, by),
  }));
  return (
    <Card
      isFlush
      title="Rules"
      hint={<span className="max-sm:hidden">every one is weighed; the first that denies answers</span>}
      actions={
        <>
          <ViewSwitch />
          {mayEdit && (
            <Button icon={<Plus />} onClick={add}>
              Add rule
            </Button>
          )}
        </>
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      {rules.length === 0 ? (
        <EmptyState
          icon={<ListTree />}
          title="There is no rule"
          hint="Nothing is counted. The safelist and the blocklist still hold."
          action={mayEdit && <Button onClick={add}>Add a rule</Button>}
        />
      ) : isPhone ? (
        <ol aria-label="Rules">
          {rows.map((row, i) => (
            <RuleCard key={keys[i]} {...row} />
          ))}
        </ol>
      ) : (
        <RulesTable rows={rows} keys={keys} />
      )}
    </Card>
  );
}

function RulesTable({ rows, keys }: { rows: readonly RuleRowProps[]; keys: readonly string[] }) {
  return (
    <TableFrame label="Rules" isInset className="[&_td]:px-2 [&_th]:px-2">
      <thead>
        <tr>
          <Th isLabelHidden>Order</Th>
          <Th>Rule</Th>
          <Th>Counts by</Th>
          <Th isNumber>Limit</Th>
          <Th>Per</Th>
          <Th isNumber>Denied, last hour</Th>
          <Th>Mode</Th>
          <Th isLabelHidden>More</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <RuleRow key={keys[i]} {...row} />
        ))}
      </tbody>
    </TableFrame>
  );
}

/** The focus goes along with what is moved, and where it is now is said. */
function useMoves({ draft, edit }: PolicyEditor) {
  const [said, setSaid] = useState("");
  const pending = useRef(0);
  const move = (place: number, by: -1 | 1) => {
    const { rules } = draft.policy;
    const rule = rules[place];
    if (!rule || !rules[place + by]) return;
    const focused = document.activeElement;
    edit((policy) => moved(policy, place, by));
    setSaid(`${nameOf(rule, place)} is now ${place + by + 1} of ${rules.length}`);
    cancelAnimationFrame(pending.current);
    pending.current = requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus());
  };
  return { said, move };
}
