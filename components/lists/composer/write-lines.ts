import { inSteps, inTurn, type Total } from "@/components/console/in-steps.ts";
import { addLines, importText } from "@/lib/console/actions/lists.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Readiness } from "./readiness.ts";

/** Most lines of one call. */
const mostAtOnce = 10_000;

interface Writing {
  readonly list: ListName;
  readonly ready: Extract<Readiness, { can: true }>;
  readonly text: string;
  readonly reason: string;
  readonly confirmed: readonly string[];
}

/** Writes the addresses that the preview has shown, and nothing else of the text. */
export function writeLines({ list, ready, text, reason, confirmed }: Writing): Promise<Total> {
  const input = { list, ttlMs: ready.ttlMs, reason, confirmed: [...confirmed] };
  const of = fingerprint(text, JSON.stringify([ready.ttlMs, confirmed]));
  const wanted = ready.addresses.length;
  return inTurn(slicesOf(ready.addresses), (addresses, isLast) =>
    inSteps((after) => {
      const call = { ...input, after, part: { of, wanted, isLast } };
      return ready.saysMore
        ? importText({ ...call, text, expected: addresses })
        : addLines({ ...call, addresses });
    }),
  );
}

function slicesOf(addresses: readonly string[]): readonly string[][] {
  const count = Math.ceil(addresses.length / mostAtOnce);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * mostAtOnce, (i + 1) * mostAtOnce));
}
