import { explainRules, type RuleReading } from "../../enforce/guard/explain-rules.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
import { CompiledPolicy } from "../../enforce/policy/compile.ts";
import { readDigest } from "../../enforce/policy/identify.ts";
import { matchSchema } from "../../enforce/policy/match.ts";
import type { Policy, Rule } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { ClientAddress } from "../../ip/block.ts";
import type { Connection } from "../../redis/connect.ts";

/** The headers of a request that has this value in every header and cookie that a rule counts by. */
export function headersWith({ rules }: Policy, value: string): Record<string, string> {
  const parts = rules.flatMap(({ client }) =>
    typeof client === "string"
      ? []
      : [client, ...(client.all ?? []).filter((part) => typeof part !== "string")],
  );
  const headers = parts.flatMap(({ header }) => (header === undefined ? [] : [[header, value]]));
  const cookies = parts.flatMap(({ cookie }) => (cookie === undefined ? [] : [`${cookie}=${value}`]));
  return Object.fromEntries([["cookie", cookies.join("; ")], ...headers]);
}

/**
 * The counts of a header's or cookie's value at every rule that counts by it, for requests of any client and path. Counters hold
 * the value's digest alone, so the value is required to find them. Charges nothing.
 */
export async function readValue(
  { redis, scales }: { redis: Connection; scales: Scales },
  value: string,
): Promise<RuleReading[]> {
  const [{ policy }, digest] = await Promise.all([readPolicy(redis), readDigest(redis)]);
  const rules = policy.rules
    .filter(countsValue)
    .map((rule) => ({ ...rule, match: anyRequest, requireBasic: false }));
  if (rules.length === 0) return [];
  const planned = new CompiledPolicy(
    { ...policy, mode: "enforce", rules, requestRules: undefined },
    { app: "", digest },
  ).planFor({ headers: headersWith(policy, value) }, nowhere);
  return explainRules(
    { policy, customerId: undefined, planned, weighed: await scales.read(planned) },
    { isReached: false },
  );
}

const anyRequest = matchSchema.parse({});
const nowhere = new ClientAddress({ family: 4, a: 0, b: 0, c: 0, d: 0, length: 32 });

function countsValue({ client }: Rule): boolean {
  return typeof client === "object" && (client.header ?? client.cookie) !== undefined;
}
