import { z } from "zod";
import {
  denialReply,
  denialRetentionReply,
  denialsReply,
  savedDenialRetentionReply,
} from "../../api/replies.ts";
import { DomainError } from "../../errors.ts";
import { mostRetentionDays, readRetentionDays, setRetention } from "../../manage/denials/retention.ts";
import { parseCursor, readCompleteness, readDenials } from "../../observe/denials/denial-log.ts";
import { denialOfLog } from "../../observe/denials/export-denials.ts";
import { denialBody } from "../../observe/references/denial-body.ts";
import { explainReference } from "../../observe/references/explain-reference.ts";
import { readSlack } from "../../observe/stats/rule-slack.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { address, cursor, none, pageSize, reason } from "./fields.ts";
import { operation } from "./operation.ts";

const text = z.string().min(1).max(200).optional();
const moment = z
  .string()
  .max(40)
  .refine((given) => !Number.isNaN(Date.parse(given)), "write a time, such as 2026-05-09T10:00:00Z")
  .transform((given) => Date.parse(given))
  .optional();
const dayMs = 86_400_000;

export const denialOperations = [
  operation({
    ...{ method: "GET", path: "/denials", id: "listDenials", tag: "Denials" },
    ...{ action: "api.read", needs: "read" },
    summary: "The log of denied requests, the newest first",
    about:
      "The log has at most 1,000 denials of each hour, each with the same chance. `kept` and `total` say how complete it is. Without a time, the last 24 h.",
    params: none,
    query: z.strictObject({
      client: address.optional().describe("An address, or a range."),
      customer: text.describe("ID of the customer."),
      rule: text.describe("A part of what denied: a rule, an entry or a feed."),
      app: text,
      path: text.describe("A part of the path."),
      outcome: z.enum(["blocked", "throttled"]).optional(),
      from: moment.describe("Not before this time."),
      to: moment.describe("Not after this time."),
      limit: pageSize(500),
      cursor: cursor.refine(
        (given) => given === undefined || parseCursor(given) !== undefined,
        "write `next` of the page before",
      ),
    }),
    reply: denialsReply,
    async run({ redis }, { query: { limit, cursor, from, to, ...wanted } }) {
      const nowMs = await redisNowMs();
      const end = to ?? nowMs;
      const filter = { ...wanted, from: from ?? end - dayMs, to: end };
      const place = cursor === undefined ? undefined : parseCursor(cursor);
      const [{ items, next }, { kept, total, since, retentionDays }] = await Promise.all([
        readDenials(redis, filter, { limit, cursor: place }),
        readCompleteness({ redis, series: theStatistics().series }, { ...filter, nowMs }),
      ]);
      return {
        body: {
          ...{ denials: items.map(denialOfLog), next: next ?? null, kept },
          ...{ total: total ?? null, since: new Date(since).toISOString(), retentionDays },
        },
      };
    },
  }),
  operation({
    ...{ method: "GET", path: "/denials/retention", id: "getDenialRetention", tag: "Denials" },
    ...{ action: "api.read", needs: "read", params: none, query: none, reply: denialRetentionReply },
    summary: "How long the log of denied requests is kept",
    run: async ({ redis }) => ({ body: { days: await readRetentionDays(redis) } }),
  }),
  operation({
    ...{ method: "PUT", path: "/denials/retention", id: "putDenialRetention", tag: "Denials" },
    ...{ action: "denials.retention", needs: "denial-log", isWrite: true },
    ...{ params: none, query: none, reply: savedDenialRetentionReply },
    summary: "Set how long the log of denied requests is kept",
    about: "Also of hours that it has: a shorter time deletes older ones.",
    body: z.strictObject({
      days: z.number().describe(`Whole days, from 1 to ${mostRetentionDays}.`),
      reason,
    }),
    async run(ctx, { body }) {
      const { before, record } = await setRetention(ctx, body);
      return { body: { days: body.days, before, record, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "GET", path: "/denials/{reference}", id: "explainDenial", tag: "Explain" },
    ...{ action: "api.read", needs: "read", isForApps: true },
    summary: "Explain a denial by its reference",
    about:
      "Clients get the reference in the header x-sluice-ref, and in the answer. It is read for every denial, whether or not a log has it. A token for one app reads denials of this app.",
    params: z.strictObject({ reference: z.string().max(200).describe("Such as slr-1…") }),
    ...{ query: none, reply: denialReply },
    async run({ token, redis, protectedRanges }, { params: { reference } }) {
      const { scales, series } = theStatistics();
      const denial = await explainReference(
        {
          ...{ redis, scales, protectedRanges },
          readSlack: (rules) => readSlack({ redis, series }, rules),
        },
        reference,
      );
      if (token.app !== undefined && denial.app !== token.app)
        throw new DomainError(
          "not-allowed",
          `This token is for the app ${token.app}: it cannot read of other apps.`,
        );
      return { body: denialBody(denial) };
    },
  }),
];
