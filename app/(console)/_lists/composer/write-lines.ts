import type { ListName } from "../../../../lib/redis/keys.ts";
import { addLines, importText } from "../../../_actions/lists.ts";
import { inSteps, inTurn, type Total } from "../in-steps.ts";
import type { Readiness } from "./readiness.ts";

/** One call takes so many. */
const mostAtOnce = 10_000;

interface Writing {
  readonly list: ListName;
  readonly ready: Extract<Readiness, { can: true }>;
  readonly text: string;
  readonly reason: string;
  readonly confirmed: readonly string[];
}

/** Writes what the preview has shown, and nothing else of the text. */
export function writeLines({ list, ready, text, reason, confirmed }: Writing): Promise<Total> {
  const input = { list, ttlMs: ready.ttlMs, reason, confirmed: [...confirmed] };
  return inTurn(slicesOf(ready.addresses), (addresses) =>
    inSteps((after) =>
      ready.saysMore
        ? importText({ ...input, text, expected: addresses, after })
        : addLines({ ...input, addresses, after }),
    ),
  );
}

function slicesOf(addresses: readonly string[]): readonly string[][] {
  const count = Math.ceil(addresses.length / mostAtOnce);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * mostAtOnce, (i + 1) * mostAtOnce));
}
