import { Gauge } from "lucide-react";
import type { Attempts } from "@/lib/manage/users/sign-in-limits.ts";
import { sayWait } from "@/lib/manage/users/wait.ts";

/** Attempts that are left for this address. */
export function AttemptsLine({ attempts, address }: { attempts: Attempts; address: string | undefined }) {
  const { left, of, waitMs } = attempts;
  return (
    <p className="flex items-start gap-2">
      <Gauge className={left === 0 ? "text-throttled-graphic" : undefined} />
      <span className="min-w-0">
        {sayLeft(left, of)}
        <span className="font-mono wrap-anywhere">{address ?? "your address"}</span>
        {left === 0 && `. Try again in ${sayWait(waitMs)}.`}
      </span>
    </p>
  );
}

/** An address that many people share has no limit: failures make further attempts slower. */
function sayLeft(left: number, of: number): string {
  if (left === 0) return "No attempts left from ";
  return Number.isFinite(left)
    ? `${left} of ${of} attempts left from `
    : "Failed attempts slow down sign-ins from ";
}
