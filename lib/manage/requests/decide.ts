import { randomBytes } from "node:crypto";
import { at } from "../../at.ts";
import { longestOfStaffMs, staffLimit } from "../../enforce/lists/entry.ts";
import { DomainError } from "../../errors.ts";
import { parseAddress } from "../../ip/parse.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { addEntries } from "../lists/add.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { removeEntries } from "../lists/remove.ts";
import type { Role } from "../users/roles.ts";
import {
  mostDecided,
  mostOfUser,
  mostOpen,
  type RequestKind,
  requestsIn,
  sayWish,
  type UserRequest,
  writeRequest,
} from "./user-request.ts";

export interface RequestInput {
  readonly kind: RequestKind;
  readonly target: string;
  /** Of a block: as long as staff may choose. */
  readonly ttlMs: number | null;
  readonly reason: string;
  /** Of the user. Programs and the command line have none. */
  readonly role: Role | "token" | "cli";
}

const longestTarget = 200;

/** Asks staff for something. Nothing is enforced until one of them confirms it. */
export async function makeRequest(ctx: Signed, input: RequestInput): Promise<UserRequest> {
  const { kind, ttlMs, role } = input;
  const reason = input.reason.trim();
  if (reason === "") throw new DomainError("bad-input", "Write a reason.", { reason: "write a reason" });
  checkReason(reason);
  if (kind === "block" && !(ttlMs !== null && ttlMs > 0 && ttlMs <= longestOfStaffMs))
    throw new DomainError("bad-input", `${staffLimit}.`, { ttlMs: "at most 90 days" });
  const target = targetOf(input);
  const id = randomBytes(6).toString("hex");
  const { decision } = await commit(ctx, {
    ...{ action: "request.make", reason },
    slots: [{ key: keys.requests(), field: id, target: sayWish({ kind, target }) }],
    hashes: [keys.requests()],
    decide({ now, hashes }) {
      const open = requestsIn(at(hashes, 0)).filter((one) => !one.decision);
      const own = open.filter(({ by }) => by === ctx.actor.name);
      const same = open.find((one) => one.kind === kind && one.target === target && kind !== "change");
      if (same)
        throw new DomainError("bad-input", `${same.by} has asked for that already. The request is open.`);
      if (open.length >= mostOpen || own.length >= mostOfUser)
        throw new DomainError("too-busy", "Too many requests are open. Wait until staff have decided.");
      const request: UserRequest = {
        ...{ id, kind, target, ttlMs: kind === "block" ? ttlMs : null, reason },
        ...{ by: ctx.actor.name, role, at: new Date(now).toISOString() },
      };
      return { request, writes: [{ slot: 0, to: { value: writeRequest(request), expiresAt: null } }] };
    },
  });
  return decision.request;
}

function targetOf({ kind, target }: RequestInput): string {
  const text = target.trim();
  if (kind === "change" && text !== "" && text.length <= longestTarget) return text;
  const parsed = parseAddress(text);
  if (kind !== "change" && parsed.ok) return parsed.value;
  const problem = kind === "change" ? "write what the request is about" : "write an address or a range";
  throw new DomainError("bad-input", `Target: ${problem}.`, { target: problem });
}

export interface DecisionInput {
  readonly id: string;
  readonly isConfirmed: boolean;
  /** Why, in a word. */
  readonly word: string;
}

/**
 * Confirms or declines a request. A confirmed block or unblock is done first, by the same verb with the same lockout protection as
 * any other: what it refuses leaves the request open.
 */
export async function decideRequest(
  ctx: ListContext,
  { id, isConfirmed, word }: DecisionInput,
): Promise<{ readonly request: UserRequest; readonly change: number | null }> {
  checkReason(word);
  const found = openRequest(id, await ctx.redis.hget(keys.requests(), id));
  const change = isConfirmed ? await carryOut(ctx, found) : null;
  const { redis, seal, actor, isDryRun = false } = ctx;
  const { decision } = await commit(
    { redis, seal, actor, isDryRun },
    {
      ...{ action: isConfirmed ? "request.confirm" : "request.decline", reason: word },
      slots: [{ key: keys.requests(), field: id, target: sayWish(found) }],
      decide({ now, slots }) {
        const request = openRequest(id, at(slots, 0).value);
        const is = isConfirmed ? ("confirmed" as const) : ("declined" as const);
        const decided: UserRequest = {
          ...request,
          decision: { is, by: ctx.actor.name, at: new Date(now).toISOString(), word },
        };
        return {
          request: decided,
          writes: [{ slot: 0, to: { value: writeRequest(decided), expiresAt: null } }],
        };
      },
    },
  );
  if (!isDryRun) await dropOld(ctx);
  return { request: decision.request, change };
}

function openRequest(id: string, text: string | null): UserRequest {
  const [request] = requestsIn([[id, text ?? ""]]);
  if (!request) throw new DomainError("not-found", "There is no such request any more.");
  const { decision } = request;
  if (decision)
    throw new DomainError("changed-since", `${decision.by} has ${decision.is} this request already.`);
  return request;
}

async function carryOut(ctx: ListContext, request: UserRequest): Promise<number | null> {
  const { kind, target, ttlMs, reason, by } = request;
  if (kind === "change") return null;
  const parsed = parseAddress(target);
  if (!parsed.ok) throw new DomainError("bad-input", `${target} is no address.`);
  // The record names both: its actor confirms, and its reason names the user who asked.
  const said = `${reason} (requested by ${by})`.slice(0, 500);
  const common = { list: "blocklist" as const, addresses: [parsed.value], reason: said };
  const { change, outcomes } =
    kind === "block" ? await addEntries(ctx, { ...common, ttlMs }) : await removeEntries(ctx, common);
  const [outcome] = outcomes;
  if (outcome?.outcome === "refused") throw new DomainError(outcome.code, outcome.message);
  return change;
}

/** Keeps the newest of the decided requests. The audit log has the others. */
async function dropOld({ redis }: ListContext): Promise<void> {
  const decided = requestsIn(Object.entries(await redis.hgetall(keys.requests()))).filter(
    (one) => one.decision,
  );
  const old = decided.slice(mostDecided).map(({ id }) => id);
  if (old.length > 0) await redis.hdel(keys.requests(), ...old);
}
