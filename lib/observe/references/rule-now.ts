import { isCustomerId } from "../../enforce/customers/id.ts";
import { readStoredLimits } from "../../enforce/customers/stored-limits.ts";
import { explainRules } from "../../enforce/guard/explain-rules.ts";
import { withLimits } from "../../enforce/policy/code-limits.ts";
import { CompiledPolicy } from "../../enforce/policy/compile.ts";
import { readDigest } from "../../enforce/policy/identify.ts";
import { isForApp, matchSchema } from "../../enforce/policy/match.ts";
import type { RequestRule } from "../../enforce/policy/request-rules.ts";
import type { Mode, Rule } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { ClientAddress } from "../../ip/block.ts";
import { blockOf, type Ip } from "../../ip/parse.ts";
import type { ExplainSources } from "../policy/explain-request.ts";
import type { DenialNow } from "./explain-reference.ts";

export interface DeniedByRule {
  readonly rule: string;
  readonly app: string;
  readonly client: Ip | undefined;
  readonly customer: string | undefined;
  readonly counted: string | undefined;
}

/** What the rule has counted of a denied client, for requests of any path. Charges nothing. */
export async function readRuleNow(
  { redis, scales }: Pick<ExplainSources, "redis" | "scales">,
  { rule: name, app, client, customer, counted }: DeniedByRule,
): Promise<DenialNow> {
  const { policy } = await readPolicy(redis);
  const requestRule = policy.requestRules?.find((one) => one.name === name);
  if (requestRule) return requestRuleNow(requestRule, policy.mode);
  const rule = (await withLimits(redis, policy)).rules.find((one) => one.name === name);
  if (!rule) return no(`no rule ${name} is in force`);
  if (policy.mode !== "enforce") return no(`the mode is ${policy.mode}`);
  if (rule.mode !== "enforce") return no(`rule ${name} is ${rule.mode === "off" ? "off" : "in shadow"}`);
  if (app !== "" && !isForApp(rule.match, app)) return no(`rule ${name} is not for app ${app}`);
  const alone = { ...policy, rules: [forAnyRequest(rule, counted)] };
  const clients = { [countedThen]: () => counted };
  const compiled = new CompiledPolicy(alone, { app, digest: await readDigest(redis), clients });
  const id = customer !== undefined && isCustomerId(customer) ? customer : undefined;
  const caller = id && compiled.callerOf(id, await readStoredLimits(redis, id));
  const isUnknown = client === undefined && counted === undefined && caller === undefined;
  const planned = compiled.planFor({}, new ClientAddress(blockOf(client ?? nobody)), caller);
  const weighed = await scales.read(planned);
  const readings = explainRules({ policy, customerId: customer, planned, weighed }, { isReached: false });
  if (readings.length === 0 || isUnknown)
    return {
      applies: undefined,
      says: `Rule ${name} is in force. What it has counted of this client now cannot be read.`,
    };
  const over = readings.filter(({ isOver }) => isOver);
  const says = (over.length > 0 ? over : readings).map((reading) => reading.says).join(" ");
  return over.length > 0
    ? { applies: true, says: `It still applies: ${says}` }
    : no(`the client is below its limit. ${says}`);
}

/** What the rule counted is named by the reference; a rule by address or customer counts the same again. */
const countedThen = "denied";
const nobody = "0.0.0.0" as Ip;

function forAnyRequest(rule: Rule, counted: string | undefined): Rule {
  const match = matchSchema.parse({ who: rule.match.who });
  const client = counted === undefined ? rule.client : { code: countedThen };
  return { ...rule, match, requireBasic: false, client };
}

/** What it asks for, such as headers, no reference carries. */
function requestRuleNow({ name, mode }: Pick<RequestRule, "name" | "mode">, ofAll: Mode): DenialNow {
  if (ofAll !== "enforce") return no(`the mode is ${ofAll}`);
  if (mode !== "enforce") return no(`rule ${name} is ${mode === "off" ? "off" : "in shadow"}`);
  return {
    applies: undefined,
    says: `Request rule ${name} is in force. Whether it denies the client now depends on the request.`,
  };
}

const no = (why: string): DenialNow => ({
  applies: false,
  says: `It no longer applies: ${why}${why.endsWith(".") ? "" : "."}`,
});
