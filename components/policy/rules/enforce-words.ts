import { counted, countText } from "@/components/ui/value-text.ts";
import type { ShadowReply } from "@/lib/queries/shadow.ts";
import type { Draft, FormRule } from "../draft/draft.ts";

/** Whether shadow counts for the rule, and by the same limits. */
export function shadowOf({ base }: Pick<Draft, "base">, rule: FormRule): "same" | "other" | "none" {
  const inForce = [...base.rules, ...(base.requestRules ?? [])].find(({ name }) => name === rule.name);
  if (inForce?.mode !== "shadow" || base.mode === "off") return "none";
  const facts = ({ match, client, algorithm, levels, cost, action }: FormRule) =>
    JSON.stringify([match, client, algorithm, levels, cost, action]);
  return facts(inForce) === facts(rule) ? "same" : "other";
}

/** "In the last hour, shadow saw 131 requests of 7 clients that this rule would have denied." */
export function saySaw({ requests, clients }: Pick<ShadowReply, "requests" | "clients">): string {
  if (requests === 0) return "In the last hour, shadow saw no request that this rule would have denied.";
  const whose = clients > 0 ? ` of ${counted(clients, "client")}` : "";
  return `In the last hour, shadow saw ${counted(requests, "request")}${whose} that this rule would have denied.`;
}

/** What is not known of the clients, a sentence each. */
export function gapsOf({ requests, counted: known, isCut, clients, top }: ShadowReply): string[] {
  // Requests of the running second may be counted in one of the two alone.
  const unknown = requests - known;
  return [
    unknown > Math.max(10, requests / 100) &&
      `The clients of ${countText(unknown)} of these requests are unknown: older nodes do not report them.`,
    isCut && "In busy minutes only the busiest clients are kept: there were more.",
    top.length < clients && `The first ${countText(top.length)} are shown.`,
  ].filter((sentence) => sentence !== false);
}

const mostNamed = 3;

/** "customer 1042", "customers 1042 and 3008", "customers a, b, c and 4 more" */
export function nameCustomers(customers: readonly string[]): string {
  const named = customers.slice(0, mostNamed);
  const more = customers.length - named.length;
  const last = more > 0 ? `${countText(more)} more` : named.pop();
  const list = named.length > 0 ? `${named.join(", ")} and ${last}` : last;
  return `${customers.length === 1 ? "customer" : "customers"} ${list}`;
}

/** What the rule does to a client. */
export function effectOf({ action }: FormRule): "throttle" | "block" {
  return action === undefined ? "throttle" : "block";
}

export const pastOf = { throttle: "throttled", block: "blocked" } as const;

/** Repeats the outcome. */
export function enforceLabel(
  reply: Pick<ShadowReply, "clients"> | undefined,
  effect: ReturnType<typeof effectOf> = "throttle",
): string {
  const throttles = reply && reply.clients > 0 ? `, ${effect} ${counted(reply.clients, "client")}` : "";
  return `Enforce in the draft${throttles}`;
}
