import { z } from "zod";
import {
  auditReply,
  changeReply,
  explainReply,
  explainValueReply,
  nodesReply,
  recordReply,
  tokenReply,
} from "../../api/replies.ts";
import type { ExplainedEntry, Explanation } from "../../enforce/guard/explain.ts";
import { DomainError } from "../../errors.ts";
import { type Ip, parseIp } from "../../ip/parse.ts";
import { isOfUsers } from "../../manage/audit/filter.ts";
import { readHistory } from "../../manage/audit/history.ts";
import type { AuditRecord } from "../../manage/audit/record.ts";
import { isDamaged } from "../../manage/audit/stored.ts";
import { readSealed } from "../../manage/undo/record-to-undo.ts";
import { explainRequest } from "../../observe/policy/explain-request.ts";
import { readValue } from "../../observe/policy/explain-value.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import { changeProgress, isInSync, listNodes, readNewestChange } from "../../observe/stats/nodes.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import { theStatistics } from "../statistics.ts";
import { cursor, none, pageSize, wholeNumber } from "./fields.ts";
import { operation } from "./operation.ts";

const read = { action: "api.read", needs: "read" } as const;
const moment = z
  .string()
  .max(40)
  .refine((text) => !Number.isNaN(Date.parse(text)), "write a time, such as 2026-05-09T10:00:00Z")
  .transform((text) => Date.parse(text))
  .optional();
const text = z.string().max(200).optional();

const ip = z
  .string()
  .max(100)
  .transform((given, context): Ip => {
    const parsed = parseIp(given);
    if (parsed.ok) return parsed.value;
    context.addIssue({ code: "custom", message: parsed.reason });
    return z.NEVER;
  })
  .describe("Address of the client.");

const mostHeaders = 50;
/** By their lower-case names. */
const headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, "write a header's name"),
    z.string().max(10_000),
  )
  .refine((given) => Object.keys(given).length <= mostHeaders, `at most ${mostHeaders} headers`)
  .transform((given) =>
    Object.fromEntries(Object.entries(given).map(([name, text]) => [name.toLowerCase(), text])),
  );

export const tokenOperation = operation({
  ...{ method: "GET", path: "/token", id: "getToken", tag: "Token", action: "api.read", needs: undefined },
  summary: "The token of this request",
  about: "What it may do, and until when.",
  isForApps: true,
  ...{ params: none, query: none, reply: tokenReply },
  async run({ token: { name, scopes, app, until } }) {
    return { body: { name, scopes: [...scopes], app: app ?? null, until } };
  },
});

