import type { z } from "zod";
import { may, type Permission, rolesThatMay } from "../../lib/auth/roles.ts";
import { DomainError } from "../../lib/errors.ts";
import { type Console, theConsole } from "./console.ts";
import { failureOf, statusOf } from "./failure.ts";
import { findSignedIn, type SignedIn } from "./session.ts";

interface Asked<Params, Search> {
  readonly console: Console;
  readonly who: SignedIn;
  readonly params: Params;
  readonly search: Search;
}

const uncached = { "cache-control": "no-store" };

/**
 * A route handler that reads: role → schema → answer. Polling is no activity, so reads keep nobody signed in.
 *
 * @example
 * export const GET = read("read", search, ({ console, search }) => …);
 */
export function read<S extends z.ZodType, Params = Record<never, never>>(
  permission: Permission,
  search: S,
  answer: (asked: Asked<Params, z.output<S>>) => Promise<unknown>,
): (request: Request, context: { params: Promise<Params> }) => Promise<Response> {
  return async (request, { params }) => {
    try {
      const who = await findSignedIn({ isActivity: false });
      if (!who) return told({ code: "signed-out", message: "Sign in again.", fields: {} });
      requireRole(who, permission);
      const given = Object.fromEntries(new URL(request.url).searchParams);
      const parsed = search.safeParse(given);
      if (!parsed.success) throw new DomainError("bad-input", "The address of this read is wrong.");
      const asked = { console: theConsole(), who, params: await params, search: parsed.data };
      const found = await answer(asked);
      return found instanceof Response ? found : Response.json(found, { headers: uncached });
    } catch (error) {
      return told(failureOf(error));
    }
  };
}

export function requireRole({ role }: SignedIn, permission: Permission): void {
  if (may(role, permission)) return;
  const message = `Your role, ${role}, may not do this; ${rolesThatMay(permission)} may.`;
  throw new DomainError("not-allowed", message);
}

function told(failure: ReturnType<typeof failureOf>): Response {
  return Response.json({ error: failure }, { status: statusOf[failure.code], headers: uncached });
}
