import type { Tone } from "@/components/ui/tone.ts";
import type { Status } from "@/lib/queries/status.ts";

type Rule = Status["rules"][number];

export interface RuleLook {
  readonly tone: Tone;
  readonly word: string;
}

const looks: Readonly<Record<Rule["mode"], RuleLook>> = {
  enforce: { tone: "pass", word: "In force" },
  shadow: { tone: "shadow", word: "Shadow" },
  off: { tone: "plain", word: "Off" },
};

const withoutCounters: Readonly<Record<Rule["onStoreError"], RuleLook>> = {
  open: { tone: "throttled", word: "Passes all" },
  closed: { tone: "throttled", word: "Denies all" },
  model: { tone: "throttled", word: "Counts per node" },
};

/** Effect of a rule now, by the policy's mode and the state of the counters. */
export function ruleLook(
  rule: Pick<Rule, "mode" | "onStoreError">,
  { mode, isDegraded }: { readonly mode: Rule["mode"]; readonly isDegraded: boolean },
): RuleLook {
  const effective = milder(rule.mode, mode);
  return effective === "enforce" && isDegraded ? withoutCounters[rule.onStoreError] : looks[effective];
}

function milder(one: Rule["mode"], other: Rule["mode"]): Rule["mode"] {
  if (one === "off" || other === "off") return "off";
  return one === "shadow" || other === "shadow" ? "shadow" : "enforce";
}
