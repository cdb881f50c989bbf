"use client";

import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Select } from "@/components/ui/select.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { changeCondition } from "@/lib/console/actions/alarms.ts";
import { kindTerms } from "@/lib/manage/alarms/kinds.ts";
import type { ConditionRow } from "@/lib/queries/alarms.ts";
import { useAlarmChange } from "./use-alarm-change.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const quietTimes = [
  minuteMs,
  5 * minuteMs,
  10 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
];

interface ConditionsDialogProps {
  readonly conditions: readonly ConditionRow[];
  readonly onClose: () => void;
}

/** Which alarms are raised, and how long each is quiet after a message. Each choice takes effect at once. */
export function ConditionsDialog({ conditions, onClose }: ConditionsDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width={640}
      title="Conditions"
      description="Each choice takes effect at once. The quiet time is the shortest time between two messages about one cause."
      footer={
        <Button variant="primary" size="lg" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul aria-label="Conditions" className="divide-y divide-border">
        {conditions.map((condition) => (
          <Condition key={condition.kind} condition={condition} />
        ))}
      </ul>
    </Dialog>
  );
}

function Condition({ condition: { kind, isOn, quietMs } }: { condition: ConditionRow }) {
  const { change, isBusy } = useAlarmChange();
  const { name, about } = kindTerms[kind];
  const times = quietTimes.includes(quietMs) ? quietTimes : [quietMs, ...quietTimes];
  return (
    <li className="grid items-center gap-x-3 gap-y-1 py-2 sm:grid-cols-[minmax(0,1fr)_8rem]">
      <div className="min-w-0">
        <Checkbox
          checked={isOn}
          isDisabled={isBusy}
          label={<span className="font-medium">{name}</span>}
          onChange={(next) =>
            void change(`${name}: ${next ? "on" : "off"}`, () => changeCondition({ kind, isOn: next }))
          }
        />
        <p className="pl-7.5 text-meta text-text-3 max-sm:pl-12.5">{about}</p>
      </div>
      <Select
        label={`Quiet time of ${name}`}
        value={String(quietMs)}
        isDisabled={isBusy || !isOn}
        onChange={(text) =>
          void change(`${name}: quiet for ${durationText(Number(text))}`, () =>
            changeCondition({ kind, quietMs: Number(text) }),
          )
        }
        options={times.map((ms) => ({ value: String(ms), label: durationText(ms) }))}
      />
    </li>
  );
}
