import type { Refused } from "../lists/add.ts";
import { exitCode } from "./exit-code.ts";
import type { Failure } from "./failure.ts";

interface Told {
  readonly complaints: readonly string[];
  readonly error?: Failure;
  readonly exit?: 1;
}

/** What to tell of addresses that were refused, while others may have been done. */
export function tellRefused(outcomes: readonly (Refused | { readonly outcome: string })[]): Told {
  const refused = outcomes.filter(isRefused);
  const [first] = refused;
  if (!first) return { complaints: [] };
  const complaints = refused.map(({ address, code, message }) =>
    code === "needs-confirmation" ? `${message} (--confirm ${address})` : message,
  );
  const fields = Object.fromEntries(refused.map(({ address, message }) => [address, message]));
  return {
    complaints,
    error: { code: first.code, message: complaints.join("\n"), fields },
    exit: exitCode.refused,
  };
}

function isRefused(outcome: Refused | { readonly outcome: string }): outcome is Refused {
  return outcome.outcome === "refused";
}
