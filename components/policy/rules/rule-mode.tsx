"use client";

import { Check, Eye } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { type Mode, modes } from "@/lib/enforce/policy/schema.ts";
import { withPlace } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { nameOf } from "./rule-words.ts";
import { pathOf, type RulePlace, rulesOf } from "./rules.ts";

/** Loaded when it is first asked for. */
const EnforceDialog = lazyDialog(() => import("./enforce-dialog.tsx").then((file) => file.EnforceDialog));

const look = {
  off: { value: "off", label: "Off", tone: "plain", icon: undefined },
  shadow: { value: "shadow", label: "Shadow", tone: "shadow", icon: <Eye /> },
  enforce: { value: "enforce", label: "Enforce", tone: "pass", icon: <Check /> },
} as const;

/** Off, shadow, enforce. Switching from shadow to enforce asks first and shows what shadow counted, except for a rule that denies nothing. */
export function RuleMode({ editor, kind, place }: { editor: PolicyEditor } & RulePlace) {
  const [isAsking, setIsAsking] = useState(false);
  const rule = rulesOf(editor.draft.policy, kind)[place];
  if (!rule) return null;
  const name = nameOf(rule, place);
  const set = (next: Mode) =>
    editor.edit((policy) => withPlace(policy, [...pathOf({ kind, place }), "mode"], next));
  const mode = modes.find((one) => one === (rule.mode ?? "enforce")) ?? "enforce";
  const asks = mode === "shadow" && rule.action !== "exempt";
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
        onChange={(next) => (asks && next === "enforce" ? setIsAsking(true) : set(next))}
        options={(["off", "shadow", "enforce"] as const).map((each) => ({
          ...look[each],
          icon: each === mode ? look[each].icon : undefined,
        }))}
        className="grid! grid-cols-[52px_80px_84px] max-sm:w-full max-sm:grid-cols-3 *:px-1!"
      />
      {isAsking && (
        <EnforceDialog
          editor={editor}
          rule={rule}
          name={name}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            set("enforce");
            setIsAsking(false);
          }}
        />
      )}
    </>
  );
}
