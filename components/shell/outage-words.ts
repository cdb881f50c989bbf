import type { Status } from "../../lib/queries/status.ts";
import { countText } from "../ui/count-text.ts";

type Rule = Status["rules"][number];

const doing: Readonly<Record<Rule["onStoreError"], readonly [one: string, many: string]>> = {
  open: ["lets everybody pass", "let everybody pass"],
  closed: ["turns everybody away", "turn everybody away"],
  model: ["counts on each node by itself", "count on each node by themselves"],
};

/** What still holds while Redis is away, in half a sentence. */
export function sayWhatHolds(known: Pick<Status, "mode" | "counts"> | undefined): string {
  if (known?.mode === "off") return "the mode is off, so nothing was stopped before either";
  const counts = known?.counts;
  if (!counts) return "both lists hold from each node's own copy";
  return `both lists hold from each node's own copy, ${countText(counts.blocklist)} blocked and ${countText(counts.safelist)} safelisted`;
}

/** What the rules do while their counters are away. */
export function sayRules(known: Pick<Status, "mode" | "rules"> | undefined): string {
  if (!known) return "Each rule does what its policy says for a store error.";
  const enforced = known.mode === "enforce" ? known.rules.filter(({ mode }) => mode === "enforce") : [];
  if (enforced.length === 0) return "No rule was enforced.";
  const parts = (["open", "closed", "model"] as const).flatMap((choice) => {
    const count = enforced.filter(({ onStoreError }) => onStoreError === choice).length;
    return count === 0
      ? []
      : [`${count} ${count === 1 ? "rule" : "rules"} ${doing[choice][count === 1 ? 0 : 1]}`];
  });
  return `Without its counters ${joined(parts)}.`;
}

function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}
