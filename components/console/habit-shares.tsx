import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, shareText } from "@/components/ui/value-text.ts";
import { verdictWords } from "@/components/ui/verdicts.tsx";
import type { Habits } from "@/lib/queries/habits.ts";

interface HabitSharesProps {
  readonly habits: Habits;
  /** Why no sample is known. */
  readonly none: string;
}

/** Paths, verdicts, rules, user agents and apps, as shares: nodes keep samples of requests. */
export function HabitShares({ habits, none }: HabitSharesProps) {
  const { requests, outcomes, denyingRules, userAgents, apps } = habits;
  return (
    <>
      {requests.length === 0 ? (
        <p className="text-cell text-text-3">{none}</p>
      ) : (
        <ul aria-label="Paths" className="flex flex-col gap-1.5">
          {requests.map(({ method, text, share }) => (
            <li key={`${method} ${text}`} className="flex items-center gap-2 font-mono text-cell">
              <span className="w-12 shrink-0 text-text-3">{method}</span>
              <span className="min-w-0 flex-1 truncate">
                <Untrusted text={text} max={90} />
              </span>
              <span className="h-1 w-14 shrink-0 rounded-full bg-track" aria-hidden="true">
                <span className="block h-full rounded-full bg-text-3" style={{ width: `${100 * share}%` }} />
              </span>
              <span className="w-16 shrink-0 text-right">{shareText(share)}</span>
            </li>
          ))}
        </ul>
      )}
      <HabitPart
        title="Verdicts"
        items={outcomes.map(({ text, share }) => ({ text: outcomeWords[text], share }))}
      />
      <HabitPart title="Denied by" hint="shares of the denials" items={denyingRules} isMono />
      <HabitPart title="User agents" items={userAgents} isMono />
      <HabitPart title="Apps" items={apps} />
    </>
  );
}

const outcomeWords: Readonly<Record<Habits["outcomes"][number]["text"], string>> = {
  ...verdictWords,
  denied: "Denied",
  "not-denied": "Not denied",
};

interface HabitPartProps {
  title: string;
  hint?: string;
  /** Only the beginning of the text is known. */
  items: readonly { text: string; share: number; isCut?: boolean | undefined }[];
  isMono?: boolean;
}

/** Enough to show what repeats. */
const mostShown = 6;

export function HabitPart({ title, hint, items, isMono = false }: HabitPartProps) {
  if (items.length === 0) return null;
  return (
    <section className="mt-3 border-t border-border pt-3 text-cell">
      <h3 className="mb-1 text-text-3">
        {title}
        {hint && <span className="font-mono text-meta"> {hint}</span>}
      </h3>
      <ul aria-label={title} className="flex flex-col gap-1">
        {items.slice(0, mostShown).map(({ text, share, isCut }) => (
          <li key={text} className="flex gap-2">
            <span
              className={isMono ? "min-w-0 flex-1 font-mono wrap-anywhere" : "min-w-0 flex-1 wrap-anywhere"}
            >
              {text === "" ? "none" : <Untrusted text={text} max={160} />}
              {isCut && <span className="text-text-3"> (cut short by nodes)</span>}
            </span>
            <span className="shrink-0 text-text-3">{shareText(share)}</span>
          </li>
        ))}
        {items.length > mostShown && (
          <li className="text-text-3">and {countText(items.length - mostShown)} more</li>
        )}
      </ul>
    </section>
  );
}
