"use client";

import { Check, Eye } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { type Mode, modes } from "@/lib/enforce/policy/schema.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { nameOf } from "./rule-words.ts";
import { withRule } from "./rules.ts";

const look = {
  off: { value: "off", label: "Off", tone: "plain", icon: undefined },
  shadow: { value: "shadow", label: "Shadow", tone: "shadow", icon: <Eye /> },
  enforce: { value: "enforce", label: "Enforce", tone: "pass", icon: <Check /> },
} as const;

/** Off, shadow, enforce. Switching from shadow to enforce asks first and shows what shadow counted. */
export function RuleMode({ editor, place }: { editor: PolicyEditor; place: number }) {
  const [isAsking, setIsAsking] = useState(false);
  const rule = editor.draft.policy.rules[place];
  if (!rule) return null;
  const mode = modes.find((one) => one === (rule.mode ?? "enforce")) ?? "enforce";
  const name = nameOf(rule, place);
  const set = (next: Mode) => editor.edit((policy) => withRule(policy, place, { ...rule, mode: next }));
  if (!editor.mayEdit)
    return (
      <Badge tone={look[mode].tone} icon={look[mode].icon}>
        {look[mode].label}
      </Badge>
    );
  return (
    <>
      <Segmented
        label={`Mode of ${name}`}
        value={mode}
        onChange={(next) => (mode === "shadow" && next === "enforce" ? setIsAsking(true) : set(next))}
        options={(["off", "shadow", "enforce"] as const).map((each) => ({
          ...look[each],
          icon: each === mode ? look[each].icon : undefined,
        }))}
        className="grid! grid-cols-[52px_80px_84px] max-sm:w-full max-sm:grid-cols-3 *:px-1!"
      />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={
          <>
            Enforce <Untrusted text={name} max={64} className="font-mono" />
          </>
        }
        description={<ShadowSaw editor={editor} name={name} />}
        confirmLabel="Enforce in the draft"
        onConfirm={() => {
          set("enforce");
          setIsAsking(false);
        }}
      />
    </>
  );
}

function ShadowSaw({ editor: { now, draft }, name }: { editor: PolicyEditor; name: string }) {
  const seen = now.lastHour.find(({ rule }) => rule === name)?.shadowed ?? 0;
  const isRunning = draft.base.rules.some((rule) => rule.name === name && rule.mode === "shadow");
  if (!isRunning)
    return "This rule has not run in shadow under this name yet, so the clients that it would deny are unknown. Publish it in shadow first, then check again.";
  return seen === 0
    ? "In the last hour, shadow saw no request that it would have denied. Once the draft is published, it denies for real."
    : `In the last hour, shadow saw ${counted(seen, "request")} that it would have denied. Once the draft is published, those are denied for real.`;
}
