"use client";

import { Plus } from "lucide-react";
import { type ComponentProps, type ComponentType, type ReactNode, useRef, useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { narrowForButtons } from "@/components/console/use-media.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Th } from "@/components/ui/data-table.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { FormPolicy, FormRule } from "../draft/draft.ts";
import { keysOf } from "../draft/rebase.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { type ListedKind, thirdFact } from "./rule-facts.tsx";
import type { RuleRowProps } from "./rule-row.tsx";
import { nameOf } from "./rule-words.ts";
import { inserted, moved, type RuleKind, type RulePlace, rulesOf } from "./rules.ts";

interface RulesCardProps extends TableHeadProps {
  editor: PolicyEditor;
  title: string;
  hint: string;
  /** Actions before the button that adds a rule. */
  actions?: ReactNode;
  /** Label of that button. */
  add: string;
  /** Default of a new rule. */
  fresh: (policy: FormPolicy) => FormRule;
  empty: Omit<ComponentProps<typeof EmptyState>, "action">;
  Row: ComponentType<RuleRowProps>;
  /** A row for phones. */
  Item: ComponentType<RuleRowProps>;
  onOpen: (at: RulePlace) => void;
}

/** All rules of a kind, in their order. */
export function RulesCard(props: RulesCardProps) {
  const { editor, kind, title, hint, actions, add, fresh, empty, columns, Row, Item, onOpen } = props;
  const { said, move } = useMoves(editor, kind);
  const rules = rulesOf(editor.draft.policy, kind);
  const keys = keysOf(rules);
  const rows = rules.map((rule, place) => ({
    ...{ editor, kind, rule, place },
    onOpen: () => onOpen({ kind, place }),
    onMove: (by: -1 | 1) => move(place, by),
  }));
  const addOne = () => {
    const end = { kind, place: rules.length };
    editor.edit((policy) => inserted(policy, end, fresh(policy)));
    onOpen(end);
  };
  const addButton = editor.mayEdit && (
    <Button icon={<Plus />} onClick={addOne}>
      {add}
    </Button>
  );
  return (
    <Card
      isFlush
      title={title}
      hint={<span className="max-sm:hidden">{hint}</span>}
      actions={
        <>
          {actions}
          {rules.length > 0 && addButton}
        </>
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      {rules.length === 0 ? (
        <EmptyState {...empty} action={addButton} />
      ) : (
        <ByWidth
          width={narrowForButtons}
          below={
            <ol aria-label={title}>
              {rows.map((row, i) => (
                <Item key={keys[i]} {...row} />
              ))}
            </ol>
          }
          above={
            <TableFrame label={title} isInset className="[&_td]:px-2 [&_th]:px-2">
              <TableHead kind={kind} columns={columns} />
              <tbody>
                {rows.map((row, i) => (
                  <Row key={keys[i]} {...row} />
                ))}
              </tbody>
            </TableFrame>
          }
        />
      )}
    </Card>
  );
}

interface TableHeadProps {
  kind: ListedKind;
  /** Columns that only this kind has. */
  columns: readonly { readonly label: string; readonly className?: string }[];
}

function TableHead({ kind, columns }: TableHeadProps) {
  return (
    <thead>
      <tr>
        <td colSpan={2} />
        {columns.map(({ label, className }) => (
          <td key={label} className={className} />
        ))}
        <Th scope="colgroup" colSpan={3} className="h-6! text-center">
          Last hour
        </Th>
        <td colSpan={2} />
      </tr>
      <tr>
        <Th isLabelHidden>Order</Th>
        <Th>Rule</Th>
        {columns.map(({ label, className }) => (
          <Th key={label} className={className}>
            {label}
          </Th>
        ))}
        <Th isNumber>Denied</Th>
        <Th isNumber className="whitespace-normal!">
          Would be denied
        </Th>
        <Th isNumber className="whitespace-normal!">
          {thirdFact[kind].label}
        </Th>
        <Th>Mode</Th>
        <Th isLabelHidden>More</Th>
      </tr>
    </thead>
  );
}

/** Keeps the focus on the moved rule, and announces its new place. */
function useMoves({ draft, edit }: PolicyEditor, kind: RuleKind) {
  const [said, setSaid] = useState("");
  const pending = useRef(0);
  const move = (place: number, by: -1 | 1) => {
    const rules = rulesOf(draft.policy, kind);
    const rule = rules[place];
    if (!rule || !rules[place + by]) return;
    const focused = document.activeElement;
    edit((policy) => moved(policy, { kind, place }, by));
    setSaid(`${nameOf(rule, place)} is now ${place + by + 1} of ${rules.length}`);
    cancelAnimationFrame(pending.current);
    pending.current = requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus());
  };
  return { said, move };
}
