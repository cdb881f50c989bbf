import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import {
  attackModeReply,
  modeReply,
  policyCheckReply,
  policyReply,
  policyVersionsReply,
  savedAttackModeReply,
  savedModeReply,
  savedPolicyReply,
} from "../../api/replies.ts";
import { checkPolicy, modes, type Policy } from "../../enforce/policy/schema.ts";
import type { AttackMode } from "../../enforce/policy/timed.ts";
import {
  isGood,
  listVersions,
  type PolicyInForce,
  readPolicy,
  readVersion,
} from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { endAttackMode, startAttackMode } from "../../manage/policy/attack-mode.ts";
import { rollBackTo } from "../../manage/policy/roll-back.ts";
import type { SavedPolicy } from "../../manage/policy/save.ts";
import { checkBasis, setPolicy } from "../../manage/policy/set.ts";
import { setMode } from "../../manage/policy/set-mode.ts";
import { diffPolicies } from "../../observe/policy/diff.ts";
import { none, reason, until, wholeNumber } from "./fields.ts";
import { type ApiContext, operation } from "./operation.ts";

const tag = "Policy";

/** The document has its schema from the policy itself. */
export const policyField = z.looseObject({}).describe("The whole policy: mode, rules, tiers, edge.");

const version = wholeNumber("the number of a version, from 0").describe(
  "0 is the policy of a fresh install.",
);
const stale = { 412: "Another version is in force. The detail says who published it." };
const versioned = { ifMatch: "required", refusals: stale } as const;

