import { z } from "zod";
import {
  decidedRequestReply,
  madeRequestReply,
  requestReply,
  requestsReply,
} from "../../api/alarm-replies.ts";
import { oneWeekMs } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { decideRequest, makeRequest } from "../../manage/requests/decide.ts";
import { readRequests, requestKinds, type UserRequest } from "../../manage/requests/user-request.ts";
import { cursor, expiresIn, none, pageOf, pageSize } from "./fields.ts";
import { operation } from "./operation.ts";

const tag = "Requests to staff";
const reading = { tag, action: "api.read", needs: "read" } as const;
const one = { params: z.strictObject({ request: z.string().max(60) }), query: none } as const;
const gone = { refusals: { 404: "There is no such request any more." } } as const;

export const requestOperations = [
  operation({
    ...{ method: "GET", path: "/requests", id: "listRequests", ...reading, reply: requestsReply },
    summary: "What users ask staff for, the newest first",
    about: "The newest 200 that are decided are kept.",
    params: none,
    query: z.strictObject({
      state: z.enum(["open", "decided", "all"]).default("all"),
      ...{ limit: pageSize(500), cursor },
    }),
    async run({ redis }, { query: { state, limit, cursor } }) {
      const all = (await readRequests(redis)).filter(
        ({ decision }) => state === "all" || (decision === undefined) === (state === "open"),
      );
      const { items, next } = pageOf(all, { limit, cursor });
      return { body: { requests: items.map(bodyOf), next } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/requests", id: "makeRequest", tag, action: "request.make", needs: "ask" },
    ...{ isWrite: true, params: none, query: none, reply: madeRequestReply },
    summary: "Ask staff to block, unblock or change something",
    about: "Nothing is enforced until staff confirm it. A token may have 20 open requests.",
    body: z.strictObject({
      kind: z.enum(requestKinds),
      target: z
        .string()
        .max(400)
        .describe("An address or a range; of a change, what it is about, such as customer 1042."),
      expiresIn: expiresIn
        .default(oneWeekMs)
        .describe("Of a block: 90s, 30m, 24h, 7d or 1w, at most 90 days. A week if left out."),
      reason: z.string().max(500, "at most 500 characters").describe("Why. It is required."),
    }),
    async run(ctx, { body: { expiresIn, ...wish } }) {
      const request = await makeRequest(ctx, { ...wish, ttlMs: expiresIn, role: "token" });
      const body = { request: bodyOf(request), dryRun: ctx.isDryRun };
      return { body, status: ctx.isDryRun ? 200 : 201 };
    },
  }),
  operation({
    ...{ method: "GET", path: "/requests/{request}", id: "getRequest", ...reading, ...one, ...gone },
    ...{ reply: requestReply },
    summary: "One request to staff",
    async run({ redis }, { params }) {
      const found = (await readRequests(redis)).find(({ id }) => id === params.request);
      if (!found) throw new DomainError("not-found", "There is no such request any more.");
      return { body: bodyOf(found) };
    },
  }),
  operation({
    ...{ method: "POST", path: "/requests/{request}/decide", id: "decideRequest", tag, isWrite: true },
    ...{ action: "request.decide", ...one, ...gone, reply: decidedRequestReply },
    needs: { least: "decide", also: ["lists"], of: ({ body }) => (body.confirm ? "lists" : "decide") },
    summary: "Confirm a request, which does what was asked, or decline it",
    about:
      "A confirmed block or unblock is made at once, with the same lockout protection as any other; a token needs the scope lists for that, too.",
    body: z.strictObject({
      confirm: z.boolean(),
      word: z.string().trim().max(200).default("").describe("Why, in a word."),
    }),
    async run(ctx, { params: { request: id }, body: { confirm, word } }) {
      const { request, change } = await decideRequest(ctx, { id, isConfirmed: confirm, word });
      return { body: { request: bodyOf(request), change, dryRun: ctx.isDryRun } };
    },
  }),
];

function bodyOf({ id, kind, target, ttlMs, reason, by, role, at, decision }: UserRequest) {
  return {
    ...{ id, kind, target, ttlSeconds: ttlMs === null ? null : ttlMs / 1_000, reason, by, role, at },
    decision: decision ? { ...decision } : null,
  };
}
