import { readDigest } from "../../enforce/policy/identify.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { freshInstall, isSettled } from "../../enforce/policy/stored.ts";
import {
  digestFormat,
  hidesValues,
  nodesBefore,
  readPolicy,
  requestRulesFormat,
  settledFormat,
} from "../../enforce/policy/versions.ts";
import { readFeeds } from "../../manage/feeds/definition.ts";
import type { Connection } from "../../redis/connect.ts";
import { sayMode } from "../policy/mode.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

export const policy: Check = {
  name: "policy",
  async run({ redis }) {
    const found = await readPolicy(redis);
    const { version, policy } = found;
    if (found.problem !== undefined) {
      const kept = `Nodes keep their last valid policy. The newest valid one in Redis is version ${version}`;
      const cure = `Save a valid policy: sluice policy rollback ${version}, or sluice policy set.`;
      return [problem(`${found.problem}. ${kept}.`, { cure })];
    }
    const shown = [
      ...(await shownValues(redis, policy)),
      ...(await leftOut(redis, policy)),
      ...(await unknownFeeds(redis, policy)),
    ];
    if (policy.mode !== "enforce") {
      const cure = "To enforce again: sluice mode enforce.";
      return [note(sayMode(policy.mode), { cure }), ...shown];
    }
    const which = version === freshInstall.version ? "that of a fresh install" : `version ${version}`;
    const watching = policy.rules.filter(({ mode }) => mode !== "enforce").length;
    const rest = watching > 0 ? `, ${watching} of them in shadow or off` : "";
    return [ok(`The policy in force is ${which}: ${plural(policy.rules.length, "rule")}${rest}.`), ...shown];
  },
};

/** Notes on rules that live nodes of earlier versions leave out. */
async function leftOut(redis: Connection, { rules, requestRules = [] }: Policy) {
  return [
    ...(await leftOutBefore(redis, settledFormat, rules.filter(isSettled), "countWhen and concurrent")),
    ...(await leftOutBefore(redis, requestRulesFormat, requestRules, "rules that deny or exempt requests")),
  ];
}

async function leftOutBefore(
  redis: Connection,
  format: number,
  rules: readonly { readonly name: string }[],
  what: string,
) {
  const older = rules.length > 0 ? await nodesBefore(redis, format) : [];
  if (older.length === 0) return [];
  const names = rules.map(({ name }) => name).join(", ");
  const nodes = older.map(({ id }) => id).join(", ");
  const says = `Not enforced by ${plural(older.length, "node")} of an earlier version: ${names} (${nodes}).`;
  return [note(says, { cure: `Upgrade them. They do not know ${what}, and enforce all other rules.` })];
}

/** Notes on rules that match feeds which do not exist: they match nothing by these. */
async function unknownFeeds(redis: Connection, { requestRules = [] }: Policy) {
  const using = requestRules.filter(({ match }) => match.feeds);
  if (using.length === 0) return [];
  const known = new Set((await readFeeds(redis)).map(({ id }) => id));
  return using.flatMap(({ name, match: { feeds = [] } }) => {
    const unknown = feeds.filter((id) => !known.has(id));
    if (unknown.length === 0) return [];
    const says = `Rule ${name} matches feeds that do not exist: ${unknown.join(", ")}.`;
    return [note(says, { cure: "Add them with sluice feed add, or change the rule." })];
  });
}

/** Note on rules that store values, because the policy was saved while a node could not use digests. */
async function shownValues(redis: Connection, { rules }: Policy) {
  const hiding = rules.filter(({ client }) => hidesValues(client)).map(({ name }) => name);
  if (hiding.length === 0 || (await readDigest(redis))) return [];
  const older = await nodesBefore(redis, digestFormat);
  const first = older.length > 0 ? `Upgrade ${older.map(({ id }) => id).join(", ")}. Then save` : "Save";
  const says = `Values of headers and cookies that rules count by are stored and shown as they are: ${hiding.join(", ")}.`;
  const then = "Then the counters of these rules hold only digests, and their windows start again once.";
  return [note(says, { cure: `${first} the policy again. ${then}` })];
}
