"use client";

import { ListTree, Plus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { narrowForButtons } from "@/components/console/use-media.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Th } from "@/components/ui/data-table.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { keysOf } from "../draft/rebase.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ViewSwitch } from "../view-switch.tsx";
import { RuleCard, RuleRow } from "./rule-row.tsx";
import { nameOf } from "./rule-words.ts";
import { inserted, moved, newRule } from "./rules.ts";

/** All rules in their order. */
export function RulesCard({ editor, onOpen }: { editor: PolicyEditor; onOpen: (place: number) => void }) {
  const { policy } = editor.draft;
  const { rules } = policy;
  const { said, move } = useMoves(editor);
  const add = () => {
    editor.edit((now) => inserted(now, now.rules.length, newRule(now)));
    onOpen(rules.length);
  };
  const keys = keysOf(policy);
  const rows = rules.map((rule, place) => ({
    ...{ editor, rule, place, onOpen },
    onMove: (by: -1 | 1) => move(place, by),
  }));
  return (
    <Card
      isFlush
      title="Rules"
      hint={
        <span className="max-sm:hidden">all rules are checked; the first to deny sends the response</span>
      }
      actions={
        <>
          <ViewSwitch />
          {editor.mayEdit && (
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
          title="No rules"
          hint="Nothing is counted. The safelist and the blocklist are still enforced."
          action={editor.mayEdit && <Button onClick={add}>Add rule</Button>}
        />
      ) : (
        <ByWidth
          width={narrowForButtons}
          below={
            <ol aria-label="Rules">
              {rows.map((row, i) => (
                <RuleCard key={keys[i]} {...row} />
              ))}
            </ol>
          }
          above={
            <RulesTable>
              {rows.map((row, i) => (
                <RuleRow key={keys[i]} {...row} />
              ))}
            </RulesTable>
          }
        />
      )}
    </Card>
  );
}

function RulesTable({ children }: { children: ReactNode }) {
  return (
    <TableFrame label="Rules" isInset className="[&_td]:px-2 [&_th]:px-2">
      <thead>
        <tr>
          <td colSpan={4} />
          <td className="max-[1100px]:hidden" />
          <Th scope="colgroup" colSpan={3} className="h-6! text-center">
            Last hour
          </Th>
          <td colSpan={2} />
        </tr>
        <tr>
          <Th isLabelHidden>Order</Th>
          <Th>Rule</Th>
          <Th>Counts by</Th>
          <Th>Limit</Th>
          <Th className="max-[1100px]:hidden">Slack</Th>
          <Th isNumber>Denied</Th>
          <Th isNumber className="whitespace-normal!">
            Would be denied
          </Th>
          <Th isNumber className="whitespace-normal!">
            Passed over limit
          </Th>
          <Th>Mode</Th>
          <Th isLabelHidden>More</Th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </TableFrame>
  );
}

/** Keeps the focus on the moved rule, and announces its new place. */
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
