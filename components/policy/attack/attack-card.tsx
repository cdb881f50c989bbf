"use client";

import { Plus, Siren } from "lucide-react";
import { useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { narrowForButtons } from "@/components/console/use-media.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Th } from "@/components/ui/data-table.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { minuteText } from "@/components/ui/value-text.ts";
import { attackRulesOf } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { inserted } from "../rules/rules.ts";
import { AttackItem, AttackTableRow } from "./attack-row.tsx";
import { allTightened, attackRows, newAttackRule, withFreshAttack, withOwnAttack } from "./attack-rules.ts";
import { saySum } from "./last-hour-words.ts";
import { useLastHours } from "./use-last-hours.ts";

const RuleSheet = lazyDialog(() => import("../rules/rule-sheet.tsx").then((file) => file.RuleSheet));

/** What staff add with one button in an attack: each rule's limit beside the one in attack mode, and the effect on the last hour. */
export function AttackCard({ editor: given }: { editor: PolicyEditor }) {
  const editor = onOwnRules(given);
  const { policy } = editor.draft;
  const rules = attackRulesOf(policy);
  const hours = useLastHours(policy, rules);
  const [open, setOpen] = useState<number>();
  const rows = attackRows(policy).map((row) => ({
    ...{ editor, row, onOpen: setOpen },
    hour: row.attack && hours[row.attack.place],
    key: row.ordinary ? `rule ${row.ordinary.place}` : `attack ${row.attack?.place}`,
  }));
  const add = () => {
    editor.edit((now) => inserted(now, { kind: "attack", place: rules.length }, newAttackRule(now)));
    setOpen(rules.length);
  };
  return (
    <Card
      isFlush
      title="Attack mode"
      hint={<span className="max-sm:hidden">stricter limits that staff switch on for 15 min to 24 h</span>}
      actions={
        editor.mayEdit && (
          <Button icon={<Plus />} onClick={add}>
            Add attack rule
          </Button>
        )
      }
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-3.5 pb-3">
        <div className="flex min-w-0 flex-1 basis-72 flex-col gap-0.5 text-cell">
          <p role="status" className="text-body">
            {saySum(hours)}
          </p>
          <Source editor={editor} isFresh={given.draft.policy.attack === undefined} />
          <InForce />
        </div>
        {editor.mayEdit && <SetAll editor={editor} />}
      </div>
      <ByWidth
        width={narrowForButtons}
        below={
          <ol aria-label="Attack mode">
            {rows.map(({ key, ...row }) => (
              <AttackItem key={key} {...row} />
            ))}
          </ol>
        }
        above={
          <TableFrame label="Attack mode" isInset className="[&_td]:px-2 [&_th]:px-2">
            <thead>
              <tr>
                <Th>Rule</Th>
                <Th>Ordinary limit</Th>
                <Th>In attack mode</Th>
                <Th isNumber>Would deny, last hour</Th>
                <Th isLabelHidden>More</Th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, ...row }) => (
                <AttackTableRow key={key} {...row} />
              ))}
            </tbody>
          </TableFrame>
        }
      />
      {open !== undefined && (
        <RuleSheet editor={editor} kind="attack" place={open} onClose={() => setOpen(undefined)} />
      )}
    </Card>
  );
}

/** The editor on attack rules of the policy's own: those of a fresh install become its own with the first change. */
function onOwnRules(editor: PolicyEditor): PolicyEditor {
  const { draft, edit } = editor;
  return {
    ...editor,
    draft: { ...draft, policy: withOwnAttack(draft.policy) },
    edit: (change) => edit((policy) => change(withOwnAttack(policy))),
  };
}

/** Where the rules come from, and the way back to those of a fresh install. */
function Source({ editor, isFresh }: { editor: PolicyEditor; isFresh: boolean }) {
  if (isFresh)
    return (
      <p className="text-text-3">
        These are the rules of a fresh install.
        {editor.mayEdit && " Your first change makes them this policy's own."}
      </p>
    );
  if (!editor.mayEdit) return null;
  return (
    <p>
      <button
        type="button"
        onClick={() => editor.edit(withFreshAttack)}
        className="min-h-6 rounded-control text-left text-text-2 underline max-sm:min-h-11"
      >
        Go back to the rules of a fresh install
      </button>
    </p>
  );
}

/** While attack mode is on, a change is not only for the next attack. */
function InForce() {
  const attack = useStanding().known?.attack;
  if (!attack) return null;
  return (
    <p className="flex items-center gap-1.5 text-throttled [&_.lucide]:size-3.5">
      <Siren aria-hidden="true" />
      Attack mode is on until {minuteText(attack.untilMs)} UTC: what you publish is in force at once.
    </p>
  );
}

const shareHint = "a whole number from 1 to 99";

/** One share for all rules in force. */
function SetAll({ editor }: { editor: PolicyEditor }) {
  const [typed, setTyped] = useState("50");
  const share = /^[1-9]\d?$/.test(typed.trim()) ? Number(typed) : undefined;
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (share !== undefined) editor.edit((policy) => allTightened(policy, share / 100));
      }}
    >
      <Field
        label="Share of all ordinary limits"
        error={share === undefined ? `Write ${shareHint}.` : undefined}
        className="w-44"
      >
        <Input inputMode="numeric" unit="%" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      <Button type="submit" size="lg" disabledReason={share === undefined ? `Write ${shareHint}` : undefined}>
        Set all
      </Button>
    </form>
  );
}
