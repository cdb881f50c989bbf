import type { z } from "zod";
import { staffLimit } from "../enforce/lists/entry.ts";
import { DomainError } from "../errors.ts";
import { may, type Permission, rolesThatMay } from "../manage/users/roles.ts";
import { activityHeader } from "../queries/activity.ts";
import { loopTurn } from "../redis/loop-turn.ts";
import { type Console, theConsole } from "./console.ts";
import { type Failure, failureOf, signedOut, statusOf } from "./failure.ts";
import { inFairTurn } from "./fair-turns.ts";
import { findSignedIn, type SignedIn } from "./session/session.ts";

interface ReadInput<Params, Search> {
  readonly console: Console;
  readonly who: SignedIn;
  readonly params: Params;
  readonly search: Search;
}

export const uncached = { "cache-control": "no-store" };

/** A route handler, and the same read for a page that the server renders. */
export interface Read<Params> {
  (request: Request, context: { params: Promise<Params> }): Promise<Response>;
  /** What the handler would answer to this user, as JSON has it. */
  answerTo(who: SignedIn, asked: { readonly params: Params; readonly search: unknown }): Promise<unknown>;
}

/**
 * A read: role → schema → answer. A read extends the session only if it says that its user is active.
 *
 * @param settings of an urgent read: it is light, has a deadline, and does not wait for other reads of its user
 * @example
 * export const GET = read("read", search, ({ console, search }) => …);
 */
export function read<S extends z.ZodType, Params = Record<never, never>>(
  permission: Permission,
  search: S,
  answer: (asked: ReadInput<Params, z.output<S>>) => Promise<unknown>,
  { isUrgent = false }: { readonly isUrgent?: boolean } = {},
): Read<Params> {
  const answerAs = <T>(
    who: SignedIn,
    given: { readonly params: Params; readonly search: unknown },
    write: (found: unknown) => T,
  ): Promise<T> => {
    requireRole(who, permission);
    const parsed = search.safeParse(given.search);
    if (!parsed.success) throw new DomainError("bad-input", "What this read was asked is wrong.");
    const asked = { console: theConsole(), who, params: given.params, search: parsed.data };
    const work = async () => {
      // Reads of one moment begin, and are written out, one after the other, with others of the process between them.
      await loopTurn();
      const found = await answer(asked);
      await loopTurn();
      return write(found);
    };
    return isUrgent ? work() : inFairTurn("read", who.email, work);
  };
  const handle = async (request: Request, { params }: { params: Promise<Params> }) => {
    try {
      const who = await findSignedIn({ isActivity: request.headers.has(activityHeader) });
      if (!who) return refusalOf(signedOut);
      return await answerAs(who, { params: await params, search: await givenTo(request) }, asResponse);
    } catch (error) {
      return refusalOf(failureOf(error, "read"));
    }
  };
  return Object.assign(handle, {
    answerTo: async (who: SignedIn, asked: { readonly params: Params; readonly search: unknown }) =>
      answerAs(who, asked, asJson),
  });
}

const asResponse = (found: unknown): Response =>
  found instanceof Response ? found : Response.json(found, { headers: uncached });

const asJson = (found: unknown): unknown => JSON.parse(JSON.stringify(found));

/** Parameters of the URL; of what must not be in a URL, the fields of the body. */
async function givenTo(request: Request): Promise<unknown> {
  if (request.method !== "POST") return Object.fromEntries(new URL(request.url).searchParams);
  return bodyOf(request, longestBody);
}

const longestBody = 20_000;

/** The fields of a posted body; undefined for other bodies, and for a body that is too long or of unknown length. */
export async function bodyOf(request: Request, longest: number): Promise<object | undefined> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= longest)) return undefined;
  const body: unknown = await request.json().catch(() => undefined);
  return typeof body === "object" && body !== null ? body : undefined;
}

/** A part of a path. What cannot be decoded is taken as it is. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function requireRole({ role }: SignedIn, permission: Permission): void {
  if (may(role, permission)) return;
  const isTooLong = permission === "lists-forever" && may(role, "lists");
  const message = isTooLong
    ? `Your role, ${role}, may not do this. ${staffLimit}.`
    : `Your role, ${role}, may not do this. Only ${rolesThatMay(permission)} can.`;
  throw new DomainError("not-allowed", message);
}

export function refusalOf(failure: Failure): Response {
  return Response.json({ error: failure }, { status: statusOf[failure.code], headers: uncached });
}
