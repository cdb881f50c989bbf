import { headers } from "next/headers";
import type { z } from "zod";
import { environment } from "../env.ts";
import { DomainError } from "../errors.ts";
import { tallyRefusal } from "../manage/audit/denied-attempts.ts";
import type { ListContext } from "../manage/lists/change-entries.ts";
import type { Permission } from "../manage/users/roles.ts";
import type { UserContext } from "../manage/users/user-lockout.ts";
import { type Console, theConsole } from "./console.ts";
import { type Failure, failureOf, signedOut } from "./failure.ts";
import { bodyOf, refusalOf, requireRole, uncached } from "./read.ts";
import { findSignedIn, type SignedIn } from "./session/session.ts";

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: Failure };

/** What every verb takes, and who asks. */
export interface ActionContext extends ListContext, UserContext {
  readonly console: Console;
  readonly who: SignedIn;
}

interface ActionDefinition<S extends z.ZodType, T> {
  /** As the audit log names it when it is refused. */
  readonly name: string;
  /** One for all; or the least that any input needs, asked before the input is read, and what this input needs. */
  readonly needs:
    | Permission
    | { readonly least: Permission; readonly of: (input: z.output<S>) => Permission };
  readonly input: S;
  /** False for a read that a page sends without a user's act: it does not extend the session. */
  readonly isActivity?: false;
  readonly run: (ctx: ActionContext, input: z.output<S>) => Promise<T>;
}

/**
 * The console's only way to write: origin → session → role → schema → verb. Errors become words here and nowhere else.
 *
 * @example
 * export const block = action({ name: "blocklist.add", needs: "lists", input, run: (ctx, given) => addEntries(ctx, …) });
 */
export function action<S extends z.ZodType, T>(
  definition: ActionDefinition<S, T>,
): (input: z.input<S>) => Promise<Result<T>> {
  return (input) => guarded(definition, async () => input);
}

interface PostedRead<S extends z.ZodType, T> extends Omit<ActionDefinition<S, T>, "isActivity" | "run"> {
  /** Of the request, in bytes. */
  readonly longestBody: number;
  /** @param signal aborts when the browser no longer waits */
  readonly run: (ctx: ActionContext, input: z.output<S>, signal: AbortSignal) => Promise<T>;
}

/**
 * A route handler that reads what a posted text would do, guarded like an action. The browser sends it beside its actions, which
 * run one after another, and can abort it. Like polling, it does not extend the session.
 */
export function postedRead<S extends z.ZodType, T>({ longestBody, run, ...definition }: PostedRead<S, T>) {
  return async (request: Request, { params }: { params: Promise<object> }): Promise<Response> => {
    const { signal } = request;
    const result = await guarded(
      { ...definition, isActivity: false, run: (ctx, input) => run(ctx, input, signal) },
      async () => ({ ...(await bodyOf(request, longestBody)), ...(await params) }),
    );
    return result.ok ? Response.json(result.value, { headers: uncached }) : refusalOf(result.error);
  };
}

async function guarded<S extends z.ZodType, T>(
  definition: ActionDefinition<S, T>,
  readInput: () => Promise<unknown>,
): Promise<Result<T>> {
  let isBegun = false;
  try {
    requireOwnOrigin(await headers());
    const who = await findSignedIn({ isActivity: definition.isActivity ?? true });
    if (!who) return { ok: false, error: signedOut };
    const ctx = contextOf(who);
    const given = await admit(definition, ctx, readInput);
    isBegun = true;
    return { ok: true, value: await definition.run(ctx, given) };
  } catch (error) {
    const isRead = definition.isActivity === false;
    return { ok: false, error: failureOf(error, isRead ? "read" : isBegun ? "change" : "before") };
  }
}

/** The input that this user may give to the action. Writes nothing but the record of a refusal. */
async function admit<S extends z.ZodType, T>(
  { name, needs, input: schema }: ActionDefinition<S, T>,
  theirs: ActionContext,
  readInput: () => Promise<unknown>,
): Promise<z.output<S>> {
  // First: reading a long input is work, and what is wrong with it concerns only those who may do it.
  await requireRecorded(theirs, name, typeof needs === "string" ? needs : needs.least);
  const parsed = schema.safeParse(await readInput());
  if (!parsed.success) throw misfit(parsed.error);
  if (typeof needs === "object") await requireRecorded(theirs, name, needs.of(parsed.data));
  return parsed.data;
}

function contextOf(who: SignedIn): ActionContext {
  const opened = theConsole();
  const { redis, seal, protectedRanges } = opened;
  const actor = { name: who.email, via: "console", ...(who.address && { address: who.address }) };
  const hasSso = environment().oidc !== undefined;
  return { console: opened, who, redis, seal, protectedRanges, actor, hasSso };
}

async function requireRecorded(ctx: ActionContext, name: string, permission: Permission): Promise<void> {
  try {
    requireRole(ctx.who, permission);
  } catch (error) {
    await tallyRefusal(ctx, { action: name, reason: `role ${ctx.who.role} may not do this` });
    throw error;
  }
}

/** Next refuses a foreign origin itself, but lets pass who sends none: no browser does that. */
export function requireOwnOrigin(sent: Headers): void {
  const origin = sent.get("origin");
  const host = sent.get("x-forwarded-host") ?? sent.get("host");
  if (origin !== null && URL.canParse(origin) && new URL(origin).host === host) return;
  throw new DomainError("not-allowed", "This request was not sent from a page of the console.");
}

function misfit(error: z.ZodError): DomainError {
  const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join("."), message]));
  const [first] = error.issues;
  return new DomainError(
    "bad-input",
    first ? `${first.path.join(".")}: ${first.message}.` : "Bad input.",
    fields,
  );
}