export const policyOperations = [
  operation({
    ...{ method: "GET", path: "/policy", id: "getPolicy", tag, action: "api.read", needs: "read" },
    summary: "The policy in force",
    about: "ETag is its version, which If-Match of a change names.",
    isForApps: true,
    ...{ params: none, query: none, reply: policyReply },
    async run({ redis }) {
      const found = await readPolicy(redis);
      return { body: bodyOf(found), version: String(found.version) };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/policy", id: "putPolicy", tag, action: "policy.set", needs: "policy" },
    summary: "Publish a policy as the next version",
    about:
      "A token for one app can change the rules that name this app alone and ban no client, and nothing else. Another mode takes the scope of that mode.",
    isWrite: true,
    isForApps: true,
    ...versioned,
    ...{ params: none, query: none, reply: savedPolicyReply },
    body: z.strictObject({
      policy: policyField,
      reason,
      evenWithOldNodes: z
        .boolean()
        .default(false)
        .describe("Publish even if nodes of an older version run. These keep the policy that they have."),
      until: until.optional().describe("When each rule and tier that this changes goes back to what it was."),
    }),
    async run(ctx, { body: { policy, reason, evenWithOldNodes, until } }) {
      const before = await readPolicy(ctx.redis);
      const checked = checkPolicy(policy);
      if (checked.ok) requireRights(ctx, before, checked.policy);
      if (evenWithOldNodes) requireAllApps(ctx);
      const basedOn = basisOf(ctx, before);
      const saved = await setPolicy(ctx, {
        ...{ policy, basedOn, reason, isOldIgnored: evenWithOldNodes, untilMs: until },
      });
      return answerOf(ctx, before, checked.ok ? checked.policy : before.policy, saved);
    },
  }),
  operation({
    ...{ method: "POST", path: "/policy/check", id: "checkPolicy", tag, action: "api.read", needs: "read" },
    summary: "Check a policy",
    about: "Lists every problem, or what publishing it would change. Writes nothing.",
    isForApps: true,
    ...{ params: none, query: none, reply: policyCheckReply },
    body: z.strictObject({ policy: policyField }),
    async run({ redis }, { body: { policy } }) {
      const before = await readPolicy(redis);
      const checked = checkPolicy(policy);
      return {
        body: {
          isValid: checked.ok,
          problems: checked.ok ? [] : checked.problems.map(({ path, message }) => ({ path, message })),
          version: before.version,
          difference: checked.ok ? [...diffPolicies(before.policy, checked.policy)] : [],
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/policy/versions", id: "listPolicyVersions", tag },
    ...{ action: "api.read", needs: "read", isForApps: true },
    summary: "The versions that are kept, the newest first",
    ...{ params: none, query: none, reply: policyVersionsReply },
    async run({ redis }) {
      const versions = await listVersions(redis);
      return {
        body: {
          versions: versions.map((one) => {
            if (!isGood(one)) return { version: one.version, problem: one.problem };
            const { policy: _, unknownTimeZones: __, timed: ___, hasEnded: ____, ...facts } = one;
            return facts;
          }),
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/policy/versions/{version}", id: "getPolicyVersion", tag },
    ...{ action: "api.read", needs: "read", isForApps: true },
    summary: "One version",
    ...{ params: z.strictObject({ version }), query: none, reply: policyReply },
    refusals: { 404: "The version is not kept." },
    async run({ redis }, { params: { version } }) {
      const found = await readVersion(redis, version);
      if (found === undefined) throw new DomainError("not-found", `Version ${version} is not kept.`);
      if (isGood(found)) return { body: bodyOf(found) };
      throw new DomainError("bad-input", `Version ${version} cannot be read: ${found.problem}.`);
    },
  }),
  operation({
    ...{ method: "POST", path: "/policy/roll-back", id: "rollBackPolicy", tag },
    ...{ action: "policy.roll-back", needs: "policy", isWrite: true, isForApps: true },
    ...versioned,
    summary: "Publish an earlier version again, as the next one",
    ...{ params: none, query: none, reply: savedPolicyReply },
    refusals: { ...versioned.refusals, 404: "The version is not kept." },
    body: z.strictObject({ version: z.int().min(0).describe("The version to bring back."), reason }),
    async run(ctx, { body: { version, reason } }) {
      const before = await readPolicy(ctx.redis);
      const wanted = await readVersion(ctx.redis, version);
      if (wanted && isGood(wanted)) requireRights(ctx, before, wanted.policy);
      const saved = await rollBackTo(ctx, { version, basedOn: basisOf(ctx, before), reason });
      return answerOf(ctx, before, wanted && isGood(wanted) ? wanted.policy : before.policy, saved);
    },
  }),
  operation({
    ...{ method: "GET", path: "/mode", id: "getMode", tag, action: "api.read", needs: "read" },
    summary: "The mode of all rules",
    isForApps: true,
    ...{ params: none, query: none, reply: modeReply },
    async run({ redis }) {
      const { policy, version, timed } = await readPolicy(redis);
      const end = timed?.ends.find(({ part }) => part === "mode");
      return { body: { mode: policy.mode, version, until: isoOrNull(end?.atMs) } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/mode", id: "putMode", tag, action: "policy.mode", isWrite: true },
    needs: {
      ...{ least: "ease-off", also: ["enforce"] },
      of: ({ body }) => (body.mode === "enforce" ? "enforce" : "ease-off"),
    },
    summary: "Switch the mode of all rules",
    about:
      "For emergencies: it takes effect even while others change the policy. In shadow, rules only report, and the lists are enforced. Off, nothing is enforced, not even the blocklist. Mode enforce takes the scope `enforce` beside `ease-off`.",
    ...{ params: none, query: none, reply: savedModeReply },
    body: z.strictObject({
      mode: z.enum(modes, { error: `write one of ${modes.join(", ")}` }),
      until: until.optional().describe("When the mode goes back to what it was."),
      reason,
    }),
    async run(ctx, { body: { mode, until, reason } }) {
      const { version, change } = await setMode(ctx, { mode, untilMs: until, reason });
      return { body: { mode, version, until: isoOrNull(until), change, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/attack-mode", id: "getAttackMode", tag, action: "api.read", needs: "read" },
    summary: "Attack mode, which adds the rules that are prepared for an attack",
    isForApps: true,
    ...{ params: none, query: none, reply: attackModeReply },
    async run({ redis }) {
      const { timed, version } = await readPolicy(redis);
      return { body: { ...attackOf(timed?.attack), version } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/attack-mode", id: "startAttackMode", tag, action: "policy.attack-on" },
    ...{ needs: "ease-off", isWrite: true },
    summary: "Switch attack mode on, or change its end and its apps",
    about: "It ends automatically, on every node, 15 minutes to 24 hours from now.",
    ...{ params: none, query: none, reply: savedAttackModeReply },
    body: z.strictObject({
      until: until.describe("When it ends."),
      apps: z.array(z.string()).optional().describe("The apps that it is for. All unless given."),
      reason,
    }),
    async run(ctx, { body: { until, apps, reason } }) {
      const saved = await startAttackMode(ctx, { untilMs: until, apps, reason });
      const { timed } = await readPolicy(ctx.redis);
      return { body: { ...attackOf(timed?.attack), ...saved, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/attack-mode", id: "endAttackMode", tag, action: "policy.attack-off" },
    ...{ needs: "ease-off", isWrite: true },
    summary: "End attack mode before its time",
    ...{ params: none, query: z.strictObject({ reason }), reply: savedAttackModeReply },
    async run(ctx, { query: { reason } }) {
      const saved = await endAttackMode(ctx, { reason });
      const { timed } = await readPolicy(ctx.redis);
      return { body: { ...attackOf(timed?.attack), ...saved, dryRun: ctx.isDryRun } };
    },
  }),
];

const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());

function attackOf(attack: AttackMode | undefined) {
  const { sinceMs, untilMs, apps, by, reason } = attack ?? {};
  return {
    ...{ isOn: attack !== undefined, since: isoOrNull(sinceMs), until: isoOrNull(untilMs) },
    ...{ apps: apps ? [...apps] : null, by: by ?? null, reason: reason ?? null },
  };
}

function bodyOf({ unknownTimeZones: _, hasEnded: __, timed, policy, ...stored }: PolicyInForce) {
  const ends = timed && { timed: { ...timed, ends: [...timed.ends] } };
  return { ...stored, ...ends, policy: { ...policy } };
}

/** The version that the change is made from: that of If-Match, or with `*` the one in force. */
function basisOf({ ifMatch }: ApiContext, inForce: PolicyInForce): number {
  if (ifMatch === undefined) return inForce.version;
  if (!/^\d{1,15}$/.test(ifMatch))
    throw new DomainError("bad-input", 'If-Match is the version in quotes, such as "7".', {
      "If-Match": "a version, or *",
    });
  checkBasis(inForce, Number(ifMatch));
  return Number(ifMatch);
}

function requireRights(ctx: ApiContext, before: PolicyInForce, after: Policy): void {
  requireOwnRules(ctx, before, after);
  const scope = after.mode === "enforce" ? "enforce" : "ease-off";
  if (after.mode === before.policy.mode || ctx.token.scopes.includes(scope)) return;
  throw new DomainError(
    "not-allowed",
    `This changes the mode from ${before.policy.mode} to ${after.mode}, and the token has no scope ${scope}.`,
  );
}

/** Nodes of other apps would keep the policy that they have. */
function requireAllApps({ token: { app } }: ApiContext): void {
  if (app === undefined) return;
  throw new DomainError(
    "not-allowed",
    `This token is for the app ${app}: evenWithOldNodes concerns all apps.`,
  );
}

/** A token for one app may change the rules that name this app alone. A ban is in force in all apps. */
function requireOwnRules(
  { token: { app } }: ApiContext,
  { policy: before }: PolicyInForce,
  after: Policy,
): void {
  if (app === undefined) return;
  const isOthers = ({ match: { apps }, ban }: Policy["rules"][number]) =>
    apps?.length !== 1 || apps[0] !== app || ban !== undefined;
  const others = (policy: Policy) => ({ ...policy, rules: policy.rules.filter(isOthers) });
  if (isDeepStrictEqual(others(before), others(after))) return;
  throw new DomainError(
    "not-allowed",
    `This token is for the app ${app}: it can change rules whose match.apps names this app alone and that ban no client, and nothing else of the policy.`,
  );
}

function answerOf(
  { isDryRun }: ApiContext,
  before: PolicyInForce,
  after: Policy,
  { version, change }: SavedPolicy,
) {
  const difference = [...diffPolicies(before.policy, after)];
  const body = { version, before: before.version, difference, change, dryRun: isDryRun };
  return { body, ...(!isDryRun && { version: String(version) }) };
}
