import { isCustomerId } from "../customers/id.ts";
import { readCustomers } from "../customers/read.ts";
import { format, masked } from "../ip/block.ts";
import { readBlock } from "../ip/parse.ts";
import type { Load, Plan, Reading, Step, Unweighed, Weighed } from "../limits/plan.ts";
import { stepOf } from "../policy/branch.ts";
import { keyText } from "../policy/client-text.ts";
import { customerPlan } from "../policy/customer-plan.ts";
import type { Policy, Rule } from "../policy/schema.ts";
import type { Connection } from "../redis/connect.ts";
import type { TopHitter } from "./hitters.ts";

/** A client and how it stands with one level of a rule, by what is counted now. */
export interface Standing extends TopHitter {
  readonly step: Step;
  readonly reading: Reading;
  /** What is used over the limit. */
  readonly ratio: number;
}

interface CountReader {
  read(load: Load): Promise<Weighed | Unweighed>;
}

/** How clients stand with every level that counts them. Nothing is charged. */
export async function readStandings(
  redis: Connection,
  counts: CountReader,
  policy: Policy,
  hitters: readonly TopHitter[],
): Promise<Standing[]> {
  const loads = await loadsOf(redis, policy, hitters);
  const answers = await Promise.all(loads.map((load) => counts.read(load)));
  return answers.flatMap((answer, i) => {
    const [hitter, load] = [hitters[i], loads[i]];
    if (!hitter || !load || answer.outcome === "unweighed") return [];
    return load.plan.steps.flatMap((step, s) => {
      const reading = answer.readings[s];
      if (!reading || reading.used === 0 || answer.trouble.includes(s)) return [];
      return [{ ...hitter, step, reading, ratio: reading.used / step.limit }];
    });
  });
}

/** Of each client the level that it is nearest to, or furthest over; the worst first. */
export function worstOf(standings: readonly Standing[], isWanted: (step: Step) => boolean): Standing[] {
  const worst = new Map<string, Standing>();
  for (const standing of standings) {
    if (!isWanted(standing.step)) continue;
    const name = JSON.stringify(standing.name);
    if (standing.ratio > (worst.get(name)?.ratio ?? 0)) worst.set(name, standing);
  }
  return [...worst.values()].sort((a, b) => b.ratio - a.ratio);
}

/** Who is over comes first, then whose limit another system knows, by how much they did; then the rest. */
export function worstFirst(standings: readonly Standing[]): Standing[] {
  const rank = ({ ratio, step }: Standing) => (ratio >= 1 ? 2 : Number.isFinite(step.limit) ? 0 : 1);
  return standings.toSorted(
    (a, b) => rank(b) - rank(a) || b.ratio - a.ratio || b.reading.used - a.reading.used,
  );
}

async function loadsOf(redis: Connection, policy: Policy, hitters: readonly TopHitter[]): Promise<Load[]> {
  const ids = hitters.flatMap(({ name }) =>
    name.kind === "customer" && isCustomerId(name.client) ? [name.client] : [],
  );
  const customers = ids.length > 0 ? await readCustomers(redis, ids) : [];
  const levels = new Map(customers.map(({ id, levels = [] }) => [String(id), levels]));
  const byIp = ipPlan(policy);
  // What follows one plan is asked together, so who follows the same shares it.
  const plans = new Map<string, Plan>();
  const shared = (name: unknown[], make: () => Plan) => {
    const text = JSON.stringify(name);
    const plan = plans.get(text) ?? make();
    plans.set(text, plan);
    return plan;
  };
  return hitters.map(({ name }) => {
    if (name.kind === "ip") return ipLoad(byIp, name.client);
    if (name.kind === "rule") {
      const plan = shared(["rule", name.rule], () => rulePlan(policy, name.rule));
      return loadOf(plan, () => keyText(name.client));
    }
    const own = levels.get(name.client) ?? [];
    const plan = shared(["customer", own], () => customerPlan(policy, own));
    return loadOf(plan, () => name.client);
  });
}

interface IpPlan {
  readonly plan: Plan;
  readonly prefixes: readonly number[];
}

/** The levels that count by address. */
function ipPlan({ rules }: Policy): IpPlan {
  const counting = rules.filter(({ client, mode }) => client === "ip" && mode !== "off");
  const parts = counting.flatMap((rule) => stepsOf(rule).map((step) => ({ step, prefix: rule.ipv6Prefix })));
  return { plan: { steps: parts.map(({ step }) => step) }, prefixes: parts.map(({ prefix }) => prefix) };
}

function ipLoad({ plan, prefixes }: IpPlan, text: string): Load {
  const block = readBlock(text);
  const isIpv6 = block?.family === 6;
  return loadOf(plan, (i) => (isIpv6 && block ? format(masked(block, prefixes[i] ?? 64)) : text));
}

function rulePlan({ rules }: Policy, name: string): Plan {
  const rule = rules.find((one) => one.name === name && one.mode !== "off");
  return { steps: rule ? stepsOf(rule) : [] };
}

function stepsOf(rule: Rule): Step[] {
  if (rule.levels === "tier") return [];
  return rule.levels.map((level) => stepOf(rule, level, rule.mode === "shadow"));
}

function loadOf(plan: Plan, clientAt: (step: number) => string): Load {
  return { plan, clients: plan.steps.map((_, i) => clientAt(i)), costs: plan.steps.map(() => 1) };
}
