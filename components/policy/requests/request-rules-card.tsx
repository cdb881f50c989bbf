"use client";

import { Filter, Plus } from "lucide-react";
import { useRef, useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { narrowForButtons } from "@/components/console/use-media.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Th } from "@/components/ui/data-table.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { nameOf } from "../rules/rule-words.ts";
import { RequestRuleItem, RequestRuleRow } from "./request-rule-row.tsx";
import { movedRequest, newRequestRule, requestRulesOf, withRequestRules } from "./request-rules.ts";

/** Loaded when it is first opened. */
const RequestRuleSheet = lazyDialog(() =>
  import("./request-rule-sheet.tsx").then((file) => file.RequestRuleSheet),
);

/** Rules that deny or exempt requests for what they are, in the order in which they decide. */
export function RequestRulesCard({ editor }: { editor: PolicyEditor }) {
  const [open, setOpen] = useState<number>();
  const { said, move } = useMoves(editor);
  const rules = requestRulesOf(editor.draft.policy);
  const add = () => {
    editor.edit((policy) => withRequestRules(policy, [...requestRulesOf(policy), newRequestRule(policy)]));
    setOpen(rules.length);
  };
  const rows = rules.map((rule, place) => ({
    ...{ editor, rule, place, isLast: place === rules.length - 1, onOpen: () => setOpen(place) },
    onMove: (by: -1 | 1) => move(place, by),
  }));
  const addButton = editor.mayEdit && (
    <Button icon={<Plus />} onClick={add}>
      Add deny or exempt
    </Button>
  );
  return (
    <Card
      isFlush
      title="Deny and exempt"
      hint={<span className="max-sm:hidden">checked before all limits; the first match decides</span>}
      actions={rules.length > 0 && addButton}
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      {rules.length === 0 ? (
        <EmptyState
          icon={<Filter />}
          title="No request is denied or exempt for what it is"
          hint="Deny requests, or exempt them from all limits, by user agent, header, path, method, country, feed or verified bot."
          action={addButton}
        />
      ) : (
        <ByWidth
          width={narrowForButtons}
          below={
            <ol aria-label="Deny and exempt">
              {rows.map((row) => (
                <RequestRuleItem key={row.place} {...row} />
              ))}
            </ol>
          }
          above={
            <TableFrame label="Deny and exempt" isInset className="[&_td]:px-2 [&_th]:px-2">
              <thead>
                <tr>
                  <td colSpan={3} />
                  <Th scope="colgroup" colSpan={3} className="h-6! text-center">
                    Last hour
                  </Th>
                  <td colSpan={2} />
                </tr>
                <tr>
                  <Th isLabelHidden>Order</Th>
                  <Th>Name</Th>
                  <Th>Does</Th>
                  <Th isNumber>Denied</Th>
                  <Th isNumber className="whitespace-normal!">
                    Would be denied
                  </Th>
                  <Th isNumber>Exempt</Th>
                  <Th>Mode</Th>
                  <Th isLabelHidden>More</Th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <RequestRuleRow key={row.place} {...row} />
                ))}
              </tbody>
            </TableFrame>
          }
        />
      )}
      {open !== undefined && (
        <RequestRuleSheet editor={editor} place={open} onClose={() => setOpen(undefined)} />
      )}
    </Card>
  );
}

/** Keeps the focus on the button, which goes with its rule, and announces the new place. */
function useMoves({ draft, edit }: PolicyEditor) {
  const [said, setSaid] = useState("");
  const pending = useRef(0);
  const move = (place: number, by: -1 | 1) => {
    const rules = requestRulesOf(draft.policy);
    const rule = rules[place];
    if (!rule || !rules[place + by]) return;
    edit((policy) => movedRequest(policy, place, by));
    const name = nameOf(rule, place);
    setSaid(`${name} is now ${place + by + 1} of ${rules.length}`);
    cancelAnimationFrame(pending.current);
    pending.current = requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[aria-label="Move ${CSS.escape(name)} ${by < 0 ? "up" : "down"}"]`)
        ?.focus(),
    );
  };
  return { said, move };
}
