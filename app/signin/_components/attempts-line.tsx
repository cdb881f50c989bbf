import { Gauge } from "lucide-react";
import type { Attempts } from "../../../lib/auth/sign-in-limits.ts";
import { sayWait } from "../../../lib/auth/wait.ts";

/** How often somebody may still be wrong, from where they sit. */
export function AttemptsLine({ attempts, address }: { attempts: Attempts; address: string | undefined }) {
  const { left, of, waitMs } = attempts;
  return (
    <p className="flex items-start gap-2">
      <Gauge className={left === 0 ? "text-throttled-graphic" : undefined} />
      <span className="min-w-0">
        {left === 0 ? "No attempts left from " : `${left} of ${of} attempts left from `}
        <span className="font-mono wrap-anywhere">{address ?? "your address"}</span>
        {left === 0 && `. Try again in ${sayWait(waitMs)}.`}
      </span>
    </p>
  );
}
