import type * as z from "zod/mini";
import {
  decidedRequestReply,
  madeRequestReply,
  type requestReply,
  requestsReply,
} from "../../api/alarm-replies.ts";
import {
  type DecisionInput,
  decideRequest,
  makeRequest,
  type RequestInput,
} from "../../manage/requests/decide.ts";
import { readRequests, type UserRequest } from "../../manage/requests/user-request.ts";
import type { CommandSession, WritingSession } from "../session.ts";
import { type ApiSettings, askApi } from "./api-client.ts";
import { durationOf } from "./api-values.ts";

export interface RequestReads {
  /** Requests to staff, the newest first. */
  listRequests(): Promise<UserRequest[]>;
}

export interface RequestWrites {
  makeRequest(input: Omit<RequestInput, "role">): Promise<UserRequest>;
  decideRequest(
    input: DecisionInput,
  ): Promise<{ readonly request: UserRequest; readonly change: number | null }>;
}

export function redisRequestReads({ redis }: CommandSession): RequestReads {
  return { listRequests: () => readRequests(redis) };
}

export function redisRequestWrites({ context }: WritingSession): RequestWrites {
  return {
    makeRequest: (input) => makeRequest(context, { ...input, role: "cli" }),
    decideRequest: (input) => decideRequest(context, input),
  };
}

const mostRequests = "500";

export function apiRequests(api: ApiSettings): RequestReads & RequestWrites {
  return {
    async listRequests() {
      const query = { limit: mostRequests };
      const found = await askApi(api, { method: "GET", path: "/requests", query, reply: requestsReply });
      return found.requests.map(requestOf);
    },
    async makeRequest({ ttlMs, ...wish }) {
      const body = { ...wish, ...(ttlMs !== null && { expiresIn: durationOf(ttlMs) }) };
      const made = await askApi(api, { method: "POST", path: "/requests", body, reply: madeRequestReply });
      return requestOf(made.request);
    },
    async decideRequest({ id, isConfirmed, word }) {
      const path = `/requests/${encodeURIComponent(id)}/decide`;
      const body = { confirm: isConfirmed, word };
      const decided = await askApi(api, { method: "POST", path, body, reply: decidedRequestReply });
      return { request: requestOf(decided.request), change: decided.change };
    },
  };
}

function requestOf({ ttlSeconds, decision, ...same }: z.output<typeof requestReply>): UserRequest {
  const ttlMs = ttlSeconds === null ? null : ttlSeconds * 1_000;
  return { ...same, ttlMs, ...(decision && { decision }) };
}
