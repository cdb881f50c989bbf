import type { Level } from "@/lib/enforce/policy/levels.ts";
import { sayLevel } from "../level-words.ts";

/** `100 / min` `5,000 / h`. */
export function LevelChips({ levels }: { levels: readonly Level[] }) {
  return levels.map((level) => (
    <span
      key={level.periodSeconds}
      className="inline-flex h-5 items-center rounded-badge bg-raised px-1.5 text-meta whitespace-nowrap text-text-2"
    >
      {sayLevel(level)}
    </span>
  ));
}
