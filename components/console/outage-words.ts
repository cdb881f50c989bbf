import { countText } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";

type Rule = Status["rules"][number];

const doing: Readonly<Record<Rule["onStoreError"], readonly [one: string, many: string]>> = {
  open: ["is not enforced", "are not enforced"],
  closed: ["denies every request", "deny every request"],
  model: ["counts on each node separately", "count on each node separately"],
};

/** What is still enforced while Redis is away. Part of a sentence. */
export function sayWhatHolds(known: Pick<Status, "mode" | "counts"> | undefined): string {
  if (known?.mode === "off") return "the mode is off, so nothing was enforced before either";
  const counts = known?.counts;
  if (!counts) return "each node enforces both lists from its own copy";
  return `each node enforces both lists from its own copy, ${countText(counts.blocklist)} blocked and ${countText(counts.safelist)} safelisted`;
}

/** What the rules do while their counters are unavailable. */
export function sayRules(known: Pick<Status, "mode" | "rules"> | undefined): string {
  if (!known) return "Each rule follows its onStoreError setting.";
  const enforced = known.mode === "enforce" ? known.rules.filter(({ mode }) => mode === "enforce") : [];
  if (enforced.length === 0) return "No rule was enforced.";
  const parts = (["open", "closed", "model"] as const).flatMap((choice) => {
    const count = enforced.filter(({ onStoreError }) => onStoreError === choice).length;
    return count === 0
      ? []
      : [`${count} ${count === 1 ? "rule" : "rules"} ${doing[choice][count === 1 ? 0 : 1]}`];
  });
  return `Without counters, ${joined(parts)}.`;
}

function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}
