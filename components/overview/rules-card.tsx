import { ListChecks, TriangleAlert } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { isDegraded } from "@/components/shell/mode/mode-look.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { Tone } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Status } from "@/lib/queries/status.ts";

/** Limit of each rule, and whether the rule is enforced now. */
export function RulesCard() {
  const standing = useStanding();
  const { known, trouble } = standing;
  return (
    <Card title="Rules" hint={known && `policy version ${known.policyVersion}`} isFlush>
      {known && known.rules.length > 0 ? (
        <ul className="border-t border-border">
          {known.rules.map((rule) => (
            <RuleRow
              key={rule.name}
              rule={rule}
              look={ruleLook(rule, { mode: known.mode, isDegraded: isDegraded(standing) })}
            />
          ))}
        </ul>
      ) : known ? (
        <EmptyState icon={<ListChecks />} title="No rules" hint="Only the lists are enforced." />
      ) : (
        <EmptyState
          icon={<TriangleAlert />}
          title="Failed to load the rules"
          hint={`${trouble?.message ?? "Redis does not answer."} The page retries automatically.`}
        />
      )}
    </Card>
  );
}

function RuleRow({ rule: { name, limits }, look: { tone, word } }: { rule: Rule; look: RuleLook }) {
  return (
    <li className="flex min-h-9 items-center gap-3 border-border px-3.5 py-1.5 text-cell not-last:border-b">
      <span className="min-w-0 flex-1">
        <Untrusted text={name} max={64} className="font-mono" />
        <span className="block text-meta text-text-3">{limits}</span>
      </span>
      <Badge tone={tone} icon={tone === "plain" ? undefined : toneIcon(tone)}>
        {word}
      </Badge>
    </li>
  );
}

type Rule = Status["rules"][number];

interface RuleLook {
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