export const insightOperations = [
  operation({
    ...{ method: "POST", path: "/explain", id: "explain", tag: "Explain", ...read },
    summary: "Explain the verdict for a client, step by step",
    about:
      "Writes nothing and counts nothing. A POST, because values do not belong into URLs. A token for one app explains requests to this app.",
    isForApps: true,
    ...{ params: none, query: none, reply: explainReply },
    body: z.strictObject({
      ip,
      app: z.string().max(64).optional().describe("App that gets the request."),
      path: z.string().max(2_000).default("/"),
      method: z.string().max(20).default("GET"),
      customerId: z.string().max(64).optional().describe("Customer that sends the request."),
      userAgent: z.string().max(2_000).optional().describe("The same as the header user-agent."),
      headers: headers.optional().describe("Headers of the request, at most 50, by their names."),
      country: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9]$/, "write a country by the two letters of ISO 3166: DE")
        .transform((text) => text.toUpperCase())
        .optional()
        .describe("Country of the client. Without it, the request is in no country."),
      verifiedBot: z.boolean().optional().describe("Whether it is of a verified bot. Unknown if left out."),
      value: z
        .string()
        .max(10_000)
        .optional()
        .describe("Value of every header and cookie that a rule counts by."),
    }),
    async run({ token, redis, protectedRanges }, { body }) {
      const { app, customerId, value, userAgent, headers, country, verifiedBot, ...request } = body;
      if (token.app !== undefined && app !== undefined && app !== token.app) throw otherApp(token.app);
      const { scales, series } = theStatistics();
      const explanation = await explainRequest(
        {
          ...{ redis, scales, protectedRanges },
          readSlack: (rules) => readSlack({ redis, series }, rules),
        },
        {
          ...request,
          method: request.method.toUpperCase(),
          app: app ?? token.app ?? "",
          ...(customerId !== undefined && { customerId }),
          headers: { ...headers, ...(userAgent !== undefined && { "user-agent": userAgent }) },
          ...(country !== undefined && { country }),
          ...(verifiedBot !== undefined && { verifiedBot }),
          ...(value !== undefined && { value }),
        },
      );
      return { body: explanationBody(explanation) };
    },
  }),
  operation({
    ...{ method: "POST", path: "/explain/value", id: "explainValue", tag: "Explain", ...read },
    summary: "What every rule that counts by a header or cookie has counted of a value",
    about: "For requests of any client and path. Charges nothing.",
    ...{ params: none, query: none, reply: explainValueReply },
    body: z.strictObject({ value: z.string().min(1).max(10_000) }),
    async run({ redis }, { body: { value } }) {
      const rules = await readValue({ redis, scales: theStatistics().scales }, value);
      return { body: { rules: rules.map((rule) => ({ ...rule })) } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/nodes", id: "listNodes", tag: "Nodes", ...read },
    summary: "The processes that enforce",
    about: "A token for one app sees the nodes of this app.",
    isForApps: true,
    ...{ params: none, query: none, reply: nodesReply },
    async run({ redis, token }) {
      const [nodes, newest] = await Promise.all([listNodes(redis), readNewestChange(redis)]);
      const shown = nodes.filter(({ app }) => token.app === undefined || app === token.app);
      return {
        body: {
          nodes: shown.map((node) => ({
            ...{ id: node.id, app: node.app, host: node.host, version: node.version, change: node.change },
            startedAt: iso(node.startedAt),
            seenAt: iso(node.seenAt),
            isInSync: isInSync(node, newest),
            following: node.following ?? null,
            counters: node.counters ?? null,
          })),
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/changes/{change}", id: "getChange", tag: "Nodes", ...read },
    summary: "On how many nodes a change is applied",
    about: "Every write answers with the number of its change.",
    isForApps: true,
    params: z.strictObject({ change: wholeNumber("the number of a change", 1) }),
    ...{ query: none, reply: changeReply, refusals: { 404: "There is no such change yet." } },
    async run({ redis }, { params: { change } }) {
      const newest = await readNewestChange(redis);
      if (change > newest.number)
        throw new DomainError(
          "not-found",
          `There is no change ${change} yet. The last one is ${newest.number}.`,
        );
      const { nodes, reached, lagging } = await changeProgress(redis, change);
      return {
        body: {
          ...{ change, nodes, appliedOn: nodes - lagging.length, lagging: lagging.map(({ id }) => id) },
          slowestMs: Math.max(0, ...reached.map(({ tookMs }) => tookMs)),
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/audit", id: "listAudit", tag: "Audit", ...read },
    summary: "The audit log, the newest record first",
    about: "Without records about users and tokens. A page may be empty and not the last one.",
    params: none,
    query: z.strictObject({
      actor: text.describe("A part of the actor's name."),
      action: text.describe("How the action begins: blocklist, customer.tier, policy."),
      target: text.describe("An address, or a customer."),
      via: text.describe("The source: console, cli, api, auto."),
      from: moment.describe("Not before this time."),
      to: moment.describe("Not after this time."),
      text: text.describe("A part of the reason, the actor or a target."),
      limit: pageSize(200),
      cursor: cursor.refine(
        (given) => given === undefined || /^\d{1,20}-\d{1,20}$/.test(given),
        "write `next` of the page before",
      ),
    }),
    reply: auditReply,
    async run({ redis, seal }, { query: { limit, cursor, ...wishes } }) {
      const wished = Object.entries(wishes).filter(([, value]) => value !== undefined);
      const filter = { ...Object.fromEntries(wished), isWithoutUsers: true as const };
      const place = cursor === undefined ? {} : { before: cursor };
      const { records, next } = await readHistory(redis, { filter, seal, limit, ...place });
      return {
        body: {
          records: records.flatMap((row) => (isDamaged(row) ? [] : [recordBody(row)])),
          damaged: records.flatMap((row) => (isDamaged(row) ? [row.n] : [])),
          next,
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/audit/{n}", id: "getAuditRecord", tag: "Audit", ...read },
    summary: "One record of the audit log",
    params: z.strictObject({ n: wholeNumber("the number of a record", 1) }),
    ...{ query: none, reply: recordReply, refusals: { 404: "There is no such record." } },
    async run(ctx, { params: { n } }) {
      const record = await readSealed(ctx, n);
      if (isOfUsers(record))
        throw new DomainError("not-allowed", "No token reads records about users and tokens.");
      return { body: recordBody(record) };
    },
  }),
];

function otherApp(app: string): DomainError {
  return new DomainError("not-allowed", `This token is for the app ${app}: it cannot read of other apps.`);
}

const iso = (ms: number) => new Date(Math.min(ms, 8.64e15)).toISOString();

function explanationBody({ client, outcome, status, says, trouble, steps }: Explanation) {
  return {
    ...{ outcome, status, says },
    ...(client !== undefined && { client }),
    ...(trouble !== undefined && { trouble }),
    steps: steps.map(({ step, decides, says, entries, rules = [], slack = [] }) => ({
      ...{ step, decides, says, entries: entries.map(explainedEntry) },
      rules: rules.map((rule) => ({ ...rule })),
      slack: slack.map(({ rule, says }) => ({ rule, says })),
    })),
  };
}

function explainedEntry({ list, address, note, expiresAt, notEnforcedBecause }: ExplainedEntry) {
  return {
    ...{ list, address, expiresAt: expiresAt === null ? null : iso(expiresAt), ...note },
    ...(notEnforcedBecause && { notEnforced: notEnforcedBecause }),
  };
}

function recordBody(record: AuditRecord) {
  const { n, at, actor, address, via, action, undoes, change, reason, changes, bulk } = record;
  return {
    ...{ n, at, actor, via, action, change, reason },
    ...(address !== undefined && { address }),
    ...(undoes && { undoes: undoes.n }),
    says: plainly(sayRecord(record)),
    changes: changes.map(({ target, before, after }) => ({
      target,
      before: sideOf(before),
      after: sideOf(after),
    })),
    ...(bulk && { entries: bulk.state?.done ?? bulk.wanted }),
  };
}

function sideOf(side: AuditRecord["changes"][number]["before"]) {
  return side && { value: side.value, expiresAt: side.expiresAt };
}
