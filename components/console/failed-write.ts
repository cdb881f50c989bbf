import { countText } from "@/components/ui/value-text.ts";
import type { Failure } from "@/lib/console/failure.ts";

/** The browser got no answer. The console may have received the change. */
export const noAnswer: Failure = {
  code: "failed",
  message: "The console did not answer. It is unknown whether the change was made. Check, then retry.",
  fields: {},
  effect: "unknown",
};

/** Caused by an outage: false once that is over. */
export function isOutage(failure: Failure): boolean {
  return failure === noAnswer || failure.code === "redis-unavailable";
}

/** Title of a failed change. States exactly what is known of its effect, so that the text below cannot contradict it. */
export function failedTitle(
  { effect }: Pick<Failure, "effect">,
  done = 0,
  none = "Nothing was changed",
): string {
  if (done > 0) return `Stopped after ${countText(done)}`;
  return effect === "unknown" ? "Outcome unknown" : none;
}
